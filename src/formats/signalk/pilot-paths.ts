/** Paths of the autopilot: its state and its target, of public messages and of those of manufacturers. */
import type { Message } from "../../core/n2k/definition.ts";
import * as pilots from "../../core/n2k/pgns/pilots.ts";
import { headingTrackControl } from "../../core/n2k/pgns/steering.ts";
import { type PilotState, pilotStates } from "../../core/n2k/pilot-states.ts";
import { relative } from "../../core/nav/angles.ts";
import { type PgnPaths, pgn } from "./pgn-rows.ts";
import { type Known, quantity, textIn } from "./row.ts";

/**
 * Manufacturers whose pilots report heading control while they steer by the wind, which only their own PGNs tell:
 * Lowrance, Navico, B&G and Simrad (65305), Raymarine (65379). Names and codes are those of the canboat database.
 */
const pilotsByWind: ReadonlySet<number | undefined> = new Set([140, 275, 381, 1857, 1851]);

/**
 * No state is better than a wrong one: the state is left out while such a pilot, or an unknown one, reports heading
 * control.
 */
const publicState = ({ steeringMode }: Message<typeof headingTrackControl>, { manufacturer }: Known) => {
  const state = textIn(pilotStates, steeringMode);
  return state === "auto" && (manufacturer === undefined || pilotsByWind.has(manufacturer)) ? undefined : state;
};

type OwnState = PilotState | "wind" | "noDrift";

/** States by the modes of Simrad's pilots, of which a message has one. */
const simradStates: Readonly<Record<string, OwnState>> = {
  Standby: "standby",
  Heading: "auto",
  Nav: "route",
  "No Drift": "noDrift",
  Wind: "wind",
};

const raymarineStates: Readonly<Record<string, OwnState>> = {
  Standby: "standby",
  "Auto, compass commanded": "auto",
  "Vane, Wind Mode": "wind",
  "Track Mode": "route",
  "No Drift, COG referenced (In track, course changes)": "route",
};

const path = "state";
const description = "Mode of the pilot by a message of its manufacturer, which precedes the steering mode";
const own = { isPreferred: true } as const;

/** The angle to the wind, starboard positive; the messages have 0 to 360 degrees. */
const windAngle = (degrees: number | undefined) =>
  quantity(degrees === undefined ? undefined : relative(degrees), "deg");

const target = "steering.autopilot.target";
const toWind = {
  path: "windAngleApparent",
  description: "Angle to the apparent wind that the pilot keeps",
  units: "rad",
} as const;

export const pilotPaths: readonly PgnPaths[] = [
  pgn(headingTrackControl, "steering.autopilot", {
    steeringMode: {
      path,
      description: "Steering mode; not `auto` of pilots that say so while they steer by the wind",
      value: publicState,
    },
  }),
  pgn(
    pilots.simradPilotMode,
    "steering.autopilot",
    {
      mode: { path, description, value: ({ mode }) => textIn(simradStates, mode?.length === 1 ? mode[0] : undefined) },
    },
    { when: { title: pilots.simradPilotMode.title }, ...own },
  ),
  pgn(
    pilots.raymarinePilotMode,
    "steering.autopilot",
    { pilotMode: { path, description, value: ({ pilotMode }) => textIn(raymarineStates, pilotMode) } },
    { when: { title: pilots.raymarinePilotMode.title }, ...own },
  ),
  ...(["True", "Magnetic"] as const).map((reference) =>
    pgn(
      headingTrackControl,
      target,
      { headingToSteerDeg: `heading${reference}` },
      { when: { headingReference: reference } },
    ),
  ),
  pgn(
    pilots.simradPilotAngle,
    target,
    { angleDeg: { ...toWind, value: ({ mode, angleDeg }) => (mode === "Wind" ? windAngle(angleDeg) : undefined) } },
    { when: { title: pilots.simradPilotAngle.title } },
  ),
  pgn(
    pilots.raymarineWindDatum,
    target,
    { windDatumDeg: { ...toWind, value: ({ windDatumDeg }) => windAngle(windDatumDeg) } },
    { when: { title: pilots.raymarineWindDatum.title } },
  ),
];
