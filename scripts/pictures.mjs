/**
 * `npm run pictures`: takes the pictures of README.md from the simulated boat, and writes the words that stand in each
 * beside them, by which a test notices that a picture is out of date. Needs Debian's chromium-headless-shell.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startBroker } from "./broker.mjs";
import { chromiumPath } from "./chromium.mjs";
import { serveDisplay } from "./serve-display.mjs";
import { root } from "./setup.mjs";

export const folder = join(root, "docs/pictures");
export const size = { width: 1024, height: 600 };

/** Presses the button for a person overboard and waits until the boat has moved away. */
async function callPerson(page) {
  await page.locator("[data-id=mob]").click();
  await page.getByRole("button", { name: "Yes", exact: false }).first().click();
  await page.locator("[data-id=search-track]").waitFor({ state: "attached" });
  await page.waitForTimeout(20_000);
}

/** Each shows a page of the display, once what it waits for is there: the names of devices and ships come last. */
export const pictures = [
  { name: "sail", page: "sail", light: "day", waitsFor: "text=Masthead Wind >> nth=0" },
  { name: "ships", page: "ships", light: "night", waitsFor: ".target-name >> text=VEERKRACHT" },
  { name: "distress", page: "distress", light: "day", waitsFor: "[data-id=mob]", act: callPerson },
];

/** The heading, the names of the pages, labels and buttons, as lines of text; evaluated in the browser. */
const words = `[...document.querySelectorAll("h1, .ways a, .cell .label, .scope-tools button")]
  .filter((element) => element.checkVisibility())
  .map((element) => (element.getAttribute("aria-label") ?? element.innerText).trim())
  .filter((text) => text !== "")
  .join("\\n")`;

/** Opens each picture in a browser and calls `take` with it, its page and its words. */
export async function forEachPicture(browser, take) {
  const broker = await startBroker({ port: 21900, webSocketPort: 29900 });
  const display = await serveDisplay({
    folder: join(root, "dist/display"),
    brokerPort: broker.port,
    configPort: 1,
    historyPort: 1,
    port: 28900,
  });
  const bridge = spawn(
    process.execPath,
    [
      join(root, "dist/hub-cand.mjs"),
      ...["--simulate", "--broker", `mqtt://127.0.0.1:${broker.port}`, "--config", join(root, ".hub/none.json")],
    ],
    { stdio: "ignore" },
  );
  try {
    for (const picture of pictures) {
      const context = await browser.newContext({ viewport: size });
      const settings = JSON.stringify(JSON.stringify({ light: picture.light, range: 4 }));
      await context.addInitScript(`localStorage["hub-display"] ??= ${settings};`);
      const page = await context.newPage();
      await page.goto(`${display.url}?kiosk#/${picture.page}`);
      await page.locator(picture.waitsFor).waitFor();
      await picture.act?.(page);
      await take(picture, page, String(await page.evaluate(words)));
      await context.close();
    }
  } finally {
    bridge.kill();
    await once(bridge, "close");
    await display.close();
    await broker.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
  });
  mkdirSync(folder, { recursive: true });
  await forEachPicture(browser, async ({ name }, page, text) => {
    writeFileSync(join(folder, `${name}.png`), await page.screenshot());
    writeFileSync(join(folder, `${name}.txt`), `${text}\n`);
  });
  await browser.close();
}
