/**
 * The page Bus: findings first, what to do behind a tap, the baseline, devices by load, and the report that is printed.
 */
import { describe, expect, test } from "vitest";
import { useBoat, withoutDisplay } from "./boat.ts";
import { goodData, messageOf } from "./malformed.ts";

const finding = goodData.findings.findings[0];
const [sender] = goodData.traffic.devices;

describe.skipIf(withoutDisplay !== undefined)(`page Bus ${withoutDisplay ?? ""}`, () => {
  const boat = useBoat();

  const retain = (topic: string, data: unknown) =>
    boat.client.publishAsync(`can/can0/${topic}`, JSON.stringify(messageOf(data)), { retain: true });

  test("findings are the first thing on it, the worst one first, and a tap tells what to do", async () => {
    const fault = {
      ...finding,
      id: "busOff",
      severity: "fault",
      title: "Controller off the bus",
      advice: "Check the plug.",
    };
    await retain("findings", { findings: [fault, finding] });
    const { page, complaints } = await boat.open("bus");
    const list = page.locator("main section").first();
    await list.getByText("Controller off the bus").waitFor();
    await expect
      .poll(() => list.locator("summary b").allInnerTexts())
      .toEqual(["Controller off the bus", "Incomplete packets"]);
    const advice = list.getByText("Check the plug.");
    await expect.poll(() => advice.isVisible()).toBe(false);
    await list.getByText("Controller off the bus").click();
    await advice.waitFor();
    await retain("findings", { findings: [] });
    await list.getByText("Nothing found").waitFor();
    await expect.poll(() => list.locator("summary").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("the boat becomes the baseline by a touch, and by another one it is none", async () => {
    const commands: string[] = [];
    await boat.client.subscribeAsync("can/can0/findings/baseline/set");
    boat.client.on("message", (topic, payload) => topic.endsWith("baseline/set") && commands.push(String(payload)));
    await retain("findings", { findings: [] });
    const { page } = await boat.open("bus");
    await page.getByRole("button", { name: "This is my boat now" }).click();
    await expect.poll(() => commands, { timeout: 60_000 }).toEqual(["{}"]);
    await expect.poll(() => page.getByRole("button", { name: "Compare no more" }).count()).toBe(0);
    await retain("findings", { findings: [], baseline: "2026-05-03T10:00:00.000Z" });
    await page.locator("[data-id=baseline]", { hasText: /2026-05-03 10:00:00 UTC/ }).waitFor();
    await page.getByRole("button", { name: "Compare no more" }).click();
    await expect.poll(() => commands, { timeout: 60_000 }).toEqual(["{}", ""]);
  });

  test("devices stand by their load, and a period that is not the usual one is marked", async () => {
    const { page } = await boat.open("bus");
    const slow = {
      ...sender,
      addr: 3,
      loadPercent: 0.5,
      incomplete: 0,
      pgns: [{ pgn: 127_250, streams: 1, periodMs: 450, nominalMs: 100 }],
    };
    const report = { loadPercent: 3.6, devices: [sender, slow] };
    await page.locator("[data-id=findings]").waitFor();
    const traffic = page.locator("[data-id=traffic]");
    // Published until the page has subscribed: it is not retained.
    const repeat = setInterval(
      () => void boat.client.publish("can/can0/traffic", JSON.stringify(messageOf(report))),
      200,
    );
    await traffic.waitFor();
    clearInterval(repeat);
    await expect
      .poll(() => traffic.locator("[data-id^=share-] td:nth-of-type(1)").allInnerTexts())
      .toEqual(["3.0 %", "0.50 %"]);
    const cells = traffic.getByRole("region", { name: "Periods by PGN and device" }).locator("tbody td");
    await expect.poll(() => cells.allInnerTexts()).toEqual(["450 ms", "100 ms ×2"]);
    await expect.poll(() => cells.evaluateAll((all) => all.map(({ className }) => className))).toEqual(["warn", ""]);
    await expect.poll(() => page.locator("[data-id=load]").innerText()).toMatch(/^4/);
  });

  test("a load that is not measured says why", async () => {
    const { page } = await boat.open("bus");
    const load = page.locator("section", { has: page.locator("[data-id=load]") });
    await load.getByText("not measured yet").waitFor();
    await retain("interface", goodData.interface);
    await load.getByText("not measured: too early, or a replay at another speed than recorded").waitFor();
    await expect.poll(() => load.locator("[data-id=load]").innerText()).toMatch(/^––/);
  });

  test("the report has findings, what to do and devices with versions, and prints without the display around it", async () => {
    await retain("findings", { findings: [finding] });
    await retain("device/2/infos", { ...goodData.infos, friendlyName: "House bank" });
    // A device that was replaced while everything was off.
    const old = { addr: 9, name: "13835058055282163713", productInfo: undefined, functionName: "Old Gateway" };
    await retain("device/9/infos", { ...goodData.infos, ...old });
    // One that has claimed no address since hub-cand began.
    await retain("devices", { count: 2, peers: [...goodData.devices.peers, { addr: 77, name: 0 }] });
    const { page } = await boat.open("bus");
    await page.getByRole("link", { name: "Report to print" }).click();
    const report = page.locator("[data-id=report]");
    await report.getByText(finding.advice).waitFor();
    await report.getByText(goodData.infos.productInfo.softwareVersion, { exact: true }).waitFor();
    await report.getByText(goodData.infos.productInfo.modelId, { exact: true }).waitFor();
    await expect.poll(() => report.getByText("Old Gateway").count()).toBe(0);
    await report.getByRole("row", { name: /^77 not identified yet/ }).waitFor();
    await report.getByLabel("Boat").fill("Ella");
    await page.reload();
    await expect.poll(() => report.getByLabel("Boat").inputValue()).toBe("Ella");
    await page.emulateMedia({ media: "print" });
    const visible =
      "[...document.querySelector('#display').children].filter((one) => one.checkVisibility()).map((one) => one.localName)";
    await expect.poll(() => page.evaluate(visible)).toEqual(["main"]);
    await expect.poll(() => report.getByRole("button", { name: "Print" }).count()).toBe(0);
    await expect.poll(() => report.getByLabel("Boat").isVisible()).toBe(true);
  });
});
