/** The page Recordings: a file is read in the browser, without a daemon. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoded } from "../../services/bridge/alarm-bus.ts";
import { named } from "../../services/bridge/named.ts";
import { withoutWasm } from "../../support/wasm.ts";
import { useBoat, withoutDisplay } from "./boat.ts";

const without = withoutDisplay ?? withoutWasm;

const line = (second: number, id: string, data: string): string =>
  `(${1_790_000_000 + second}.000000) can0 ${id}#${data.toUpperCase()}\n`;
/** Two NAMEs claim address 10 in turn, each second, while device 3 measures a depth that grows from 5 to 34 m. */
const seconds = Array.from({ length: 30 }, (_, second) => [
  line(second, "18EEFF0A", Buffer.from(deviceNameBytes(named(1 + (second % 2)))).toString("hex")),
  line(second, "0DF50B03", encoded({ pgn: 128267, depthM: 5 + second })),
]).flat();
const halves = [seconds.slice(0, 30), seconds.slice(30)].map((half) => gzipSync(half.join("")));

/** A script that drops a file on the page. */
const dropping = (name: string, lines: readonly string[]): string => `{
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([${JSON.stringify(lines.join(""))}], ${JSON.stringify(name)}));
  dispatchEvent(new DragEvent("drop", { dataTransfer }));
}`;

describe.skipIf(without !== undefined)(`page Recordings ${without ?? ""}`, () => {
  const boat = useBoat();

  test("a file has its findings, devices and messages, and a number has its plot", async () => {
    const { page, complaints } = await boat.open("recordings");
    // As hub-cand writes it: several gzip members.
    const file = { name: "trip.log.gz", mimeType: "application/gzip", buffer: Buffer.concat(halves) };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText("60 messages of 2 devices").waitFor();
    const findings = page.locator("[data-id=recorded-findings]");
    expect(await findings.locator("summary b").allInnerTexts()).toEqual(["Devices fight for an address"]);
    const addresses = page.locator("[data-id=recorded-devices] tbody small");
    expect(await addresses.allInnerTexts()).toEqual(["3", "10"]);

    const depth = page.locator("[data-id='stream-128267-3']");
    expect(await depth.locator("summary").innerText()).toMatch(
      /128267 Water Depth\s+Device \(3\) · 30 · every 1\.0\ss/,
    );
    await depth.locator("summary").click();
    await depth.getByRole("button", { name: "Plot" }).first().click();
    await depth.getByText("from 5.000 to 34.000 m").waitFor();
    const marks = (axis: string) => depth.locator(`.${axis} span`).allInnerTexts();
    expect(await marks("value-axis")).toEqual(["34.000 m", "19.500 m", "5.000 m"]);
    expect(await marks("time-axis")).toEqual(["14:13:20 UTC", "14:13:34 UTC", "14:13:49 UTC"]);
    expect(complaints).toEqual([]);
  });

  test("a file that is dropped while another one is read, or plotted, is shown alone", async () => {
    const { page } = await boat.open("recordings");
    await page.locator("input[type=file]").waitFor({ state: "attached" });
    await page.evaluate(`shown = new Set();
      new MutationObserver(() => {
        const recording = document.querySelector("[data-id=recording]");
        if (recording !== null) shown.add(recording.innerText.split("\\n").slice(0, 3).join(" "));
      }).observe(document.body, { childList: true, characterData: true, subtree: true });`);
    await page.evaluate(dropping("half.log", seconds.slice(0, 30)) + dropping("trip.log", seconds));
    await page.getByText("60 messages of 2 devices").waitFor();
    expect(await page.evaluate("[...shown].filter((text) => !/60 messages/.test(text))")).toEqual([]);

    const depth = page.locator("[data-id='stream-128267-3']");
    await depth.locator("summary").click();
    await depth.getByRole("button", { name: "Plot" }).first().waitFor();
    const plotting = `document.querySelector("[data-id='stream-128267-3'] button").click();`;
    await page.evaluate(plotting + dropping("half.log", seconds.slice(0, 30)));
    await page.getByText("30 messages of 2 devices").waitFor();
    await depth.waitFor();
    expect(await page.locator("[data-id=plot]").count()).toBe(0);
  });

  test("what is over is marked, and a file without dates says whose dates it has", async () => {
    const { page } = await boat.open("recordings");
    const raw = (second: number, identifier: string, data: string): string => {
      const time = new Date(second * 1000).toISOString().slice(11, 23);
      return `${time} R ${identifier} ${data.replace(/..(?=.)/g, "$& ")}\r\n`;
    };
    const lines = Array.from({ length: 600 }, (_, second) => [
      raw(second, "0DF50B03", encoded({ pgn: 128267, depthM: 5 })),
      ...(second < 30
        ? [raw(second, "18EEFF0A", Buffer.from(deviceNameBytes(named(1 + (second % 2)))).toString("hex"))]
        : []),
    ]).flat();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "trip.raw", mimeType: "text/plain", buffer: Buffer.from(lines.join("")) });
    await page.getByText("Its time stamps have no dates").waitFor();
    const finding = page.locator("[data-id=recorded-findings] details", { hasText: "Devices fight for an address" });
    expect(await finding.locator(".severity").innerText()).toMatch(/^over$/i);
    expect(await finding.getAttribute("class")).toBeNull();
  });

  test("a file that is no recording is refused in words, and the next one is read", async () => {
    const { page } = await boat.open("recordings");
    const choose = (name: string, buffer: Buffer) =>
      page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer });
    await choose("letter.txt", Buffer.from("Dear captain,\n"));
    await page.getByText("letter.txt: Its format is not known.").waitFor();
    await choose("empty.log", Buffer.alloc(0));
    await page.getByText("empty.log: It is empty.").waitFor();
    await choose("trip.log", Buffer.from(seconds.join("")));
    await page.getByText("60 messages of 2 devices").waitFor();
  });
});
