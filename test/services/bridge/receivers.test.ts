/**
 * GNSS receivers of NMEA 0183 whose letters change: settings may name them by the NAME of any of their letters, because
 * a former version had a device for each, and because it is chance which letters come first.
 */
import { expect, test } from "vitest";
import { standInName } from "../../../src/core/n2k/stand-in.ts";
import { priorityKeys } from "../../../src/core/nav/settings.ts";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import { connection, framed } from "../../formats/nmea0183/input/heard.ts";
import { memoryInterface } from "../../support/memory/interface-monitor.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";

const start = Date.UTC(2026, 10, 21, 12);
const letters = ["GP", "GN", "GL", "GA", "GB", "BD", "GI", "GQ"];
const urls = ["nmea0183+tcp://10.0.0.1:10110", "nmea0183+udp://"] as const;
const nameOf = (network: number, talker: string): string =>
  String(standInName(`${urls[network]}  ${talker}`, { classCode: 60, functionCode: 145 }));

test("the NAME of letters is that of former versions", () => {
  expect([nameOf(0, "GP"), nameOf(0, "GN"), nameOf(1, "GN")]).toEqual([
    "13868994485965146411",
    "13868994485965146129",
    "13868994485965886253",
  ]);
});

/** A receiver that says everything: what it measures grows with the number of its network. */
const sentences = (network: number, talker: string, second: number): string => {
  const time = `1200${String(second % 60).padStart(2, "0")}.00`;
  const more = network + 1;
  return [
    `RMC,${time},A,521${more}.0000,N,00454.0000,E,${more}.0,010.0,211126,${more}.0,E,A`,
    `HDT,${more * 20}.0,T`,
    `ROT,${more * 6}.0,A`,
    `VHW,,T,,M,${more}.5,N,,K`,
    `MWV,30.0,R,${more}0.0,N,A`,
    `DBT,,f,${more}.20,M,,F`,
    `MTW,1${more}.0,C`,
    `XDR,A,${more}.0,D,Leeway`,
    `XDR,C,6${more}.0,C,ENGINEROOM#0`,
  ]
    .map((text) => framed(`$${talker}${text}`))
    .join("");
};

const setUp = (settings: Readonly<Record<string, object>>) => {
  const interfaces = urls.map((url) => memoryInterface({ interface: url, state: "UNKNOWN", up: true }));
  const homeAssistant = { prefix: "homeassistant", interface: "can0", version: "1.0.0", hostname: "boat" };
  const { bridge, publisher } = memoryBridge({ prefix: "boat", monitor: interfaces[0]!, homeAssistant });
  bridge.setNetworks([{ name: urls[1], monitor: interfaces[1]!, counters: () => noCounts }], 0);
  bridge.configure(new Map(Object.entries(settings).map(([name, entry]) => [name, { name, ...entry }])));
  const connections = urls.map(connection);
  const bursts = urls.map(() => createBursts(start));
  let now = 0;
  return {
    bridge,
    /** The receivers speak for some seconds, each with the letters that `talkerOf` gives it. */
    sail(seconds: number, talkerOf: (network: number, second: number) => string): void {
      for (let second = 0; second < seconds; second++) {
        for (const [network, { hear, session }] of connections.entries()) {
          const heard = hear(sentences(network, talkerOf(network, second), now / 1000));
          const packets = heard.map(({ source, pgn, payload }) => ({
            ...{ source, pgn, at: start + now },
            hex: Buffer.from(payload).toString("hex"),
          }));
          bridge.take(bursts[network]!(packets), network);
          session.advance!(0);
        }
        for (let step = 0; step < 10; step++, now += 100) bridge.advance(now, start + now);
      }
    },
    report: () => {
      const { position, speed_course, wind_apparent, depth_water, date } = bridge.boat.navigation.latest!.data;
      return {
        position: Math.round(((position?.latitude ?? 0) - 52) * 60) - 10,
        course: Math.round(speed_course?.sog ?? 0),
        heading: Math.round((speed_course?.headingTrue ?? 0) / 20),
        speed: Math.round((speed_course?.speedThroughWater ?? 0) - 0.5),
        rateOfTurn: Math.round((speed_course?.rateOfTurn ?? 0) * 10),
        variation: Math.round(speed_course?.variation ?? 0),
        leeway: Math.round(speed_course?.leeway ?? 0),
        wind: Math.round((wind_apparent?.speed ?? 0) / 10),
        depth: Math.floor(depth_water?.depth ?? 0),
        environment: Math.round((depth_water?.waterTemperature ?? 0) - 10),
        date: urls.findIndex((_, network) => letters.some((each) => nameOf(network, each) === date?.source?.name)) + 1,
      };
    },
    infosOf: (network: number): Record<string, unknown> => {
      const addresses = [...bridge.boat.devices.addresses.keys()].filter((each) => each >> 8 === network);
      expect(addresses).toHaveLength(1);
      return JSON.parse(publisher.states.get(`boat/device/${addresses[0]}/infos`)!).data;
    },
    publisher,
  };
};

test.each(letters)("settings name a receiver by the NAME of %s, whatever it speaks", (old) => {
  const name = nameOf(1, old);
  const lists = Object.fromEntries(priorityKeys.map((key) => [key, [name]]));
  const thing = { pgn: 130_312, key: { instance: 0, source: "Engine Room Temperature" }, name: "Bilge" };
  const { sail, report, infosOf, bridge, publisher } = setUp({
    navigation: { priority: lists, friendlyNames: { [name]: "Masthead", [nameOf(0, old)]: "Spare" } },
    names: { things: [{ device: name, ...thing }] },
  });
  const first = (network: number): string => (network === 0 ? "GP" : "GN");
  const preferred = Object.fromEntries(priorityKeys.map((key) => [key, 2]));
  sail(8, first);
  expect(report()).toEqual(preferred);
  const changing = (network: number, second: number): string => letters[(second + network) % letters.length]!;
  for (let second = 0; second < 2 * letters.length; second++) {
    sail(1, () => changing(1, second));
    expect(report(), `second ${second}`).toEqual(preferred);
  }
  expect(infosOf(1)).toMatchObject({ friendlyName: "Masthead", names: [thing] });
  expect(infosOf(1).otherNames).toEqual(letters.filter((each) => each !== "GN").map((each) => nameOf(1, each)));
  expect(infosOf(0)).toMatchObject({ friendlyName: "Spare" });
  expect(infosOf(0)).not.toHaveProperty("names");
  expect(bridge.boat.navigation.latest!.data.position!.source).toMatchObject({ friendlyName: "Masthead" });
  const { components } = JSON.parse(publisher.states.get(`homeassistant/device/hub_${nameOf(1, "GN")}/config`)!);
  expect(JSON.stringify(components)).toContain('"Bilge');
  expect([0, 3_600_000].map((now) => bridge.boat.ignoredSettings(now))).toEqual([[], []]);
});

test("a receiver that is named twice has the name of its own NAME, and is found by both", () => {
  const priority = { position: ["Old"] };
  const friendlyNames = { [nameOf(1, "GP")]: "Old", [nameOf(1, "GN")]: "New" };
  const { sail, report, infosOf } = setUp({ navigation: { priority, friendlyNames } });
  sail(8, () => "GN");
  expect(report().position).toBe(2);
  expect(infosOf(1)).toMatchObject({ friendlyName: "New" });
});

test("a baseline of former versions has a receiver as several devices, none of which is gone or new", () => {
  const { sail, bridge } = setUp({});
  const devices = ["GP", "GL"]
    .flatMap((each) => [nameOf(0, each), nameOf(1, each)])
    .map((name) => ({ name, pgns: [] }));
  bridge.command("boat/findings/baseline/set", JSON.stringify({ takenAt: "2026-11-01T00:00:00Z", devices }));
  sail(200, () => "GN");
  const kinds = bridge.boat.findings.latest!.findings.map(({ kind }) => kind);
  expect(kinds.filter((kind) => /^(deviceGone|newDevice|gone)/i.test(kind))).toEqual([]);
});
