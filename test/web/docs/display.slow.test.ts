/** The display of the manual, exactly as it stands there: in a browser, at a real broker, with a simulated boat. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openBrowser, withoutChromium } from "../../support/browser.ts";
import { startHubCand } from "../../support/hub-cand.ts";
import { mosquitto, subscriber, withoutMosquitto } from "../../support/mosquitto.ts";
import { freePort } from "../../support/ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const options = { skip: (withoutMosquitto ?? withoutChromium) !== undefined };

const chapter = readFileSync("docs/own-display.md", "utf8");
const code = /^```html\n([\s\S]*?)^```$/m.exec(chapter)![1]!;
/** The Web server that the chapter names, and its port. */
const [, serve, servedPort] = /`(python3 -m http\.server [^`]*?(\d+))`/.exec(chapter)!;

test("the display has at most 30 lines", () => {
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
});

interface Report {
  readonly data: {
    readonly speed_course?: { readonly headingTrue?: number };
    readonly wind_apparent?: { readonly angle: number | null; readonly speed: number | null };
  };
}

test(
  "the display shows heading and wind of the boat, strikes them out when she falls silent, and comes back",
  options,
  async () => {
    const webSocketPort = await freePort();
    const broker = await mosquitto({ general: [`listener ${webSocketPort} 127.0.0.1`, "protocol websockets"] });
    onTestFinished(() => broker.stop());
    const heard = await subscriber(broker.port, {}, "can/can0/navigation");
    onTestFinished(() => heard.close());
    const sail = () => {
      const boat = startHubCand(["--simulate", "--broker", `mqtt://127.0.0.1:${broker.port}`]);
      const ended = once(boat, "close");
      return async (): Promise<void> => {
        boat.kill("SIGTERM");
        await ended;
      };
    };
    let moor = sail();
    onTestFinished(() => moor());

    const folder = temporaryFolder("display");
    writeFileSync(join(folder, "display.html"), code);
    copyFileSync("dist/swagger/docs/mqtt.esm.js", join(folder, "mqtt.esm.js"));
    const port = await freePort();
    const [program, ...args] = serve!.replace(servedPort!, String(port)).split(" ");
    const server = spawn(program!, args, { cwd: folder, stdio: "ignore" });
    onTestFinished(async () => {
      const ended = once(server, "exit");
      server.kill();
      await ended;
    });
    const address = `http://127.0.0.1:${port}`;
    while (!(await fetch(address).then(Boolean, () => false))) await new Promise((retry) => setTimeout(retry, 50));
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    const failures: string[] = [];
    tab.on("pageerror", (error) => failures.push(error.message));
    await tab.goto(`${address}/display.html?broker=ws://127.0.0.1:${webSocketPort}`);

    const isAlive = "!document.body.classList.contains('stale')";
    const showsTruth = async (): Promise<void> => {
      await tab.waitForFunction(`${isAlive} && /^\\d+°$/.test(heading.textContent) && /kn$/.test(wind.textContent)`);
      const shown = await tab.evaluate<[string, string]>("[heading.textContent, wind.textContent]");
      const reports = heard.messages.map(({ payload }) => (JSON.parse(payload) as Report).data);
      const texts = reports.map(({ speed_course: course, wind_apparent: wind }) => [
        `${Math.round(course?.headingTrue ?? Number.NaN)}°`,
        `${Math.round(wind?.angle ?? Number.NaN)}° ${Math.round(wind?.speed ?? Number.NaN)} kn`,
      ]);
      expect(texts).toContainEqual(shown);
    };
    await showsTruth();
    await moor();
    await tab.waitForFunction("document.body.classList.contains('stale')");
    heard.clear();
    moor = sail();
    await tab.waitForFunction(isAlive);
    await showsTruth();
    await broker.signal("SIGKILL");
    await tab.waitForFunction("document.body.classList.contains('stale')");
    await broker.restart();
    await tab.waitForFunction(isAlive);
    await showsTruth();
    expect(failures).toEqual([]);
  },
);
