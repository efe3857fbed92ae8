/**
 * The settings of the slow lanes: the entry `lanes` of `settings` in deploy.json.
 *
 *     {"name": "lanes", "lanes": [1, 60], "homeAssistant": 1, "messageExpirySec": 86400, "deadBands": {"127508.voltageV": 0.05, "navigation.depth_water.depth": 0.1}}
 *
 * A member with an invalid value gives a warning and leaves what was in force.
 */
import * as z from "zod";
import type { Definition } from "../n2k/field.ts";
import { publishedFields } from "../n2k/layout.ts";
import { definitions } from "../n2k/pgns/index.ts";
import { navigationData } from "../nav/navigation-report.ts";
import { memoize } from "../util/memoize.ts";

/** The lane of Home Assistant where the settings name none. */
export const HOME_ASSISTANT_LANE = 1;
const MAX_LANE_SECONDS = 3600;
const MAX_LANES = 8;
const MAX_MESSAGE_EXPIRY_SECONDS = 30 * 86_400;

/** An interval in seconds. */
export const laneSeconds = z.int().min(1).max(MAX_LANE_SECONDS);
export const laneList = z.array(laneSeconds).max(MAX_LANES);

export const lanesEntry = z.object({
  lanes: laneList
    .optional()
    .describe("intervals in seconds; topics below every/<seconds>/ repeat the data so often at most"),
  homeAssistant: laneSeconds
    .optional()
    .describe("the lane that Home Assistant is pointed at, in seconds; 1 by default"),
  messageExpirySec: z
    .int()
    .min(1)
    .max(MAX_MESSAGE_EXPIRY_SECONDS)
    .optional()
    .describe(
      "seconds that the broker keeps a message of a lane at least, for a bridge that is cut off; three intervals by default",
    ),
  deadBands: z
    .record(z.string(), z.number().positive())
    .optional()
    .describe("smallest change that counts, by PGN and member (127508.voltageV) or member of the navigation report"),
});

export interface LaneSettings {
  /** Intervals in seconds, in ascending order. */
  readonly lanes: readonly number[];
  readonly homeAssistant: number;
  /** The broker keeps messages as long as they are fresh, and this many seconds at least. */
  readonly messageExpirySec: number;
  /** Smallest change that counts, by PGN or `navigation`, and by member. */
  readonly deadBands: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export const defaultLaneSettings: LaneSettings = {
  lanes: [],
  homeAssistant: HOME_ASSISTANT_LANE,
  messageExpirySec: 0,
  deadBands: new Map(),
};

const anObject = z.record(z.string(), z.unknown());

/** Names of the numbers of a PGN. */
const numbersOf = memoize((definition: Definition): readonly string[] =>
  publishedFields(definition).flatMap(({ name, field }) =>
    ["number", "also", "part"].includes(field.kind) ? [name] : [],
  ),
);

const navigationMembers = Object.entries(navigationData.shape).flatMap(([group, schema]) =>
  Object.keys(schema.unwrap().shape).map((member) => `${group}.${member}`),
);

/** Whether there may be such a number: the fields of a PGN beyond the document are not known here. */
function isNumber(of: string, member: string): boolean {
  if (of === "navigation") return navigationMembers.includes(member);
  if (!/^\d{5,6}$/.test(of) || !/^\w+$/.test(member)) return false;
  const definition = definitions.find(({ pgn }) => String(pgn) === of);
  return definition === undefined || numbersOf(definition).includes(member);
}

/** A line of the log each. */
const MAX_NAMED = 10;

function readDeadBands(value: Readonly<Record<string, number>>, warnings: string[]): LaneSettings["deadBands"] {
  const bands = new Map<string, Map<string, number>>();
  const unknown: string[] = [];
  for (const [path, band] of Object.entries(value)) {
    const dot = path.indexOf(".");
    const [of, member] = [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)];
    if (!isNumber(of, member)) {
      unknown.push(path);
      continue;
    }
    const bandsOf = bands.get(of) ?? new Map<string, number>();
    bands.set(of, bandsOf.set(member, band));
  }
  for (const path of unknown.slice(0, MAX_NAMED))
    warnings.push(`deadBands ${path} is no number of a PGN or of the navigation report`);
  if (unknown.length > MAX_NAMED) warnings.push(`deadBands has ${unknown.length - MAX_NAMED} more of these`);
  return bands;
}

/** Reads the entry, which may be any JSON value; undefined: there is none. */
export function readLaneSettings(
  entry: unknown,
  before = defaultLaneSettings,
): { settings: LaneSettings; warnings: readonly string[] } {
  if (entry === undefined) return { settings: defaultLaneSettings, warnings: [] };
  const { data: members } = anObject.safeParse(entry);
  if (members === undefined) return { settings: before, warnings: ["the entry must be an object"] };
  const warnings: string[] = [];
  /** A member that is absent has its default, one that cannot be used the value in force. */
  const read = <Value, Read>(
    name: keyof typeof lanesEntry.shape,
    schema: z.ZodType<Value>,
    use: (value: Value) => Read,
    [byDefault, held]: readonly [Read, Read],
  ): Read => {
    if (members[name] === undefined) return byDefault;
    const result = schema.safeParse(members[name]);
    if (result.success) return use(result.data);
    for (const { path, message } of result.error.issues) warnings.push([name, ...path, message].join(" "));
    return held;
  };
  const { lanes, homeAssistant, messageExpirySec, deadBands } = lanesEntry.shape;
  const settings: LaneSettings = {
    lanes: read("lanes", lanes.unwrap(), sortedLanes, [[], before.lanes]),
    homeAssistant: read("homeAssistant", homeAssistant.unwrap(), (lane) => lane, [
      HOME_ASSISTANT_LANE,
      before.homeAssistant,
    ]),
    messageExpirySec: read("messageExpirySec", messageExpirySec.unwrap(), (seconds) => seconds, [
      defaultLaneSettings.messageExpirySec,
      before.messageExpirySec,
    ]),
    deadBands: read("deadBands", deadBands.unwrap(), (bands) => readDeadBands(bands, warnings), [
      defaultLaneSettings.deadBands,
      before.deadBands,
    ]),
  };
  for (const key of Object.keys(members))
    if (key !== "name" && !Object.hasOwn(lanesEntry.shape, key)) warnings.push(`${key} is no member of lanes`);
  return { settings, warnings };
}

/** Each lane once, in ascending order. */
export const sortedLanes = (lanes: Iterable<number>): readonly number[] =>
  [...new Set(lanes)].sort((one, other) => one - other);
