/**
 * The navigation report as JSON text in ASCII: members as they stand in the report, those that are undefined left out.
 *
 * Numbers are rounded already; how many decimals each has at most is written down here, so that they are printed without
 * searching for their shortest form.
 */
import { type AsciiBuffer, type Piece, pieceOf } from "../n2k/ascii-buffer.ts";
import { type Decimals, POWERS } from "./angles.ts";
import { NAVIGATION_EXPIRES_AFTER_SECONDS, type NavigationData, type NavigationReport } from "./report.ts";

type GroupName = keyof NavigationData;
type MemberName<Name extends GroupName> = Exclude<keyof NonNullable<NavigationData[Name]>, "source">;

/** Members of each group in their order, with the decimals of a number; of what is no number they do not count. */
const layout: { readonly [Name in GroupName]-?: Readonly<Record<MemberName<Name>, Decimals>> } = {
  position: {
    hasFix: 0,
    fixType: 0,
    method: 0,
    numSatellites: 0,
    latitude: 7,
    longitude: 7,
    altitude: 2,
    hdop: 2,
    pdop: 2,
    geoidalSeparation: 2,
    integrity: 0,
    datum: 0,
  },
  speed_course: {
    cog: 1,
    sog: 2,
    headingReference: 0,
    headingTrue: 1,
    headingMagnetic: 1,
    speedThroughWater: 2,
    rateOfTurn: 3,
    deviation: 1,
    variation: 1,
    variationSource: 0,
    leeway: 1,
  },
  wind_apparent: { speed: 2, angle: 1 },
  wind_true: { speed: 2, angle: 1, direction: 1, reference: 0, computed: 0 },
  wind: {
    apparentSpeed: 2,
    apparentAngle: 1,
    trueSpeed: 2,
    trueAngle: 1,
    trueDirection: 1,
    atmosphericPressure: 1,
  },
  depth_water: { depth: 2, offset: 2, waterTemperature: 2, outsideTemperature: 2, atmosphericPressure: 1 },
  date: { date: 0, time: 0, timeSource: 0 },
};

const source = { name: 0, friendlyName: 0, pgn: 0, rxTimestamp: 0, age: 3 } as const;

type Scalar = number | string | boolean | null;

/** Writes members of an object in their order. */
type Write = (out: AsciiBuffer, group: object) => void;

/** Made from source, as the decoders are: to look members up by names that vary takes twice as long. */
function writerOf(decimals: Readonly<Record<string, Decimals>>): Write {
  const names = Object.keys(decimals);
  const heads = names.map((name) => pieceOf(`,"${name}":`));
  const lines = names.map(
    (name, index) =>
      `if (group.${name} !== undefined) write(out, heads[${index}], group.${name}, ${decimals[name]});\n`,
  );
  const make = new Function("write", "heads", `"use strict"; return (out, group) => {\n${lines.join("")}};`);
  return make(writeMember, heads);
}

const groups = Object.entries(layout).map(([name, decimals]) => ({
  name: name as GroupName,
  head: pieceOf(`,"${name}":`),
  write: writerOf(decimals),
}));
const writeSource = writerOf(source);

const OPEN_DATA = pieceOf('{"data":');
const SOURCE = pieceOf(',"source":');
const TRUE = pieceOf("true");
const FALSE = pieceOf("false");
const NULL = pieceOf("null");
const RX_DATE = pieceOf(',"metadata":{"rxDate":');
const RX_TIMESTAMP = pieceOf(',"rxTimestamp":');
const CONFIG_LOADED = pieceOf(`,"expireAfterSec":${NAVIGATION_EXPIRES_AFTER_SECONDS},"configLoaded":`);
const CLOSE_MESSAGE = pieceOf("}}");

function writeMember(out: AsciiBuffer, head: Piece, value: Scalar, decimals: Decimals): void {
  if (typeof value === "number") {
    out.member(head, Math.round(value * POWERS[decimals]), decimals);
    return;
  }
  out.put(head);
  if (typeof value === "string") out.quoted(value);
  else if (value === null) out.put(NULL);
  else out.put(value ? TRUE : FALSE);
}

/** Writes the whole message. */
export function writeNavigation(out: AsciiBuffer, { data, metadata }: NavigationReport): void {
  out.put(OPEN_DATA);
  const begin = out.at;
  for (const { name, head, write } of groups) {
    const group = data[name];
    if (group === undefined) continue;
    out.put(head);
    const first = out.at;
    write(out, group);
    if (group.source !== undefined) {
      out.put(SOURCE);
      const firstOfSource = out.at;
      writeSource(out, group.source);
      out.closeObject(firstOfSource);
    }
    out.closeObject(first);
  }
  out.closeObject(begin);
  const { rxDate, rxTimestamp, configLoaded } = metadata;
  out.put(RX_DATE);
  out.quoted(rxDate);
  out.put(RX_TIMESTAMP);
  out.fixed(rxTimestamp, 0);
  out.put(CONFIG_LOADED);
  out.put(configLoaded ? TRUE : FALSE);
  out.put(CLOSE_MESSAGE);
}
