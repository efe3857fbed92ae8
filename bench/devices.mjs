/**
 * Navigation report and device list with 10 to 252 devices, the number of addresses of a bus. Every device sends all messages of
 * the navigation report, and all about itself. In the last row 5000 NAMEs use the same addresses in turn, to show that the
 * memory for them is bounded.
 *
 * Sizes take turns within each round; figures are medians. `node --expose-gc bench/devices.mjs` shows the memory too.
 */
import { exportsOf, heap, inTurns, medians, microseconds, printTable } from "./rounds.mjs";

const rounds = Number(process.env.BENCH_ROUNDS ?? 50);
/** Devices at a time, and NAMEs in turn. */
const sizes = [
  [10, 10],
  [50, 50],
  [126, 126],
  [252, 252],
  [252, 5000],
];
/** A second of the messages of a device that the navigation report reads. */
const messagesOf = (device) => [
  {
    pgn: 129029,
    latitude: 52,
    longitude: 4 + device / 1000,
    method: 1 + (device % 5),
    numberOfSatellites: 9,
    altitude: 3,
  },
  { pgn: 129025, latitude: 52, longitude: 4 + device / 1000 },
  { pgn: 129026, cogDeg: device % 360, sogKnots: 6, cogReference: "True" },
  { pgn: 127250, headingDeg: device % 360, reference: "Magnetic", variationDeg: 2 },
  { pgn: 127251, rateDegPerSec: 0.5 },
  { pgn: 127258, variation: 2, source: 8 },
  { pgn: 128000, leewayDeg: 1 },
  { pgn: 128259, speedWaterKnots: 5 },
  { pgn: 128267, depthM: 12, offsetM: 0.5 },
  { pgn: 130306, reference: 2, windSpeedKnots: 12, windAngleDeg: 40 },
  { pgn: 130306, reference: 3, windSpeedKnots: 10, windAngleDeg: 60 },
  { pgn: 130311, temperatureSource: "Sea Temperature", temperatureC: 14, atmosphericPressureHpa: 1013 },
  { pgn: 126992, date: 20_778, time: 29_666, source: 0 },
];

const { AsciiBuffer, deviceNameBytes, encoderOf, navigationReport, Navigator, writerOf, ...modules } = await exportsOf(`
  export { Peers } from "./src/bridge/peers.ts";
  export { topicsBelow } from "./src/bridge/topics.ts";
  export { AsciiBuffer } from "./src/text/ascii-buffer.ts";
  export { deviceNameBytes } from "./src/n2k/device-name.ts";
  export { encoderOf } from "./src/n2k/encode.ts";
  export { pgnList, productInformation } from "./src/n2k/pgns/system.ts";
  export { Navigator } from "./src/nav/navigator.ts";
  export { navigationReport } from "./src/nav/navigation-report.ts";
  export { writerOf } from "./src/report/write.ts";
  export { named } from "./test/bridge/named.ts";`);
const { named, Peers, pgnList, productInformation, topicsBelow } = modules;
const writeNavigation = writerOf(navigationReport);
const wall = Date.UTC(2026, 10, 21);
const lists = Array.from({ length: 40 }, (_, index) => ({ id: 127_250 + index }));
/** A device claims an address and describes itself. */
const introduction = (number) => [
  [60928, deviceNameBytes(named(number))],
  [
    126996,
    encoderOf(productInformation)({
      pgn: 126996,
      nmeaVersion: 2100,
      productCode: number & 0xffff,
      modelId: `Wind ${number}`,
      softwareVersion: "1.2.3",
      serialNumber: String(number),
      certLevel: 1,
      loadEquiv: 2,
    }),
  ],
  [126464, encoderOf(pgnList)({ pgn: 126464, function: "Transmit PGN list", pgns: lists })],
];

const sides = sizes.map(([devices, names]) => {
  const before = heap();
  const states = new Map();
  let bytes = 0;
  const publisher = {
    retain: (topic, payload) => {
      bytes += payload?.length ?? 0;
      if (payload === null) states.delete(topic);
      else states.set(topic, payload.length);
    },
  };
  const log = { error() {}, warn() {}, info() {}, debug() {} };
  const peers = new Peers({ topics: topicsBelow("can/can0"), publisher, log });
  const navigator = new Navigator({
    nameOf: (address) => peers.nameOf(address),
    modelOf: (name) => peers.modelOf(name),
  });
  // The latest NAME is the lowest, so that it wins the address.
  for (let number = names; number > 0; number--) {
    const source = number % devices;
    for (const [pgn, payload] of introduction(number))
      peers.hear({
        pgn,
        source,
        destination: 255,
        bytes: payload,
        at: 0,
        end: payload.length,
        arrived: 0,
        received: wall,
      });
    for (const message of messagesOf(number)) navigator.hear(message, { source, arrived: 0, received: wall });
  }
  peers.advance(0, wall);
  navigator.report(0, wall);
  return {
    devices,
    names,
    peers,
    navigator,
    messages: Array.from({ length: devices }, (_, source) => messagesOf(source)),
    states,
    take: () => {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
    memory: heap() - before,
  };
});

const text = new AsciiBuffer(65_536);
const results = await inTurns(
  sides,
  { rounds, warmUps: 5 },
  ({ devices, navigator, peers, messages, ...side }, round) => {
    // Half a minute each, after which the device list is due again.
    const now = (round + 6) * 30_000;
    const hearing = microseconds(() => {
      for (const [source, said] of messages.entries())
        for (const message of said) navigator.hear(message, { source, arrived: now, received: wall + now });
    });
    const claim = deviceNameBytes(named(1));
    for (let source = 0; source < devices; source++)
      peers.hear({
        pgn: 127250,
        source,
        destination: 255,
        bytes: claim,
        at: 0,
        end: 8,
        arrived: now,
        received: wall + now,
      });
    text.at = 0;
    const reporting = microseconds(() => writeNavigation(text, navigator.report(now, wall + now)));
    if (text.at < 500) throw new Error(`a report that says nothing: ${text.text()}`);
    side.take();
    const listing = microseconds(() => peers.advance(now, wall + now));
    const bytes = side.take();
    if (side.states.size !== devices + 1) throw new Error(`${side.states.size} states of ${devices} devices`);
    return { hearing: hearing / messages.flat().length, reporting, listing, bytes };
  },
);
console.log(`Navigation report and device list, ${rounds} rounds, medians, Node ${process.version}`);
printTable(
  sides.map(({ devices, names, memory }, index) => {
    const { hearing, reporting, listing, bytes } = medians(results[index]);
    return {
      devices: String(devices),
      NAMEs: String(names),
      navigation: `${reporting.toFixed(0)} µs`,
      "a message": `${hearing.toFixed(2)} µs`,
      "list, infos": `${listing.toFixed(0)} µs`,
      "per device": `${(listing / devices).toFixed(2)} µs`,
      bytes: String(bytes),
      memory: globalThis.gc === undefined ? "" : `${(memory / 1024).toFixed(0)} kB`,
    };
  }),
);
