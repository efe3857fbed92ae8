/** The form of sensors: rows of topics that are heard, what they make now, deployed, and shown on the page Systems. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_PAYLOAD_BYTES } from "../../../src/core/sensors/reading.ts";
import { HeardTopics, MAX_HEARD_TOPICS } from "../../../src/web/display/data/heard-topics.ts";
import { type Boat, configurationFolder, openBoat, withoutDisplay } from "./boat.ts";

test("topics that are heard are bounded, and hub's own are left out", () => {
  const heard = new HeardTopics((topic) => topic.startsWith("own/"));
  const bytes = (text: string) => new TextEncoder().encode(text);
  heard.hear("own/a", bytes("1"), false, 0);
  heard.hear("b", bytes("1"), true, 1);
  heard.hear("a", bytes("x".repeat(MAX_PAYLOAD_BYTES + 1)), false, 2);
  expect(heard.topics).toEqual([
    { topic: "a", payload: undefined, isRetained: false, arrived: 2 },
    { topic: "b", payload: "1", isRetained: true, arrived: 1 },
  ]);
  expect(heard.latest(() => true)?.topic).toBe("a");
  expect(heard.latest((topic) => topic === "c")).toBeUndefined();
  for (let at = 0; at < MAX_HEARD_TOPICS; at++) heard.hear(`c/${at}`, bytes("1"), false, 3);
  expect([heard.topics.length, heard.left]).toEqual([MAX_HEARD_TOPICS, 2]);
  heard.hear("b", bytes("2"), false, 4);
  expect(heard.latest((topic) => topic === "b")).toMatchObject({ payload: "2", isRetained: false });
});

describe.skipIf(withoutDisplay !== undefined)(`in Chromium ${withoutDisplay ?? ""}`, () => {
  let boat: Boat;
  let folder: string;
  beforeAll(async () => {
    folder = configurationFolder();
    boat = await openBoat({ configuration: folder });
    boat.bridge(["--simulate", "--config", join(folder, "deploy.json"), "--also", "mqtt:"]);
  });
  afterAll(async () => {
    await boat?.close();
  });

  test("a Ruuvi tag and a battery of Venus become rows by a press each, and devices when they are deployed", async () => {
    const publish = (): void => {
      const { client } = boat;
      const ruuvi = { id: "C0:FF:EE", name: "Ruuvi C0FF", model: "RuuviTag", tempc: 21.4, hum: 50.25, pres: 1013.2 };
      client.publish("home/OMG/BTtoMQTT/C0FFEE", JSON.stringify(ruuvi));
      client.publish("N/48e7da/battery/278/Dc/0/Voltage", '{"value":13.31}');
      client.publish("N/48e7da/battery/278/Soc", '{"max":100.0,"min":0.0,"value":87.0}');
      client.publish("boat/bilge", "dry");
    };
    publish();
    const timer = setInterval(publish, 300);
    try {
      await boat.client.publishAsync("engine/sensor/coolant_temperature/state", "71", { retain: true });
      const { page, complaints } = await boat.open("boat/networks", { width: 1280, height: 800 });
      const part = page.locator("[data-id=settings-sensors]");
      const sockets: { isClosed(): boolean }[] = [];
      page.on("websocket", (socket) => sockets.push(socket));
      // The broker is an option of hub-cand, and its state is that of a network.
      const network = page.locator('[data-id="network-mqtt:"]');
      await network.getByText(/^Waits for sensors/).waitFor();
      const topic = (name: string) => part.locator("[data-id=heard-topic]", { hasText: name });
      await topic("C0FFEE").getByRole("button", { name: "Add temperature" }).click();
      const tag = part.locator("[data-id='sensor-Ruuvi C0FF-temperature']");
      await tag.getByText(/^21\.40\u202f°C, 0\u202fs old, as Temperature in PGN 130312\.$/).waitFor();
      // A press is enough; a row that is there is not offered again.
      expect(await topic("C0FFEE").getByRole("button", { name: "Add temperature" }).count()).toBe(0);
      await topic("battery/278/Dc/0/Voltage").getByRole("button", { name: "Add Battery voltage" }).click();
      await topic("battery/278/Soc").getByRole("button", { name: "Add State of charge" }).click();
      await part.getByText(/^87\u202f%, 0\u202fs old/).waitFor();
      // Retained, and of no age that is known.
      await topic("coolant").getByRole("button", { name: "Add temperature" }).click();
      const engine = part.locator("[data-id=sensor-engine-temperature]");
      await engine.getByText(/the broker had it before/).waitFor();
      await engine.getByRole("button", { name: "Remove" }).click();
      // Another unit shows at once what it would make.
      await tag.getByRole("button", { name: "Change" }).click();
      await tag.getByLabel("Unit of the source").selectOption("°F");
      await tag.getByText(/^-5\.89\u202f°C/).waitFor();
      await tag.getByLabel("Unit of the source").selectOption("°C");
      await tag.getByLabel("What or where it is").selectOption("Main Cabin Temperature");
      await tag.getByLabel("Place of the value").fill("/brand");
      await tag.getByText(/No value: nothing at \/brand/).waitFor();
      await tag.getByLabel("Place of the value").fill("tempc");
      await part
        .getByText("Ruuvi C0FF, place of the value in the message: not usable (must be a JSON Pointer: /Dc/0/Voltage)")
        .waitFor();
      expect(await part.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
      await tag.getByLabel("Place of the value").fill("/tempc");
      await topic("boat/bilge").getByRole("button", { name: "Add a row" }).click();
      const bilge = part.locator("[data-id=sensor-bilge-temperature]");
      await bilge.getByText("No value: the payload is no number.").waitFor();
      await bilge.getByRole("button", { name: "Remove" }).click();
      await part.getByRole("button", { name: "Save", exact: true }).click();
      await page.locator("[data-id=pending]").getByRole("button", { name: "Deploy" }).click();
      await page.getByText("Everything is deployed.").waitFor();
      const { settings } = JSON.parse(readFileSync(join(folder, "deploy.json"), "utf8"));
      expect(settings).toContainEqual({
        name: "sensors",
        rows: [
          {
            ...{ name: "Ruuvi C0FF", topic: "home/OMG/BTtoMQTT/C0FFEE", pointer: "/tempc" },
            ...{ quantity: "temperature", periodSec: 300, kind: "Main Cabin Temperature" },
          },
          {
            ...{ name: "Battery 278", topic: "N/48e7da/battery/278/Dc/0/Voltage", pointer: "/value" },
            quantity: "batteryVoltage",
          },
          {
            ...{ name: "Battery 278", topic: "N/48e7da/battery/278/Soc", pointer: "/value" },
            quantity: "stateOfCharge",
          },
        ],
      });
      await network.getByText(/^Connected: an option of hub-cand/).waitFor();
      await network.getByText(/^2 devices · .*messages? (a|since) /).waitFor();
      // Only the shown form listens to everything, by a connection of its own.
      expect(sockets.at(-1)!.isClosed()).toBe(false);
      await page.evaluate('location.hash = "#/systems"');
      await expect.poll(() => sockets.at(-1)!.isClosed()).toBe(true);
      await page.getByText(/13\.3/).first().waitFor();
      await page.getByText(/21\.4/).first().waitFor();
      expect(complaints).toEqual([]);
    } finally {
      clearInterval(timer);
    }
  });
});
