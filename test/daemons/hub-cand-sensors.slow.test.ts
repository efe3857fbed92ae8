/** hub-cand with sensors that publish by MQTT: what systems document, as devices; silence, floods and restarts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startHubCand } from "../support/hub-cand.ts";
import { mosquitto, subscriber, withoutMosquitto } from "../support/mosquitto.ts";

const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

type Members = Readonly<Record<string, unknown>>;
const dataOf = (payload: string): Members => JSON.parse(payload).data;

/** A hub-cand of this name with a broker of its own. */
async function openBoat(name: string) {
  const broker = await mosquitto();
  const listener = await subscriber(broker.port);
  endings.push(
    () => broker.stop(),
    () => listener.close(),
  );
  const config = join(broker.folder, "deploy.json");
  return {
    listener,
    deploy: (rows: readonly Members[], also?: readonly string[]): void =>
      writeFileSync(
        config,
        JSON.stringify({ settings: [{ name: "sensors", rows }, ...(also ? [{ name: "networks", also }] : [])] }),
      ),
    start(...args: readonly string[]): void {
      const child = startHubCand(["-i", name, "--broker", `mqtt://127.0.0.1:${broker.port}`, "-c", config, ...args]);
      child.stdout!.resume();
      child.stderr!.resume();
      endings.push(() => child.kill("SIGKILL"));
    },
    /** The next message of a PGN of a device with these members. */
    async message(pgn: number, members: Members = {}): Promise<Members> {
      const { payload } = await listener.until(
        ({ topic, payload }) =>
          new RegExp(`^can/${name}/device/\\d+/pgn/${pgn}$`).test(topic) &&
          Object.entries(members).every(([member, value]) => dataOf(payload)[member] === value),
      );
      return dataOf(payload);
    },
    isNetwork(is: (network: Members & { gateway: Members }) => boolean) {
      const isIt = ({ topic, payload }: { readonly topic: string; readonly payload: string }): boolean =>
        topic === `can/${name}/interface` &&
        ((dataOf(payload).networks ?? []) as Parameters<typeof is>[0][]).some((each) => is(each));
      return listener.until(isIt);
    },
    /** Publishes again and again until the returned function is called. */
    publish(messages: Readonly<Record<string, string>>, client = listener.client): () => void {
      const all = (): void => {
        for (const [topic, payload] of Object.entries(messages)) client.publish(topic, payload);
      };
      all();
      const timer = setInterval(all, 200);
      return () => clearInterval(timer);
    },
  };
}

describe(`sensors at a real broker ${withoutMosquitto ?? ""}`, {
  skip: withoutMosquitto !== undefined,
  concurrent: true,
}, () => {
  test("messages of Venus, zigbee2mqtt, ESPHome and OpenMQTTGateway become devices", async () => {
    const { deploy, listener, message, publish, start } = await openBoat("one");
    deploy(
      [
        { name: "House", topic: "N/+/battery/278/Dc/0/Voltage", pointer: "/value", quantity: "batteryVoltage" },
        { name: "House", topic: "N/+/battery/278/Dc/0/Current", pointer: "/value", quantity: "batteryCurrent" },
        { name: "House", topic: "N/+/battery/278/Soc", pointer: "/value", quantity: "stateOfCharge" },
        { name: "Water", topic: "N/+/tank/3/Level", pointer: "/value", quantity: "fluidLevel", kind: "Water" },
        { name: "Saloon", topic: "zigbee2mqtt/saloon", pointer: "/temperature", quantity: "temperature" },
        { name: "Saloon", topic: "zigbee2mqtt/saloon", pointer: "/humidity", quantity: "humidity" },
        { name: "Engine", topic: "engine-room/sensor/coolant/state", quantity: "coolantTemperature" },
        {
          ...{ name: "Ruuvi", topic: "home/OMG/BTtoMQTT/C0FFEE", pointer: "/pres" },
          ...{ quantity: "pressure", unit: "hPa" },
        },
        {
          ...{ name: "Gas", topic: "home/OMG/BTtoMQTT/D00D", pointer: "/lvl_cm", unit: "cm", full: 30 },
          ...{ quantity: "fluidLevel", kind: "Fuel", instance: 1 },
        },
      ],
      ["mqtt:"],
    );
    await listener.client.publishAsync("N/48e7da/system/0/Serial", '{"value":"48e7da"}', { retain: true });
    await listener.client.publishAsync("engine-room/sensor/coolant/state", "99", { retain: true });
    start();
    // What Venus tells is told because it was asked.
    await listener.until(({ topic, payload }) => topic === "R/48e7da/keepalive" && payload === "");
    const stop = publish({
      "N/48e7da/battery/278/Dc/0/Voltage": '{"value":13.31}',
      "N/48e7da/battery/278/Dc/0/Current": '{"value":-4.2}',
      "N/48e7da/battery/278/Soc": '{"max":100.0,"value":87.0}',
      "N/48e7da/tank/3/Level": '{"value":71.2}',
      "zigbee2mqtt/saloon": '{"battery":100,"humidity":44.72,"linkquality":115,"temperature":27.34}',
      "home/OMG/BTtoMQTT/C0FFEE": '{"id":"C0:FF:EE","model_id":"RuuviTag_RAWv2","tempc":21.4,"hum":50,"pres":1013.2}',
      "home/OMG/BTtoMQTT/D00D": '{"id":"D0:0D","model_id":"M1017","tempc":19,"lvl_cm":12.3,"quality":3}',
    });
    expect(await message(127508, { voltageV: 13.31 })).toEqual({
      pgn: 127508,
      ...{ instance: 0, voltageV: 13.31, currentA: -4.2 },
    });
    expect(await message(127506)).toMatchObject({ instance: 0, dcType: "Battery", stateOfChargePercent: 87 });
    expect(await message(127505, { fluidType: "Water" })).toMatchObject({ instance: 0, levelPercent: 71.2 });
    expect(await message(127505, { fluidType: "Fuel" })).toMatchObject({ instance: 1, levelPercent: 41 });
    expect(await message(130312)).toMatchObject({ source: "Inside Temperature", actualTempC: 27.34 });
    expect(await message(130313)).toMatchObject({ source: "Inside", actualHumidityPercent: 44.72 });
    expect(await message(130314)).toMatchObject({ source: "Atmospheric", pressurePa: 101_320 });
    // A retained value of any age, as ESPHome leaves it, has not been believed.
    expect(listener.messages.filter(({ topic }) => topic.endsWith("/pgn/127489"))).toEqual([]);
    listener.client.publish("engine-room/sensor/coolant/state", "72.5");
    expect(await message(127489)).toMatchObject({ engineInstance: 0, coolantTempC: 72.5 });
    stop();
    const infos = await listener.until(
      ({ topic, payload }) => topic.endsWith("/infos") && payload.includes('"modelId":"House"'),
    );
    expect(infos.topic).toMatch(/^can\/one\/device\/(2[5-9]\d|[345]\d\d)\/infos$/);
  });

  test("rows of the settings change without a restart; rows without a network are reported", async () => {
    const { deploy, isNetwork, listener, message, publish, start } = await openBoat("five");
    deploy([
      { name: "Saloon", topic: "home/saloon", quantity: "temperature" },
      { name: "Nonsense" },
      { name: "Own", topic: "can/five/navigation", pointer: "/data/x", quantity: "temperature" },
    ]);
    start();
    const unused = await listener.until(
      ({ topic, payload }) => topic === "can/five/health" && payload.includes("without a network"),
    );
    expect(dataOf(unused.payload).ignoredSettings).toMatchObject([
      { entry: "sensors", reason: expect.stringContaining("rows no. 2") },
      { entry: "sensors", reason: expect.stringContaining("rows: without a network: 2") },
      { entry: "sensors", reason: "rows: with topics of hub itself, which are not read: 1" },
    ]);
    const stop = publish({ "home/saloon": "20.5", "home/fridge": "4.5" });
    deploy([{ name: "Saloon", topic: "home/saloon", quantity: "temperature" }], ["mqtt:"]);
    await message(130312, { actualTempC: 20.5 });
    deploy([{ name: "Fridge", topic: "home/fridge", quantity: "temperature" }], ["mqtt:"]);
    await message(130312, { actualTempC: 4.5 });
    stop();
    deploy([], ["mqtt:"]);
    await isNetwork(({ up, gateway }) => up === false && String(gateway.reason).includes("no sensors"));
  });
});
