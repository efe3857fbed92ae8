/** Good messages of every topic that the display reads, and the same with each member spoiled. */
import { sourceOf } from "./published-boats.ts";

/** Written into JSON as it is: JSON.parse reads Infinity. */
const TOO_LARGE = "1e999";

/** Values that replace a member; undefined: none. */
export const spoils: readonly unknown[] = [
  ...[undefined, null, true, 7, -1e308, TOO_LARGE, "1,5", '"><im', "x".repeat(10_000)],
  ...[[], {}, [null, 7, [[]]], { toString: 1, valueOf: 1 }, { __proto__: null, constructor: 1 }],
];

/** The value with one thing in it replaced, at every place and in every way; itself too. */
export function* spoiled(value: unknown, ways = spoils): Generator<unknown> {
  yield* ways.filter((spoil) => spoil !== undefined);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const others = Object.entries(value).filter(([other]) => other !== name);
    const whole = (replaced: unknown): unknown =>
      Array.isArray(value)
        ? value.with(Number(name), replaced)
        : Object.fromEntries([...others, ...(replaced === undefined ? [] : [[name, replaced]])]);
    if (!Array.isArray(value)) yield whole(undefined);
    for (const replaced of spoiled(member, ways)) yield whole(replaced);
  }
}

/** JSON with numbers that no JSON.stringify writes, and NAMEs as numbers. */
export const jsonOf = (message: unknown): string =>
  JSON.stringify(message)
    .replaceAll(`"${TOO_LARGE}"`, TOO_LARGE)
    .replace(/"name":"(\d{10,})"/g, '"name":$1');

const now = new Date().toISOString();
const NAME = "13868994482250311002";
const source = sourceOf("GPS", 129029);
const position = { latitude: 53.3, longitude: 3.6 };

/** `data` of a message of each topic with all members that are displayed. */
export const goodData = {
  navigation: {
    position: { hasFix: true, fixType: "gnss", method: 1, numSatellites: 9, ...position, hdop: 0.8, source },
    speed_course: {
      ...{ cog: 231, sog: 6.2, headingTrue: 210, headingMagnetic: 195, speedThroughWater: 5.1, rateOfTurn: 0.5 },
      ...{ variation: 15, leeway: -4, source },
    },
    wind_apparent: { speed: 18.3, angle: -37.4, source },
    wind_true: { speed: 14.6, angle: -52.2, direction: 157.8, reference: "water", computed: true, source },
    depth_water: {
      ...{ depth: 7.4, offset: -1.9, waterTemperature: 11.2, outsideTemperature: 9.7, atmosphericPressure: 99_870 },
      source,
    },
    date: { date: "2026-11-22", time: "01:02:03", timeSource: "GPS", source },
  },
  ais: {
    ownShip: { position },
    targets: [
      {
        ...{ mmsi: 244_000_001, class: "A", name: "ELLA", callsign: "PA1", imo: 9_000_000, position, cog: 20, sog: 6 },
        ...{ heading: 21, rot: 2, navStatus: "Under way using engine", type: 36, typeName: "Sailing", draft: 2.1 },
        ...{ dimensions: { length: 12, beam: 4, toBow: 6, toStarboard: 2 }, destination: "DELFZIJL", lastSeen: now },
        ...{ range: 1.2, bearing: 40, cpa: 0.2, tcpa: 4.5 },
      },
    ],
  },
  alarms: {
    alarms: [
      {
        ...{ id: "manOverboard-0", kind: "manOverboard", title: "Man overboard", severity: "emergency" },
        ...{ state: "active", subject: 0, text: "beacon of a person", position, range: 0.12, bearing: 40, since: now },
        first: { at: now, position, boat: position },
      },
      {
        ...{ id: "depth", kind: "depth", title: "Shallow water", severity: "alarm", state: "active", subject: 1 },
        ...{ name: "ELLA", value: 1.7, limit: 2, minutes: 4.5, unit: "m", since: now },
      },
    ],
    watching: { depth: "on", anchor: "off", cpa: "quiet", wind: "no data" },
    anchorWatch: { ...position, radius: 40, distance: 12 },
  },
  devices: { count: 1, peers: [{ addr: 2, name: NAME }] },
  infos: {
    ...{ addr: 2, name: NAME, identityNumber: 1002, manufacturerCode: 275, manufacturer: "Navico", ecuInstance: 0 },
    ...{ functionInstance: 0, deviceInstance: 0, functionCode: 130, functionName: "Display", classCode: 120 },
    ...{ vehicleSystemInstance: 0, industryGroupCode: 4, industryGroup: "Marine", arbitraryAddressCapable: true },
    productInfo: { modelId: "GPS 24", serialNumber: "1", softwareVersion: "1.0", loadEquiv: 2 },
    txPgns: [{ id: 127_250, name: "Vessel Heading" }],
    rxPgns: [{ id: 126_992, name: "System Time" }],
    friendlyName: "Bow",
  },
  health: {
    ...{ uptimeSec: 10, frames: 7, busLoadPercent: 37, newer: 1 },
    framesLost: { kernel: 0, ring: 3 },
    ignoredSettings: [{ file: "deploy.json", entry: "can", reason: "no such member" }],
  },
  interface: {
    ...{ interface: "can0", up: true, state: "ERROR-ACTIVE" },
    stats: { rx_frames: 1_234_567, rx_errors: 0 },
    config: { bitrate: 250_000 },
    gateway: { source: "yd-raw://x", since: now, reason: "away", connections: 1, receivedBytes: 1, refused: 0 },
  },
  layouts: { messages: [{ addr: 2, pgn: 127_501, raw: "00ff", assumed: '{"pgn":127501}', public: '{"pgn":1}' }] },
  findings: {
    findings: [
      {
        ...{ id: "incomplete-75", kind: "incomplete", title: "Incomplete packets", severity: "warning" },
        ...{
          devices: [{ addr: 75, name: NAME, label: "Log" }],
          pgn: 129_029,
          measured: "7 of 59",
          advice: "Restart.",
          since: now,
        },
      },
    ],
    leftOut: 1,
    baseline: now,
  },
  traffic: {
    loadPercent: 18.1,
    devices: [
      {
        ...{ addr: 75, name: NAME, label: "Log", loadPercent: 3.05, packets: 100, incomplete: 2, silentSec: 1 },
        pgns: [{ pgn: 127_250, streams: 2, periodMs: 100, jitterMs: 3, nominalMs: 100 }],
      },
    ],
    leftOut: 1,
  },
  configFetch: { channel: "hull-1", result: "refused", reason: "signature", version: 7, checkedAt: now },
} as const;

/** `data` of messages of PGNs, by the address of their sender. */
export const goodPgns: readonly { readonly pgn: number; readonly [name: string]: unknown }[] = [
  { pgn: 127_237, steeringMode: "Track Control", headingToSteerDeg: 208, headingReference: "Magnetic" },
  { pgn: 127_245, instance: 0, positionDeg: 6.4 },
  { pgn: 127_257, yawDeg: 0, pitchDeg: 2.3, rollDeg: -12.6 },
  { pgn: 128_275, tripLogM: 90_007, tripLogNm: 48.6, totalLogM: 4_342_940, totalLogNm: 2345 },
  { pgn: 129_283, xte: -92.6 },
  { pgn: 129_284, distanceToWaypoint: 5926.4, bearingToWaypoint: 225, waypointId: 17, waypointClosing: true },
  { pgn: 129_291, setReference: "Magnetic", setDeg: 95, driftKnots: 1.3 },
  { pgn: 127_488, engineInstance: 0, engineSpeedRpm: 2400 },
  { pgn: 127_489, engineInstance: 0, oilPressureKpa: 420, coolantTempC: 80, fuelRateLh: 7.6, engineHours: 21 },
  { pgn: 127_493, engineInstance: 0, gear: "Forward" },
  { pgn: 127_498, engineInstance: 0, ratedSpeedRpm: 3600 },
  { pgn: 127_501, instance: 0, switches: [{ switch: 1, status: "On" }] },
  { pgn: 127_503, instance: 0, line1VoltageV: 230, line1CurrentA: 4, line1FrequencyHz: 50, line1RealPowerW: 900 },
  { pgn: 127_505, instance: 0, fluidType: "Fuel", levelPercent: 25, capacityLiters: 200 },
  { pgn: 127_506, instance: 0, stateOfChargePercent: 81, timeRemainingMin: 900 },
  { pgn: 127_507, chargerInstance: 0, batteryInstance: 0, operatingState: "Float" },
  { pgn: 127_508, instance: 0, voltageV: 12.34, currentA: -5.6, temperatureC: 20 },
  { pgn: 127_509, inverterInstance: 0, operatingState: "Invert", inverterEnable: "On" },
  { pgn: 130_312, instance: 3, source: "Exhaust Gas Temperature", actualTempC: 41 },
  { pgn: 130_316, instance: 3, source: "Sea Temperature", actualTempC: 11 },
  { pgn: 65_014, lineNeutralAcRmsVoltageV: 230, acRmsCurrentA: 3, acFrequencyHz: 50 },
  { pgn: 65_005, totalEnergyImportKwh: 1234 },
  { pgn: 130_561, zoneIndex: 1, zoneName: "Saloon", intensity: 50, zoneEnabled: "On" },
  { pgn: 127_510, instance: 0, batteryInstance: 0, chargeCurrentLimitPercent: 80 },
  { pgn: 127_511, instance: 0, acInstance: 0, dcInstance: 0, inverterMode: "Auto" },
  { pgn: 127_250, headingDeg: 120, reference: "True" },
  { pgn: 129_029, latitude: 53.3, longitude: 3.6 },
  { pgn: 129_038, userId: 244_000_001, mmsi: 244_000_001, aisTransceiverInformation: "Own information not broadcast" },
];

export const goodIdentity = { name: "hub-cand", version: "1.1.0", hostname: "boat", features: [], online: true };

/** The message of `data`, made now. */
export const messageOf = (data: unknown, expireAfterSec: unknown = 60) => ({
  data,
  metadata: { rxDate: new Date().toISOString(), rxTimestamp: Math.floor(Date.now() / 1000), expireAfterSec },
});

/** The topics of a boat of a fleet, each message of its own boat. */
export function* hullMessages(): Generator<readonly [hull: number, topic: string, text: string]> {
  let hull = 0;
  for (const [topic, name] of [
    ["can/can0/navigation", "navigation"],
    ["can/can0/health", "health"],
    ["app/config/fetch", "configFetch"],
  ] as const)
    for (const wrong of spoiled(messageOf(goodData[name]))) yield [hull++, topic, jsonOf(wrong)];
  for (const wrong of spoiled(goodIdentity)) yield [hull++, "app/can-can0/info", jsonOf(wrong)];
  for (const wrong of ["", "x", "{", "1e999", "null", "-1"]) yield [hull++, "broker/publish/messages/dropped", wrong];
}
