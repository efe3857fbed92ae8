/** The cost of hub-cand's reports in this process: AIS report, navigation report and device list, decoding. */
import { exportsOf, heap, median, microseconds } from "./rounds.mjs";

const wall = Date.UTC(2026, 10, 21);
/** Monotonic milliseconds of a round: seconds further each, so that what is due is due again. */
const timeOf = (round, seconds) => (round + 6) * seconds * 1000;
/** Kilobytes, where garbage can be collected before. */
const kilobytes = (bytes) => (globalThis.gc === undefined ? Number.NaN : bytes / 1024);

const ownShip = { latitude: 52.1234567, longitude: 4.2345678, cog: 30, sog: 12 };

/** Position report and static data of a station. MMSI are spread, so that they do not arrive in order. */
const messagesOfStation = (station) => {
  const mmsi = 200_000_000 + ((station * 7919) % 5003);
  return [
    {
      pgn: 129794,
      mmsi,
      imoNumber: 9_000_000 + station,
      callsign: "PABC",
      name: `STATION ${station}`,
      shipType: 70,
      shipTypeName: "Cargo ship",
      lengthM: 110,
      beamM: 11.4,
      toBowM: 20,
      toStarboardM: 5.7,
      draftM: 3.2,
      destination: "ROTTERDAM",
    },
    {
      pgn: 129038,
      mmsi,
      latitude: 52 + (station % 97) / 100,
      longitude: 4 + (station % 89) / 100,
      cogDeg: (station * 37) % 360,
      sogKnots: (station % 200) / 10,
      headingDeg: (station * 37) % 360,
      rateOfTurnDegPerMin: 0.4,
      navStatus: "Under way using engine",
    },
  ];
};

/**
 * The AIS report with 10 to 5000 stations, each of which sends all its messages; own ship has position, course and
 * speed. Above 1000 stations those silent the longest are evicted, so that time and memory stay those of 1000.
 */
export async function openAis() {
  const { AisReporter, AsciiBuffer } = await exportsOf(`
    export { AisReporter } from "./src/core/nav/ais-reporter.ts";
    export { AsciiBuffer } from "./src/core/text/ascii-buffer.ts";`);
  const inputs = [10, 100, 1000, 5000].map((stations) => {
    const messages = Array.from({ length: stations }, (_, station) => messagesOfStation(station)).flat();
    const before = heap();
    const reporter = new AisReporter();
    for (const message of messages) reporter.hear(message, { arrived: 0, received: wall });
    return { name: `${stations} stations`, messages, reporter, memory: heap() - before, out: new AsciiBuffer(1 << 20) };
  });
  const report = ({ messages, reporter, memory, out }, round) => {
    const now = timeOf(round, 1);
    const hearing = microseconds(() => {
      for (const message of messages) reporter.hear(message, { arrived: now, received: wall + now });
    });
    out.at = 0;
    const reporting = microseconds(() => reporter.report(now, wall + now, ownShip, out));
    const targets = JSON.parse(out.text()).data.targets.length;
    return {
      "µs a report": reporting,
      targets,
      "µs a target": reporting / targets,
      bytes: out.at,
      "µs a message": hearing / messages.length,
      "kB of memory": kilobytes(memory),
    };
  };
  return { inputs, programs: { report } };
}

/** A second of the messages of a device that the navigation report reads. */
const messagesOfDevice = (device) => [
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

/**
 * Navigation report and device list with 10 to 252 devices, the number of addresses of a bus. Every device sends all
 * messages of the navigation report, and all about itself. In the last row 5000 NAMEs use the same addresses in turn,
 * to show that the memory for them is bounded.
 */
export async function openDevices() {
  const hub = await exportsOf(`
    export { Devices } from "./src/services/bridge/devices.ts";
    export { Devices as Senders } from "./src/core/nav/devices.ts";
    export { boatOf } from "./test/services/bridge/boat.ts";
    export { topicsBelow } from "./src/core/topics/topics.ts";
    export { AsciiBuffer } from "./src/core/text/ascii-buffer.ts";
    export { deviceNameBytes } from "./src/core/n2k/device-name.ts";
    export { encoderOf } from "./src/core/n2k/encode.ts";
    export { pgnList, productInformation } from "./src/core/n2k/pgns/system.ts";
    export { Navigator } from "./src/core/nav/navigator.ts";
    export { navigationReport } from "./src/core/nav/navigation-report.ts";
    export { writerOf } from "./src/core/report/write.ts";
    export { named } from "./test/services/bridge/named.ts";`);
  const writeNavigation = hub.writerOf(hub.navigationReport);
  const describe = hub.encoderOf(hub.productInformation);
  const lists = Array.from({ length: 40 }, (_, index) => ({ id: 127_250 + index }));
  const pgnList = hub.encoderOf(hub.pgnList)({ pgn: 126464, function: "Transmit PGN list", pgns: lists });
  const packet = (pgn, source, bytes, now) => ({
    ...{ pgn, source, destination: 255, bytes, at: 0, end: bytes.length, arrived: now, received: wall + now },
  });
  /** A device claims an address and describes itself. */
  const introduction = (number, source) => {
    const versions = { nmeaVersion: 2100, softwareVersion: "1.2.3", certLevel: 1, loadEquiv: 2 };
    const model = { productCode: number & 0xffff, modelId: `Wind ${number}`, serialNumber: String(number) };
    return [
      packet(60928, source, hub.deviceNameBytes(hub.named(number)), 0),
      packet(126996, source, describe({ pgn: 126996, ...versions, ...model }), 0),
      packet(126464, source, pgnList, 0),
    ];
  };

  const inputs = [
    [10, 10],
    [50, 50],
    [126, 126],
    [252, 252],
    [252, 5000],
  ].map(([devices, names]) => {
    const before = heap();
    const states = new Map();
    const counter = { bytes: 0 };
    const publisher = {
      retain: (topic, payload) => {
        counter.bytes += payload?.length ?? 0;
        if (payload === null) states.delete(topic);
        else states.set(topic, payload.length);
      },
    };
    const log = { error() {}, warn() {}, info() {}, debug() {} };
    const peers = new hub.Devices(hub.boatOf({ topics: hub.topicsBelow("can/can0"), publisher, log }));
    const senders = new hub.Senders();
    const hear = (message, source, arrived) => {
      const device = senders.at(source, peers.nameOf(source), arrived);
      navigator.hear(message, { device, arrived, received: wall + arrived });
    };
    const navigator = new hub.Navigator({
      modelOf: (name) => peers.modelOf(name),
    });
    // The latest NAME is the lowest, so that it wins the address.
    for (let number = names; number > 0; number--) {
      const source = number % devices;
      for (const each of introduction(number, source)) peers.admits(each);
      for (const message of messagesOfDevice(number)) hear(message, source, 0);
    }
    peers.advance(0, wall);
    navigator.report(0, wall);
    const messages = Array.from({ length: devices }, (_, source) => messagesOfDevice(source));
    const memory = heap() - before;
    return {
      name: `${devices} devices, ${names} NAMEs`,
      devices,
      peers,
      hear,
      navigator,
      messages,
      states,
      counter,
      memory,
    };
  });
  const text = new hub.AsciiBuffer(65_536);
  const claim = hub.deviceNameBytes(hub.named(1));
  const report = ({ devices, peers, hear, navigator, messages, states, counter, memory }, round) => {
    // Half a minute each, after which the device list is due again.
    const now = timeOf(round, 30);
    const hearing = microseconds(() => {
      for (const [source, said] of messages.entries()) for (const message of said) hear(message, source, now);
    });
    for (let source = 0; source < devices; source++) peers.admits(packet(127250, source, claim, now));
    text.at = 0;
    const reporting = microseconds(() => writeNavigation(text, navigator.report(now, wall + now)));
    if (text.at < 500) throw new Error(`a report that says nothing: ${text.text()}`);
    counter.bytes = 0;
    const listing = microseconds(() => peers.advance(now, wall + now));
    if (states.size !== devices + 1) throw new Error(`${states.size} states of ${devices} devices`);
    return {
      "µs a navigation report": reporting,
      "µs a message": hearing / messages.flat().length,
      "µs of list and infos": listing,
      "µs a device": listing / devices,
      bytes: counter.bytes,
      "kB of memory": kilobytes(memory),
    };
  };
  return { inputs, programs: { report } };
}

/**
 * Decoding one message of each PGN whose payload is at hand, those of the fixtures that canboatjs knows: hub writes
 * JSON text, canboatjs makes an object; hub's object is measured too. BENCH_EACH prints each of them in place of their
 * median and mean.
 */
export async function openDecoding() {
  const { FromPgn } = await import("@canboat/canboatjs");
  const { AsciiBuffer, createCatalogue, fixtures } = await exportsOf(`
    export { AsciiBuffer } from "./src/core/text/ascii-buffer.ts";
    export { createCatalogue } from "./src/core/n2k/catalogue.ts";
    export { fixtures } from "./test/core/n2k/fixtures.ts";`);
  const FULL = 65_536;
  const repeats = Number(process.env.BENCH_REPEATS ?? 5000);
  const catalogue = createCatalogue();
  const parser = new FromPgn({ useCamel: true });
  parser.on("error", () => {});
  parser.on("warning", () => {});
  const out = new AsciiBuffer(2 * FULL);
  /** Consumes the results, so that the compiler removes nothing. */
  let used = 0;
  /** Nanoseconds per call. */
  const cost = (times, read) =>
    (1000 *
      microseconds(() => {
        for (let count = 0; count < times; count++) used += read();
      })) /
    times;
  const textOf = ({ reader, payload }) => {
    if (out.at > FULL) out.at = 0;
    const begin = out.at;
    reader.write(out, payload);
    return out.at - begin;
  };
  const parse = ({ pgn, data }) =>
    parser.parse({ pgn: { pgn, src: 3, dst: 255, prio: 6 }, length: data.length, data, coalesced: true });
  const known = fixtures
    .map(({ pgn, payload }) => ({
      pgn,
      payload: { bytes: payload, at: 0, end: payload.length, source: 3, arrived: 0 },
      reader: catalogue.reader(pgn),
      data: Buffer.from(payload),
    }))
    .filter((message) => message.reader !== undefined && parse(message) !== undefined);
  const all =
    process.env.BENCH_EACH === undefined
      ? [
          { name: `median of ${known.length}`, messages: known, of: median },
          { name: "mean", messages: known, of: (costs) => costs.reduce((sum, one) => sum + one, 0) / costs.length },
        ]
      : known.map((message) => ({ name: message.reader.definition.title, messages: [message], of: median }));
  const reading =
    (times, read) =>
    ({ messages, of }) => ({
      "ns a message": of(messages.map((message) => cost(times, () => read(message)))),
    });
  return {
    inputs: all,
    programs: {
      "hub, text": reading(repeats, textOf),
      "hub, object": reading(repeats, ({ reader, payload }) => reader.message(payload).pgn),
      canboatjs: reading(repeats / 10, (message) => parse(message)?.pgn ?? 0),
    },
    close: () => used < 0 && console.log(used),
  };
}
