import { beforeAll, describe, expect, test } from "vitest";
import { ReassembledSource } from "../../../../src/adapters/node/can/reassembled-source.ts";
import type { AlarmsData } from "../../../../src/core/alarms/report.ts";
import { createCatalogue, type Reader } from "../../../../src/core/n2k/catalogue.ts";
import type { Definition } from "../../../../src/core/n2k/definition.ts";
import { deviceNameBytes } from "../../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../../src/core/n2k/encode.ts";
import { publishedFields } from "../../../../src/core/n2k/layout.ts";
import { acInputStatus, dcDetailedStatus } from "../../../../src/core/n2k/pgns/electrical.ts";
import { humidity, windData } from "../../../../src/core/n2k/pgns/environment.ts";
import { directionData, gnssPositionData, positionRapidUpdate } from "../../../../src/core/n2k/pgns/gnss.ts";
import { definitions } from "../../../../src/core/n2k/pgns/index.ts";
import { engineParametersDynamic as engineDynamic } from "../../../../src/core/n2k/pgns/propulsion.ts";
import { rudder, vesselHeading } from "../../../../src/core/n2k/pgns/steering.ts";
import { productInformation } from "../../../../src/core/n2k/pgns/system.ts";
import { distanceLog } from "../../../../src/core/n2k/pgns/water.ts";
import { forEachPacket } from "../../../../src/core/ports/packet-batch.ts";
import { topicSchemas } from "../../../../src/core/topics/schemas.ts";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import type { RecordingBatch } from "../../../../src/formats/recording/record-writer.ts";
import { nothingKnown } from "../../../../src/services/bridge/boat.ts";
import { Devices } from "../../../../src/services/bridge/devices.ts";
import { HeardPacket } from "../../../../src/services/bridge/heard-packet.ts";
import { entitiesOf, unitMeasures, valueTemplate } from "../../../../src/services/bridge/home-assistant/entities.ts";
import { HomeAssistant } from "../../../../src/services/bridge/home-assistant/home-assistant.ts";
import { navigationEntities } from "../../../../src/services/bridge/home-assistant/navigation.ts";
import { RateLimitedLog } from "../../../../src/services/bridge/rate-limited-log.ts";
import { simulated } from "../../../../src/services/simulation/traffic.ts";
import { layouts, shared } from "../../../core/n2k/public-table.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { memoryPublisher } from "../../../support/memory/publisher.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { packetsOf } from "../../../support/packets.ts";
import { titled } from "../../../support/size.ts";
import { boatOf } from "../boat.ts";
import { createBursts } from "../bursts.ts";
import { named } from "../named.ts";
import { deviceClassUnits, deviceDiscovery, discoveryTopic } from "./home-assistant-rules.ts";
import { rendered, withoutJinja } from "./jinja.ts";

const homeAssistant = { prefix: "homeassistant", interface: "can0", version: "1.0.0", hostname: "boat" };
const start = Date.UTC(2026, 10, 21);

interface Component {
  readonly platform: string;
  readonly name: string;
  readonly unique_id: string;
  readonly state_topic: string;
  readonly value_template: string;
  readonly device_class?: string;
  readonly state_class?: string;
  readonly enabled_by_default?: boolean;
  readonly json_attributes_topic?: string;
  readonly payload_on?: string;
  readonly payload_off?: string;
}
interface Config {
  readonly device: { readonly identifiers: readonly string[]; readonly name: string; readonly model?: string };
  readonly availability: readonly { readonly topic: string }[];
  readonly components: Readonly<Record<string, Component>>;
}

/** The state of an entity after a message, by the entity's identifier. */
const saidOf = (id: string, data: Readonly<Record<string, unknown>>): unknown => {
  const [, kind] = /alarms_can0_(\w+)/.exec(id) ?? [];
  if (kind !== undefined) {
    const { kinds, unanswered } = data as unknown as {
      readonly kinds: readonly string[];
      readonly unanswered: boolean;
    };
    if (kind === "berth") return (data as { readonly rest?: string }).rest === "berth" ? "ON" : "OFF";
    const isOn = kind === "unanswered" ? unanswered : kinds.includes(kind!);
    return isOn ? "ON" : "OFF";
  }
  const [, group, of] =
    /navigation_can0_(position|speed_course|wind_apparent|wind_true|depth_water)_(\w+)/.exec(id) ?? [];
  if (group !== undefined) return (data[group] as Record<string, unknown> | undefined)?.[of!];
  const [, member] = /_\d+_([a-zA-Z]+)/.exec(id)!;
  const [, bit] = /_bit(\d+)_/.exec(id) ?? [];
  if (bit !== undefined) return ((data[member!] as number) & (1 << Number(bit))) !== 0;
  const [, number] = /_switch(\d+)_/.exec(id) ?? [];
  if (number === undefined) return data[member!];
  const switches = data.switches as readonly { readonly switch: number; readonly status: string }[];
  return switches.find((each) => each.switch === Number(number))?.status;
};

/** A bridge that publishes discovery messages for Home Assistant. */
const setUp = ({ allPgns = false, hostname = homeAssistant.hostname } = {}) => {
  const { bridge, publisher } = memoryBridge({
    prefix: "boat",
    findings: false,
    homeAssistant: { ...homeAssistant, hostname },
    allPgns,
    publicPgns: () => shared,
  });
  const burst = createBursts();
  let now = 0;
  const sail = (milliseconds: number, speak: () => void = () => {}): void => {
    for (let elapsed = 0; elapsed < milliseconds; elapsed += 500) {
      speak();
      bridge.advance(now, start + now);
      now += 500;
    }
  };
  const send = (source: number, pgn: number, payload: Uint8Array): void =>
    bridge.take(burst([{ source, pgn, hex: Buffer.from(payload).toString("hex"), at: start + now }]));
  return {
    publisher,
    bridge,
    sail,
    send,
    claim: (source: number, name: bigint): void => send(source, 60928, deviceNameBytes(name)),
    say: (source: number, message: { readonly pgn: number; readonly [field: string]: unknown }): void =>
      send(source, message.pgn, encoderOf(definitions.find(({ pgn }) => pgn === message.pgn)!)(message as never)),
    configs: (): (readonly [string, Config | null])[] =>
      publisher.messages
        .filter(({ topic }) => /^homeassistant\/(?!.*(navigation|alarms|findings))/.test(topic))
        .map(({ topic, payload }) => [topic, JSON.parse(payload ?? "null")] as const),
  };
};

const topicOf = (name: bigint): string => `homeassistant/device/hub_${name}/config`;
const battery = (instance: number) => ({ pgn: 127508, instance, voltageV: 12.5, currentA: -3, temperatureC: 20 });
const heading = { pgn: 127250, headingDeg: 100, reference: "Magnetic" };

describe("a device", () => {
  test.each([
    ["boat", "http://boat.local/api/config/docs/home-assistant.html"],
    ["boat.example.org", "http://boat.example.org/api/config/docs/home-assistant.html"],
  ])("names the documentation of %s as its support", (hostname, url) => {
    const { bridge, publisher } = setUp({ hostname });
    bridge.advance(0, start);
    const { origin } = JSON.parse(publisher.messages.find(({ topic }) => /alarms.*config/.test(topic))!.payload!);
    expect(origin.support_url).toBe(url);
  });

  test("has its own entities where another one has the same instance", () => {
    const { sail, claim, say, configs } = setUp();
    for (const address of [3, 4]) claim(address, named(address));
    sail(20_000, () => {
      for (const address of [3, 4]) say(address, battery(5));
    });
    const states = configs().map(([topic, config]) => [
      topic,
      [...new Set(Object.values(config!.components).map(({ state_topic }) => state_topic))],
    ]);
    expect(states).toEqual(
      [3, 4].map((address) => [topicOf(named(address)), [`boat/every/1/device/${address}/pgn/127508/5`]]),
    );
  });

  test("is published once with the values that it has sent, each instance by itself", () => {
    const { sail, claim, say, configs } = setUp();
    claim(3, named(3));
    sail(60_000, () => {
      say(3, battery(0));
      say(3, battery(1));
      say(3, heading);
    });
    expect(configs()).toHaveLength(1);
    const [topic, config] = configs()[0]!;
    expect(topic).toBe(topicOf(named(3)));
    expect(config!.device).toMatchObject({ identifiers: [`hub_${named(3)}`], manufacturer: expect.any(String) });
    expect(config!.availability).toEqual([
      { topic: "app/can-can0/info", value_template: "{{ 'online' if value_json.online else 'offline' }}" },
    ]);
    const components = Object.values(config!.components);
    expect(components.map(({ name }) => name).sort()).toEqual([
      ...["Battery Status 0 Current", "Battery Status 0 Temperature", "Battery Status 0 Voltage"],
      ...["Battery Status 1 Current", "Battery Status 1 Temperature", "Battery Status 1 Voltage"],
      "Vessel Heading Magnetic Heading",
    ]);
    expect(components.find(({ name }) => name === "Battery Status 1 Voltage")).toEqual({
      platform: "sensor",
      name: "Battery Status 1 Voltage",
      unique_id: `hub_${named(3)}_127508_voltageV_1`,
      unit_of_measurement: "V",
      device_class: "voltage",
      state_class: "measurement",
      suggested_display_precision: 2,
      state_topic: "boat/every/1/device/3/pgn/127508/1",
      value_template: "{{ value_json.data.voltageV | default(None) }}",
      expire_after: 60,
    });
  });

  test("is published again when it sends something new, and not at once each time", () => {
    const { sail, claim, say, configs } = setUp();
    claim(3, named(3));
    sail(10_000, () => say(3, battery(0)));
    let instance = 1;
    sail(20_000, () => say(3, battery(instance++ % 40)));
    const sizes = configs().map(([, config]) => Object.keys(config!.components).length);
    expect(sizes[0]).toBe(3);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.length).toBeLessThanOrEqual(4);
    expect(sizes.at(-1)).toBeGreaterThan(60);
  });

  test("keeps its identifiers when it takes another address, and when the bridge begins again", () => {
    const first = setUp();
    first.claim(3, named(3));
    first.sail(20_000, () => first.say(3, battery(0)));
    first.claim(9, named(3));
    first.sail(20_000, () => first.say(9, battery(0)));
    const again = setUp();
    again.claim(9, named(3));
    again.sail(20_000, () => again.say(9, battery(0)));
    const all = [...first.configs(), ...again.configs()];
    expect(all.map(([topic]) => topic)).toEqual(Array(3).fill(topicOf(named(3))));
    const ids = all.map(([, config]) => Object.values(config!.components).map(({ unique_id }) => unique_id));
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
    const topics = all.map(([, config]) => Object.values(config!.components)[0]!.state_topic);
    expect(topics).toEqual([3, 9, 9].map((address) => `boat/every/1/device/${address}/pgn/127508/0`));
    expect(all[2]).toEqual(all[1]);
  });

  test("is removed three minutes after its last message, and published again when it returns", () => {
    const { sail, claim, say, configs } = setUp();
    claim(3, named(3));
    sail(20_000, () => say(3, battery(0)));
    // Another device keeps sending, so that the time stamps of frames advance.
    const other = (): void => say(8, heading);
    sail(175_000, other);
    expect(configs().map(([, config]) => config === null)).toEqual([false]);
    sail(10_000, other);
    expect(configs().map(([, config]) => config === null)).toEqual([false, true]);
    claim(3, named(3));
    sail(10_000, () => say(3, battery(0)));
    expect(configs().map(([, config]) => config === null)).toEqual([false, true, false]);
  });

  test("is not published before its NAME is known", () => {
    const { sail, say, configs } = setUp();
    sail(20_000, () => say(3, battery(0)));
    expect(configs()).toEqual([]);
  });

  test("of bad will has at most 256 entities", () => {
    const { sail, claim, say, configs, bridge } = setUp();
    claim(3, named(3));
    let instance = 0;
    sail(130_000, () => {
      instance++;
      say(3, battery(instance % 250));
    });
    expect(Object.keys(configs().at(-1)![1]!.components).length).toBe(256);
    // The lane keeps 250 streams by key and by topic.
    expect(bridge.kept).toBeLessThan(300 + 500);
  });
});

test("entities of devices that have left give their places to others", () => {
  const { sail, claim, say, publisher } = setUp();
  const full = 16;
  for (let group = 0; group < 2; group++) {
    for (let source = 0; source < full; source++) claim(source, named(group * full + source));
    let instance = 0;
    sail(130_000, () => {
      instance++;
      for (let source = 0; source < full; source++) say(source, battery(instance % 250));
    });
    // Another device keeps sending, so that the time stamps of frames advance.
    if (group === 0) sail(190_000, () => say(99, heading));
  }
  const sizes = [...publisher.states]
    .filter(([topic]) => /^homeassistant\/(?!.*(navigation|alarms|findings))/.test(topic))
    .map(([, payload]) => Object.keys((JSON.parse(payload as string) as Config).components).length);
  expect(sizes).toEqual(Array(full).fill(256));
});

test("the model of a device that describes itself later is told", () => {
  const { sail, claim, say, send, configs } = setUp();
  claim(3, named(3));
  sail(20_000, () => say(3, battery(0)));
  const product = { modelId: "BMV-712", softwareVersion: "4.08", serialNumber: "42" };
  send(3, productInformation.pgn, encoderOf(productInformation)({ pgn: productInformation.pgn, ...product }));
  sail(20_000, () => say(3, battery(0)));
  expect(configs().map(([, config]) => config!.device)).toEqual([
    expect.not.objectContaining({ model: expect.anything() }),
    expect.objectContaining({ name: "BMV-712", model: "BMV-712", sw_version: "4.08", serial_number: "42" }),
  ]);
});

test("the texts of a device are told without blanks around them, and blank ones not at all", () => {
  const { sail, claim, say, send, configs } = setUp();
  claim(3, named(3));
  const product = { modelId: " BMV-712 ", softwareVersion: "  4.08  ", serialNumber: "    " };
  send(3, productInformation.pgn, encoderOf(productInformation)({ pgn: productInformation.pgn, ...product }));
  sail(20_000, () => say(3, battery(0)));
  const [[, config]] = configs() as [[string, Config]];
  expect(config.device).toMatchObject({ name: "BMV-712", model: "BMV-712", sw_version: "4.08" });
  expect(config.device).not.toHaveProperty("serial_number");
});

test("the buttons answer all alarms", () => {
  const { sail, publisher } = setUp();
  sail(2000);
  const { components } = JSON.parse(publisher.states.get("homeassistant/device/hub_alarms_can0/config") as string);
  expect(components.acknowledge).toMatchObject({
    platform: "button",
    command_topic: "boat/alarms/all/set",
    payload_press: "acknowledge",
  });
  expect(components.silence).toMatchObject({ command_topic: "boat/alarms/all/set", payload_press: "silence" });
});

test("a message is decoded as long as a value of its stream is missing, and not any more", () => {
  const publisher = memoryPublisher();
  const log = new RateLimitedLog(memoryLog(), () => 0);
  const topics = topicsBelow("boat");
  const devices = new Devices(boatOf({ topics, publisher, log }));
  const discovery = new HomeAssistant(boatOf({ topics, publisher, log, devices }), homeAssistant, false);
  const reader = createCatalogue().reader(127508)!;
  let decoded = 0;
  const counting: Reader = {
    ...reader,
    message: (...args) => {
      decoded++;
      return reader.message(...args);
    },
  };
  const burst = createBursts();
  const hear = (hex: string): void => {
    const packet = new HeardPacket(nothingKnown);
    const publish = (): void => {
      packet.reader = counting;
      discovery.published(packet);
    };
    forEachPacket(burst([{ source: 3, pgn: 127508, hex }]), publish, 0, packet);
  };
  hear("00b004ff7fffffff");
  expect(decoded).toBe(0);
  const claim = burst([{ source: 3, pgn: 60928, hex: Buffer.from(deviceNameBytes(named(3))).toString("hex") }]);
  for (const packet of packetsOf(claim)) devices.admits(packet);
  // The voltage alone, then all three values.
  for (const hex of ["00b004ff7fffffff", "00b004ff7fffffff", "00b004000a1072ff"]) hear(hex);
  expect(decoded).toBe(3);
  for (let again = 0; again < 10; again++) hear("00b004000a1072ff");
  expect(decoded).toBe(3);
  hear("01b004000a1072ff");
  expect(decoded).toBe(4);
});

test("a device that sends the public message of a PGN of assumed layout has the entities of that", () => {
  const { sail, claim, send, configs } = setUp();
  claim(3, named(3));
  sail(10_000, () => send(3, 127744, Uint8Array.from([5, 1, 0x7b, 0, 0xc4, 9, 0, 0])));
  const components = Object.values(configs()[0]![1]!.components);
  expect(components.map(({ name }) => name)).toEqual(["AC Power / Current - Phase A 1 Real power"]);
});

test("address claims, heartbeats and other messages of the protocol have no entities, with all PGNs too", () => {
  const { sail, claim, send, configs } = setUp({ allPgns: true });
  claim(3, named(3));
  sail(15_000, () => {
    claim(3, named(3));
    send(3, 126993, Uint8Array.from([0x60, 0xea, 1, 0xff, 0xff, 0xff, 0xff, 0xff]));
    send(3, 59392, Uint8Array.from([0, 0xff, 0xff, 0xff, 0xff, 0, 0xee, 0]));
    send(3, 127510, Uint8Array.from([0, 0, 0x10, 0xff, 0x28, 0xff, 0xff, 0xff]));
  });
  const topics = configs().flatMap(([, config]) =>
    Object.values(config!.components).map(({ state_topic: topic }) => topic),
  );
  expect(topics.length).toBeGreaterThan(0);
  expect(topics.filter((topic) => !topic.includes("/127510/"))).toEqual([]);
});

test("entities hear the lane of the settings, with an expiry that fits it", () => {
  const { sail, claim, say, configs, bridge, publisher } = setUp();
  claim(3, named(3));
  const speak = (): void => {
    say(3, battery(0));
    say(4, { pgn: 128267, depthM: 5, offsetM: 0 });
  };
  const depth = (): Record<string, unknown> =>
    JSON.parse(publisher.states.get("homeassistant/device/hub_navigation_can0/config") as string).components
      .depth_water_depth;
  sail(10_000, speak);
  expect(depth()).toMatchObject({ state_topic: "boat/every/1/navigation", expire_after: 60 });
  bridge.configure(new Map([["lanes", { name: "lanes", homeAssistant: 30 }]]));
  sail(10_000, speak);
  expect(depth()).toMatchObject({ state_topic: "boat/every/30/navigation", expire_after: 90 });
  const components = configs().map(([, config]) => Object.values(config!.components)[0]!);
  expect(components.map(({ state_topic: topic }) => topic)).toEqual([
    "boat/every/1/device/3/pgn/127508/0",
    "boat/every/30/device/3/pgn/127508/0",
  ]);
  expect(components[1]).toMatchObject({ expire_after: 90 });
  expect(publisher.states.has("boat/every/30/device/3/pgn/127508/0")).toBe(true);
});

test("a silent battery is told no more, though its neighbour speaks", () => {
  const { sail, claim, say, publisher } = setUp();
  claim(3, named(3));
  const both = (): void => {
    say(3, battery(0));
    say(3, battery(1));
  };
  sail(10_000, both);
  publisher.clear();
  // Home Assistant shows an entity as unavailable 60 seconds behind the last message of its topic.
  sail(61_000, () => say(3, battery(0)));
  const topics = publisher.messages.map(({ topic }) => topic).filter((topic) => topic.includes("every/1/device"));
  expect(new Set(topics)).toEqual(new Set(["boat/every/1/device/3/pgn/127508/0"]));
  expect(topics.length).toBeGreaterThanOrEqual(2);
});

describe("public PGNs", () => {
  test("have a unit and a class that Home Assistant takes, each", () => {
    let count = 0;
    for (const { pgn, variant } of layouts) {
      for (const { name, field } of publishedFields(variant.definition))
        if (field.kind === "number" && field.unit !== undefined)
          expect(Object.hasOwn(unitMeasures, field.unit), `${pgn} ${name}: ${field.unit}`).toBe(true);
      for (const { member, options } of entitiesOf(variant.definition)?.entities ?? []) {
        const { device_class: kind, unit_of_measurement: unit = null, state_class: state } = options;
        count += 1;
        if (kind === undefined || kind === "enum") continue;
        expect(deviceClassUnits[kind as string], `${pgn} ${member}: ${kind}`).toContain(unit);
        // There are no mean values of a meter that counts up.
        if (kind === "energy") expect(state).toBe("total_increasing");
      }
    }
    expect(count).toBeGreaterThan(500);
  });

  const say = (pgn: number, variant: number, values: object): Uint8Array =>
    encoderOf(shared.variants(pgn)[variant]!.definition)({ pgn, ...values } as never);

  test("have entities of their own for each instance and each message that shares a PGN", () => {
    const { sail, claim, send, configs } = setUp({ allPgns: true });
    claim(3, named(3));
    const simrad = { manufacturer: "Simrad", industryGroup: "Marine Industry" };
    sail(15_000, () => {
      for (const instance of [0, 1])
        send(
          3,
          127510,
          say(127510, 0, { instance, batteryInstance: instance, chargeCurrentLimitPercent: 40 + instance }),
        );
      send(3, 65017, say(65017, 0, { lineLineAcRmsVoltage: 230, acFrequencyHz: 50.1 }));
      send(3, 65305, Uint8Array.from([0x41, 0x9f, 0, 2, 2, 0, 0, 0]));
      send(3, 65305, Uint8Array.from([0x41, 0x9f, 0, 10, 2, 0, 0, 0]));
    });
    const { components } = configs().at(-1)![1]!;
    const all = Object.values(components);
    expect(new Set(all.map(({ unique_id: id }) => id)).size).toBe(all.length);
    const limits = all.filter(({ unique_id: id }) => id.includes("chargeCurrentLimitPercent"));
    expect(limits.map(({ state_topic: topic }) => topic)).toEqual([
      "boat/every/1/device/3/pgn/127510/0-0",
      "boat/every/1/device/3/pgn/127510/1-1",
    ]);
    const hertz = all.find(({ unique_id: id }) => id.includes("acFrequencyHz"));
    expect(hertz).toMatchObject({ device_class: "frequency", unit_of_measurement: "Hz" });
    const pilots = all.filter(({ state_topic: topic }) => topic.includes("/65305/"));
    expect(new Set(pilots.map(({ state_topic: topic }) => topic)).size).toBe(2);
    expect(pilots.every(({ state_topic: topic }) => topic.includes(simrad.manufacturer))).toBe(true);
    // They are announced disabled, for users who want them.
    expect(all.every(({ enabled_by_default: isOn }) => isOn === false)).toBe(true);
  });

  test("have none where they were not asked for", () => {
    const { sail, claim, send, configs } = setUp();
    claim(3, named(3));
    sail(15_000, () => send(3, 127510, say(127510, 0, { instance: 0, chargeCurrentLimitPercent: 40 })));
    expect(configs().flatMap(([, config]) => Object.keys(config?.components ?? {}))).toEqual([]);
  });
});

test("without being asked to, nothing is told", async () => {
  const { bridge, publisher } = memoryBridge({ prefix: "boat" });
  bridge.take(createBursts()([{ pgn: 60928, hex: Buffer.from(deviceNameBytes(named(3))).toString("hex") }]));
  bridge.finish();
  expect(publisher.messages.some(({ topic }) => topic.startsWith("homeassistant"))).toBe(false);
});

describe("the tables", () => {
  test("key fields name the entities of a message and are none themselves", () => {
    const { identity, wordsOf, entities } = entitiesOf(dcDetailedStatus)!;
    expect(identity).toEqual(["instance", "dcType"]);
    expect(wordsOf({ instance: 2, dcType: "Solar cell" })).toEqual(["2", "Solar cell"]);
    expect(wordsOf({ instance: undefined, dcType: "Battery" })).toEqual(["Battery"]);
    expect(entities.map(({ label }) => label)).toEqual([
      "State of charge",
      "State of health",
      "Time remaining",
      "Ripple voltage",
      "Capacity remaining",
    ]);
    expect(entitiesOf(directionData)!.wordsOf({ cogReference: 1 })).toEqual(["Magnetic"]);
  });

  test("unit and quantity of a field make its classes", () => {
    const optionsOf = (definition: Definition, member: string) =>
      entitiesOf(definition)!.entities.find((each) => each.member === member)!.options;
    const measurement = { state_class: "measurement" };
    expect(optionsOf(windData, "windSpeedMs")).toMatchObject({ device_class: "wind_speed", ...measurement });
    expect(optionsOf(humidity, "setHumidityPercent")).toMatchObject({ device_class: "humidity", ...measurement });
    expect(optionsOf(dcDetailedStatus, "stateOfChargePercent")).toMatchObject({ device_class: "battery" });
    expect(optionsOf(acInputStatus, "line1PowerFactor")).toMatchObject({ device_class: "power_factor" });
    expect(optionsOf(rudder, "positionDeg")).toMatchObject({ unit_of_measurement: "°", ...measurement });
    expect(optionsOf(vesselHeading, "headingDeg")).toMatchObject({ state_class: "measurement_angle" });
    expect(optionsOf(positionRapidUpdate, "latitude")).toMatchObject({ suggested_display_precision: 6 });
    expect(optionsOf(positionRapidUpdate, "latitude").state_class).toBeUndefined();
    expect(optionsOf(engineDynamic, "engineHours")).toMatchObject({
      device_class: "duration",
      state_class: "total_increasing",
    });
    expect(optionsOf(distanceLog, "totalLogM")).toMatchObject({
      device_class: "distance",
      state_class: "total_increasing",
    });
    expect(optionsOf(gnssPositionData, "altitude")).toMatchObject({ suggested_display_precision: 2 });
  });

  test("a value of the navigation report has the unit in which it is reported", () => {
    const words: Readonly<Record<string, RegExp>> = {
      "°": /^degrees(?! per second)/,
      "°/s": /^degrees per second/,
      "°C": /^°C/,
      kn: /^knots/,
      m: /^metres/,
      Pa: /^Pa\b/,
    };
    const report = topicSchemas.find(({ address }) => address === "{prefix}/navigation")!.schema.properties!.data!;
    const measured = navigationEntities.filter(({ options }) => options.unit_of_measurement !== undefined);
    expect(measured.length).toBeGreaterThan(15);
    for (const { group, member, options } of measured) {
      const { description } = report.properties![group]!.properties![member]!;
      expect(description, `${group}.${member}`).toMatch(words[String(options.unit_of_measurement)] ?? "its unit");
    }
  });

  test("a message about something else than the boat has no entities", () => {
    for (const definition of definitions.filter(({ about }) => about !== undefined))
      expect(entitiesOf(definition), String(definition.pgn)).toBeUndefined();
  });

  test("every entity of every PGN is one that Home Assistant accepts", () => {
    let count = 0;
    for (const definition of definitions) {
      const message = entitiesOf(definition);
      for (const entity of message?.entities ?? []) {
        const component = {
          ...entity.options,
          name: entity.label,
          unique_id: "x",
          state_topic: "x",
          value_template: valueTemplate(entity, 1),
          expire_after: 60,
        };
        const config = {
          device: { identifiers: ["x"] },
          origin: { name: "x" },
          availability: [{ topic: "x", value_template: "{{ 1 }}" }],
          availability_mode: "all",
          components: { x: component },
        };
        const { success, error } = deviceDiscovery.safeParse(config);
        expect(success, `${definition.pgn} ${entity.member}: ${error?.message}`).toBe(true);
        count++;
      }
    }
    expect(count).toBeGreaterThan(150);
  });
});

describe("the simulated voyage", () => {
  const sailed = async () => {
    const { bridge, publisher } = memoryBridge({ prefix: "boat", findings: false, homeAssistant });
    async function* frames(): AsyncGenerator<RecordingBatch> {
      yield* simulated(120_000, start);
    }
    const source = new ReassembledSource({ name: "simulation", batches: frames() });
    for await (const batch of source.packets(bridge.fastPacketTable)) bridge.take(batch);
    bridge.finish();
    const configs = [...publisher.states].filter(([topic]) => topic.startsWith("homeassistant/"));
    return { publisher, configs: configs.map(([topic, text]) => [topic, JSON.parse(text) as Config, text] as const) };
  };

  let voyage: Awaited<ReturnType<typeof sailed>>;
  beforeAll(async () => {
    voyage = await sailed();
  });

  /**
   * Renderings of the templates of enabled entities in a second: messages of a topic times the templates that hear it.
   */
  const rendersPerSecond = (
    configs: readonly Config[],
    messages: readonly { readonly topic: string }[],
    seconds: number,
  ): number => {
    const counts = new Map<string, number>();
    for (const { topic } of messages) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    const templates = configs.flatMap(({ components, availability }) =>
      Object.values(components)
        .filter(({ enabled_by_default: isOn }) => isOn !== false)
        .flatMap(({ state_topic, json_attributes_topic }) => [
          state_topic ?? json_attributes_topic,
          ...availability.map(({ topic }) => topic),
        ]),
    );
    return templates.reduce((sum, topic) => sum + (counts.get(topic) ?? 0), 0) / seconds;
  };

  test("costs Home Assistant fewer than 40 templates a second, in each quarter of a minute", () => {
    const { configs, publisher } = voyage;
    const all = configs.map(([, config]) => config);
    const stampOf = (payload: string | null): number => Date.parse(JSON.parse(payload ?? "{}").metadata?.rxDate);
    const quarters = Array.from({ length: 8 }, (_, quarter) =>
      publisher.messages.filter(({ payload }) => Math.floor((stampOf(payload) - start) / 15_000) === quarter),
    );
    for (const messages of quarters) {
      expect(messages.length).toBeGreaterThan(100);
      expect(rendersPerSecond(all, messages, 15)).toBeLessThan(40);
    }
  });

  test("every device and the navigation report follow the rules of Home Assistant, with unique identifiers", () => {
    const { configs, publisher } = voyage;
    const devices = JSON.parse(publisher.states.get("boat/devices")!).data.count as number;
    expect(configs.length).toBeGreaterThan(devices / 2);
    const ids = new Set<string>();
    let entities = 0;
    for (const [topic, config, text] of configs) {
      expect(topic).toMatch(discoveryTopic);
      const { success, error } = deviceDiscovery.safeParse(config);
      expect(success, `${topic}: ${error?.message}`).toBe(true);
      expect(text).toMatch(/^[ -~]+$/);
      for (const { unique_id } of Object.values(config.components)) {
        expect(ids.has(unique_id), unique_id).toBe(false);
        ids.add(unique_id);
        entities++;
      }
    }
    expect(entities).toBeGreaterThan(60);
    const told = publisher.messages.filter(({ topic }) => topic.startsWith("homeassistant/"));
    expect(told.length).toBeLessThan(4 * configs.length);
    const navigation = configs.find(([topic]) => topic === "homeassistant/device/hub_navigation_can0/config")![1];
    expect(Object.keys(navigation.components)).toEqual(
      expect.arrayContaining([
        "tracker",
        "position_latitude",
        "speed_course_cog",
        "wind_true_direction",
        "depth_water_depth",
      ]),
    );
  });

  test.skipIf(withoutJinja !== undefined)(
    titled("an alarm that is raised is one event, and one that nobody answers turns a sensor on", withoutJinja),
    () => {
      const { sail, send, bridge, publisher } = setUp();
      const shallow = (): void => {
        send(3, 129026, encoderOf(definitions.find(({ pgn }) => pgn === 129026)!)({ sogMs: 3, cogDeg: 0 } as never));
        send(3, 128267, encoderOf(definitions.find(({ pgn }) => pgn === 128267)!)({ depthM: 1 } as never));
      };
      sail(40_000, shallow);
      bridge.command("boat/alarms/depth/set", "acknowledge");
      sail(20_000, shallow);
      const config = JSON.parse(publisher.states.get("homeassistant/device/hub_alarms_can0/config")!) as Config;
      const { depth, raised, unanswered } = config.components;
      const renderedAll = (template: string, payloads: readonly string[]): readonly string[] =>
        rendered(payloads.map((payload) => ({ template, payload })));
      const messagesOf = (wanted: string): readonly string[] =>
        publisher.messages.flatMap(({ topic, payload }) => (topic === wanted ? [payload!] : []));
      const alarmsIn = (payload: string): AlarmsData["alarms"] => JSON.parse(payload).data.alarms;
      const [messages, kinds] = [messagesOf("boat/alarms"), messagesOf(unanswered!.state_topic)];
      const events = renderedAll(raised!.value_template, messages)
        .filter((text) => text !== "")
        .map((text) => JSON.parse(text));
      expect(messages.length).toBeGreaterThan(2);
      expect(events).toEqual([
        {
          event_type: "depth",
          id: "depth",
          title: "Shallow water",
          severity: "alarm",
          name: "",
          text: "below the transducer",
          also: "",
        },
      ]);
      const both = JSON.parse(messages.find((payload) => alarmsIn(payload).length > 0)!);
      const engine = { ...both.data.alarms[0], id: "engine-0", kind: "engine", title: "Engine" };
      both.data.alarms.push(engine, { ...engine, title: "Of before", since: "2026-01-01T00:00:00.000Z" });
      const [two] = renderedAll(raised!.value_template, [JSON.stringify(both)]);
      expect(JSON.parse(two!)).toMatchObject({ event_type: "depth", also: "Engine" });
      const states = renderedAll(unanswered!.value_template, kinds);
      expect(states.filter((state, index) => state !== states[index - 1])).toEqual(["OFF", "ON", "OFF"]);
      expect(renderedAll(depth!.value_template, kinds).at(-1)).toBe("ON");
      // The crew has its time for an answer, in which the alarm is active.
      expect(kinds.map((payload) => JSON.parse(payload).data).filter((data) => data.kinds.length > 0)).toEqual([
        { kinds: ["depth"], unanswered: false },
        { kinds: ["depth"], unanswered: true },
        { kinds: ["depth"], unanswered: false },
      ]);
      const isUnanswered = messages.map((payload) => alarmsIn(payload).some((alarm) => alarm.unanswered));
      const isActive = messages.map((payload) => alarmsIn(payload).some(({ state }) => state === "active"));
      expect(isUnanswered.filter((is, index) => is !== isUnanswered[index - 1])).toEqual([false, true, false]);
      expect(isActive).not.toEqual(isUnanswered);
    },
  );

  test.skipIf(withoutJinja !== undefined)(
    titled("an enumeration whose list may lack codes has a state for these, rendered by Jinja", withoutJinja),
    () => {
      const open = layouts.flatMap(({ variant }) =>
        (entitiesOf(variant.definition)?.entities ?? []).filter(({ numericTexts }) => numericTexts !== undefined),
      );
      const cases = open.flatMap((entity) => {
        const options = entity.options.options as readonly string[];
        expect(entity.options.device_class).toBe("enum");
        const values = [...options.slice(0, -1), "4294967295", undefined];
        const wrap = (value: string | undefined): object =>
          entity.entry === undefined
            ? { [entity.member]: value }
            : { [entity.member]: [{ [entity.entry.numbered]: 1, [entity.entry.member]: value }] };
        return values.map((value, index) => ({
          template: valueTemplate(entity, 1),
          payload: JSON.stringify({ data: wrap(value) }),
          state: [...options, "None"][index],
        }));
      });
      expect(open.length).toBeGreaterThan(100);
      expect(rendered(cases)).toEqual(cases.map(({ state }) => state));
    },
  );

  test.skipIf(withoutJinja !== undefined)(
    titled("each bit of an engine's alarms is an entity of its own, rendered by Jinja", withoutJinja),
    () => {
      const bits = entitiesOf(engineDynamic)!.entities.filter(({ bit }) => bit !== undefined);
      const templates = bits.map((entity) => valueTemplate(entity));
      const payloads = bits.map(({ member, bit }) => JSON.stringify({ data: { [member]: 2 ** bit! } }));
      const all = rendered(payloads.flatMap((payload) => templates.map((template) => ({ template, payload }))));
      expect(bits.length).toBe(24);
      payloads.forEach((_, index) => {
        const states = all.slice(index * bits.length, (index + 1) * bits.length);
        expect(states[index], bits[index]!.label).toBe("True");
        expect(states.filter((state) => state === "True")).toHaveLength(1);
      });
    },
  );

  test.skipIf(withoutJinja !== undefined)(
    titled("a value whose group the report lacks is unknown, rendered by Jinja", withoutJinja),
    () => {
      const templates = voyage.configs.flatMap(([, { components }]) =>
        Object.values(components)
          .filter(({ state_topic, value_template }) => state_topic?.endsWith("/navigation") && value_template)
          .map(({ value_template }) => value_template),
      );
      expect(templates.length).toBeGreaterThan(10);
      const payload = JSON.stringify({ data: {}, metadata: {} });
      const states = rendered(templates.map((template) => ({ template, payload })));
      expect(new Set(states)).toEqual(new Set(["None"]));
    },
  );

  test.skipIf(withoutJinja !== undefined)(
    titled("every template gives what the message says, rendered by Jinja", withoutJinja),
    () => {
      const { configs, publisher } = voyage;
      const latest = new Map(publisher.messages.map(({ topic, payload }) => [topic, payload!]));
      const cases = configs.flatMap(([, { components }]) => [
        ...Object.values(components)
          .filter((component) => "state_topic" in component && component.platform !== "event")
          .map(({ unique_id, state_topic, value_template, platform, payload_on, payload_off }) => ({
            id: unique_id,
            states: platform === "binary_sensor" ? [payload_on, payload_off] : undefined,
            template: value_template,
            payload: latest.get(state_topic)!,
          })),
      ]);
      const states = rendered(cases);
      let values = 0;
      const switched = cases.filter((each) => each.states !== undefined);
      expect(switched.length).toBeGreaterThan(1);
      cases.forEach(({ id, payload, states: known }, index) => {
        const text = states[index]!;
        const { data } = JSON.parse(payload);
        const is = saidOf(id, data);
        const shown = is === undefined || is === null ? "None" : typeof is === "boolean" ? (is ? "True" : "False") : is;
        expect(Number(text) || text, id).toBe(Number(shown) || String(shown));
        if (text === "None") return;
        values++;
        if (known !== undefined) expect(known, id).toContain(text);
      });
      expect(values).toBeGreaterThan(40);
    },
  );
});
