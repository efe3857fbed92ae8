import { describe, expect, test } from "vitest";
import { deviceName, deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { pgnList, productInformation } from "../../../src/core/n2k/pgns/system.ts";
import { topicsBelow } from "../../../src/core/topics/topics.ts";
import { Devices } from "../../../src/services/bridge/devices.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryPublisher } from "../../support/memory/publisher.ts";
import { packetsOf } from "../../support/packets.ts";
import { boatOf } from "./boat.ts";
import { createBursts } from "./bursts.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26, 123);
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const named = (identityNumber: number): bigint =>
  deviceName({
    identityNumber,
    manufacturerCode: 1851,
    ecuInstance: 1,
    functionInstance: 2,
    functionCode: 130,
    classCode: 85,
    vehicleSystemInstance: 3,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });
const low = named(1);
const high = named(2_097_151);

const product = {
  pgn: 126996,
  nmeaVersion: 2100,
  productCode: 4711,
  modelId: "Wind 3000",
  softwareVersion: "1.2",
  modelVersion: "44-127-1-03,HW9,OEM0",
  serialNumber: "0815",
  certLevel: 1,
  loadEquiv: 2,
} as const;

/** Peers on a bus whose messages a test sends, at milliseconds since the start. */
const setUp = () => {
  const publisher = memoryPublisher();
  const log = memoryLog();
  const topics = topicsBelow("can/can0");
  const peers = new Devices(boatOf({ topics, publisher, log }));
  const burst = createBursts(start);
  // The clock of the bursts counts from the first packet on.
  const hear = (at: number, source: number, pgn: number, hex: string): void => {
    for (const packet of packetsOf(burst([{ pgn, hex, source, at: start + at }]))) {
      packet.arrived = at;
      peers.admits(packet);
    }
  };
  const claim = (at: number, source: number, name: bigint): void =>
    hear(at, source, 60928, hexOf(deviceNameBytes(name)));
  /** Address and NAME of each. */
  const devices = (at: number): readonly string[] => {
    peers.advance(at, start + at);
    const text = publisher.states.get(topics.devices()) ?? "";
    return [...text.matchAll(/"addr":(\d+),"name":(\d+)/g)].map(([, address, name]) => `${address} ${name}`);
  };
  const infos = (address: number): { readonly [name: string]: unknown } | undefined => {
    const text = publisher.states.get(topics.infos({ addr: address }));
    return text === undefined ? undefined : JSON.parse(text).data;
  };
  return { publisher, log, peers, hear, claim, devices, infos };
};

describe("Devices", () => {
  test("lists an address with its first message, with 0 for a NAME not heard yet", () => {
    const { hear, devices } = setUp();
    hear(0, 36, 127250, "ff");
    hear(10, 3, 127250, "ff");
    expect(devices(260)).toEqual(["3 0", "36 0"]);
  });

  test("writes a NAME with all its digits", () => {
    const { claim, devices, publisher } = setUp();
    claim(0, 3, 13868994482250310209n);
    expect(devices(250)).toEqual(["3 13868994482250310209"]);
    expect(publisher.states.get("can/can0/devices")).toContain(
      '{"count":1,"peers":[{"addr":3,"name":13868994482250310209}]}',
    );
    expect(publisher.states.get("can/can0/device/3/infos")).toContain('"name":13868994482250310209,');
  });

  test("publishes a change a quarter of a second later, everything every 30 s", () => {
    const { claim, peers, publisher } = setUp();
    peers.advance(0, start);
    claim(1000, 3, low);
    claim(1100, 4, high);
    publisher.clear();
    peers.advance(1249, start + 1249);
    expect(publisher.messages).toEqual([]);
    peers.advance(1250, start + 1250);
    expect(publisher.messages.map(({ topic }) => topic)).toEqual([
      "can/can0/devices",
      "can/can0/device/3/infos",
      "can/can0/device/4/infos",
    ]);
    publisher.clear();
    claim(2000, 5, 7n);
    peers.advance(2250, start + 2250);
    expect(publisher.messages.map(({ topic }) => topic)).toEqual(["can/can0/devices", "can/can0/device/5/infos"]);
    publisher.clear();
    peers.advance(29_999, start + 29_999);
    expect(publisher.messages).toEqual([]);
    peers.advance(30_000, start + 30_000);
    expect(publisher.messages).toHaveLength(4);
  });

  test("forgets an address after 180 s of silence and removes its infos", () => {
    const { claim, hear, devices, publisher } = setUp();
    claim(0, 3, low);
    hear(100_000, 4, 127250, "ff");
    expect(devices(180_000)).toEqual([`3 ${low}`, "4 0"]);
    expect(devices(181_001)).toEqual([`3 ${low}`, "4 0"]);
    expect(devices(181_300)).toEqual(["4 0"]);
    expect(publisher.messages.at(-1)).toEqual({ topic: "can/can0/device/3/infos", retain: true, payload: null });
  });

  test("moves a device and its details with its NAME", () => {
    const { claim, hear, devices, infos } = setUp();
    claim(0, 3, low);
    hear(10, 3, 126996, hexOf(encoderOf(productInformation)(product)));
    claim(1000, 77, low);
    expect(devices(1250)).toEqual([`77 ${low}`]);
    expect(infos(3)).toBeUndefined();
    expect(infos(77)).toMatchObject({ productInfo: { modelId: "Wind 3000" } });
  });

  test("of two NAMEs that claim an address the lower keeps it", () => {
    const { claim, devices } = setUp();
    claim(0, 3, high);
    claim(10, 3, low);
    expect(devices(300)).toEqual([`3 ${low}`]);
    claim(310, 3, high);
    claim(500, 3, low);
    expect(devices(600)).toEqual([`3 ${low}`]);
    expect(devices(3000)).toEqual([`3 ${low}`]);
  });

  test("a NAME that does not defend its address within a second has lost it", () => {
    const { claim, devices } = setUp();
    claim(0, 3, low);
    claim(60_000, 3, high);
    // What is heard from there meanwhile is of neither.
    expect(devices(60_900)).toEqual(["3 0"]);
    claim(60_950, 3, high);
    devices(62_000);
    expect(devices(62_500)).toEqual([`3 ${high}`]);
    // The lower NAME comes back, and defends it from then on.
    claim(63_000, 3, low);
    devices(63_100);
    claim(63_200, 3, high);
    claim(63_300, 3, low);
    devices(65_000);
    expect(devices(66_000)).toEqual([`3 ${low}`]);
  });

  test("an address that two NAMEs claim over and over is that of the one that defends it", () => {
    const { claim, devices, infos } = setUp();
    for (let at = 0; at < 9000; at += 900) {
      claim(at, 3, low);
      claim(at + 5, 3, high);
      devices(at + 300);
    }
    expect(devices(9000)).toEqual([`3 ${low}`]);
    expect(infos(3)).toMatchObject({ identityNumber: 1 });
  });

  test("a NAME has the address that the holder leaves to it", () => {
    const { claim, devices } = setUp();
    claim(0, 3, low);
    claim(0, 4, high);
    claim(1000, 3, high);
    claim(1100, 4, low);
    expect(devices(1400)).toEqual([`3 ${high}`, `4 ${low}`]);
  });

  describe("product information of an address without a NAME", () => {
    const says = (of: ReturnType<typeof setUp>, at: number) =>
      of.hear(at, 5, 126996, hexOf(encoderOf(productInformation)(product)));

    test("is of the NAME that defends the address, not of the newcomer that claims it", () => {
      const bus = setUp();
      says(bus, 0);
      bus.claim(10_000, 5, high);
      bus.claim(10_100, 5, low);
      bus.claim(10_200, 6, high);
      bus.devices(10_500);
      expect(bus.infos(5)).toMatchObject({ identityNumber: 1, productInfo: { modelId: "Wind 3000" } });
      expect(bus.infos(6)).not.toHaveProperty("productInfo");
    });

    test("is of the NAME that defends the address, though the newcomer is known from another one", () => {
      const bus = setUp();
      bus.claim(0, 7, high);
      says(bus, 0);
      bus.claim(10_000, 5, high);
      bus.claim(10_100, 5, low);
      bus.devices(10_500);
      expect(bus.infos(5)).toMatchObject({ identityNumber: 1, productInfo: { modelId: "Wind 3000" } });
    });

    test("stays with the NAME that claims it, and loses the address later", () => {
      const bus = setUp();
      says(bus, 0);
      bus.claim(10_000, 5, high);
      bus.claim(60_000, 5, low);
      bus.claim(60_100, 6, high);
      bus.devices(60_500);
      expect(bus.infos(5)).not.toHaveProperty("productInfo");
      expect(bus.infos(6)).toMatchObject({ productInfo: { modelId: "Wind 3000" } });
    });
  });

  test("a NAME heard from two addresses is where it claimed last; the other is listed with 0, with one warning", () => {
    const { claim, hear, devices, log } = setUp();
    claim(0, 3, low);
    claim(10, 4, low);
    hear(20, 3, 127250, "ff");
    hear(30, 3, 127250, "ff");
    expect(devices(300)).toEqual(["3 0", `4 ${low}`]);
    claim(310, 3, low);
    hear(320, 4, 127250, "ff");
    expect(devices(600)).toEqual([`3 ${low}`, "4 0"]);
    expect(log.lines).toHaveLength(1);
    expect(log.lines).toMatchObject([{ level: "warn", fields: { name: low } }]);
  });

  test("a NAME that cannot claim an address has lost its own", () => {
    const { claim, devices } = setUp();
    claim(0, 3, low);
    claim(10, 254, low);
    expect(devices(300)).toEqual([]);
  });

  test("infos has the members of the document in its order, and the optional parts as they come", () => {
    const { claim, hear, devices, infos } = setUp();
    hear(0, 3, 126996, hexOf(encoderOf(productInformation)(product)));
    claim(10, 3, low);
    hear(
      20,
      3,
      126464,
      hexOf(
        encoderOf(pgnList)({
          pgn: 126464,
          function: "Transmit PGN list",
          pgns: [{ id: 127250 }, { id: 65280 }, { id: 131071 }],
        }),
      ),
    );
    hear(
      30,
      3,
      126464,
      hexOf(encoderOf(pgnList)({ pgn: 126464, function: "Receive PGN list", pgns: [{ id: 59904 }] })),
    );
    devices(300);
    const { name, ...rest } = infos(3)!;
    expect(Object.keys(infos(3)!)).toEqual([
      ...["addr", "name", "identityNumber", "manufacturerCode", "manufacturer", "ecuInstance", "functionInstance"],
      ...["deviceInstance", "functionCode", "functionName", "classCode", "vehicleSystemInstance", "industryGroupCode"],
      ...["industryGroup", "arbitraryAddressCapable", "productInfo", "txPgns", "rxPgns"],
    ]);
    expect(rest).toMatchObject({
      addr: 3,
      identityNumber: 1,
      manufacturerCode: 1851,
      manufacturer: "Raymarine",
      ecuInstance: 1,
      functionInstance: 2,
      deviceInstance: 17,
      functionCode: 130,
      classCode: 85,
      vehicleSystemInstance: 3,
      industryGroupCode: 4,
      industryGroup: "Marine Industry",
      arbitraryAddressCapable: true,
      productInfo: {
        nmeaVersion: 2100,
        productCode: 4711,
        modelId: "Wind 3000",
        softwareVersion: "1.2",
        productName: "Wind 3000",
        serialNumber: "0815",
        certLevel: 1,
        loadEquiv: 2,
      },
      rxPgns: [{ id: 59904, name: "ISO Request" }],
    });
    expect(rest.txPgns).toMatchObject([{ id: 127250, name: "Vessel Heading" }, { id: 65280 }, { id: 131071 }]);
    expect(typeof name).toBe("number");
  });

  test("product information in pieces is none", () => {
    const { claim, hear, devices, infos } = setUp();
    claim(0, 3, low);
    hear(10, 3, 126996, hexOf(encoderOf(productInformation)(product).subarray(0, 133)));
    devices(300);
    expect(infos(3)).not.toHaveProperty("productInfo");
  });

  test("unknown codes are described as unknown", () => {
    const { claim, devices, infos } = setUp();
    claim(0, 3, 0xffff_ffff_ffff_ffffn);
    devices(300);
    expect(infos(3)).toMatchObject({ manufacturer: "Unknown (2047)", industryGroup: expect.any(String) });
  });
});
