/**
 * The settings of the slow lanes: the entry `lanes` of `settings` in deploy.json.
 *
 *     {"name": "lanes", "lanes": [1, 60], "homeAssistant": 1, "messageExpirySec": 86400,
 *      "deadBands": {"127508.voltageV": 0.05, "navigation.depth_water.depth": 0.1}}
 *
 * A member with an invalid value gives a warning and leaves the value in force.
 */
import * as z from "zod";
import type { Definition } from "../n2k/definition.ts";
import { publishedFields } from "../n2k/layout.ts";
import { definitions } from "../n2k/pgns/index.ts";
import { navigationData } from "../nav/navigation-report.ts";
import { inUnit, mark } from "../report/marks.ts";
import { accept, entry, type Warn } from "../report/read-entry.ts";
import { memoize } from "../util/memoize.ts";

/** The lane of Home Assistant if the settings name none. */
export const HOME_ASSISTANT_LANE = 1;
const MAX_LANE_SECONDS = 3600;
const MAX_LANES = 8;
const MAX_MESSAGE_EXPIRY_SECONDS = 30 * 86_400;

/** An interval. */
export const laneSeconds = mark(z.int().min(1).max(MAX_LANE_SECONDS), { unit: "s" });
export const laneList = z.array(laneSeconds).max(MAX_LANES);

const schema = z.object({
  lanes: laneList
    .optional()
    .describe("intervals in seconds; topics below every/<seconds>/ repeat the data so often at most"),
  homeAssistant: laneSeconds
    .optional()
    .describe("the lane that Home Assistant is pointed at, in seconds; 1 by default"),
  messageExpirySec: inUnit(
    "s",
    z.int().min(1).max(MAX_MESSAGE_EXPIRY_SECONDS),
    "seconds that the broker keeps a message of a lane at least, for a bridge that is cut off; three intervals by default",
  ).optional(),
  deadBands: z
    .record(z.string(), z.number().positive())
    .optional()
    .describe("smallest change that counts, by PGN and member (127508.voltageV) or member of the navigation report"),
});

export interface LaneSettings {
  /** Intervals in seconds, in ascending order. */
  readonly lanes: readonly number[];
  readonly homeAssistant: number;
  /** The broker keeps messages until they expire, and for at least this many seconds. */
  readonly messageExpirySec: number;
  /** Smallest change that counts, by PGN or `navigation`, and by member. */
  readonly deadBands: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const { lanes, homeAssistant, messageExpirySec, deadBands } = schema.required().shape;

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

/** Maximum warnings, each of which is a line of the log. */
const MAX_NAMED = 10;

function readDeadBands(value: Readonly<Record<string, number>>, warn: Warn): LaneSettings["deadBands"] {
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
    warn(["deadBands", path], "is no number of a PGN or of the navigation report");
  if (unknown.length > MAX_NAMED) warn(["deadBands"], `has ${unknown.length - MAX_NAMED} more of these`);
  return bands;
}

export const laneSettings = entry<LaneSettings>("lanes", {
  title: "Slow lanes",
  schema,
  byDefault: { lanes: [], homeAssistant: HOME_ASSISTANT_LANE, messageExpirySec: 0, deadBands: new Map() },
  members: {
    lanes: lanes.transform((each) => sortedLanes(each)),
    homeAssistant,
    messageExpirySec,
    deadBands(value, warn) {
      const bands = accept(deadBands, value, ["deadBands"], warn);
      return bands && readDeadBands(bands, warn);
    },
  },
});

/** Each lane once, in ascending order. */
export const sortedLanes = (lanes: Iterable<number>): readonly number[] =>
  [...new Set(lanes)].sort((one, other) => one - other);
