/** The way to the next waypoint: bearing, distance, cross-track error; autopilot, rudder, heel, current, log. */
import type { Message } from "../../n2k/field.ts";
import type { navigationData } from "../../n2k/pgns/route.ts";
import type { headingTrackControl } from "../../n2k/pgns/steering.ts";
import { Cell, Mini } from "../cell.tsx";
import { frameTick } from "../frame-tick.ts";
import { ageOf, isExpired, type Reading } from "../freshness.ts";
import type { InstrumentName } from "../instruments.ts";
import { Rose } from "../rose.tsx";
import { messagesOf } from "../store.ts";
import { Field, Position } from "../strip.tsx";

const shown: readonly InstrumentName[] = [
  "waypointDistance",
  "waypointBearing",
  "crossTrack",
  "vmgWaypoint",
  "timeToGo",
  "headingToSteer",
  "rudder",
  "heel",
  "rateOfTurn",
  "currentSet",
  "currentDrift",
  "trip",
];

/** A text of the message of this PGN that came last. */
function readText<Data extends { readonly pgn: number }>(
  pgn: Data["pgn"],
  textOf: (data: Data) => string | undefined,
  now: number,
): Reading<string> {
  const [message] = messagesOf<Data>(pgn).toSorted((a, b) => ageOf(a.stamp, now) - ageOf(b.stamp, now));
  if (message === undefined) return { kind: "none" };
  const value = textOf(message.data);
  if (value === undefined) return { kind: "unknown" };
  return { kind: isExpired(message.stamp, now) ? "dead" : "live", value, age: ageOf(message.stamp, now) };
}

type Pilot = Message<typeof headingTrackControl>;
type Waypoint = Message<typeof navigationData>;

const textsOf = (reading: Reading<string>): readonly string[] => ["value" in reading ? reading.value : "––"];

export function Route() {
  const now = frameTick.value;
  const pilot = readText<Pilot>(127237, ({ steeringMode }) => steeringMode?.toString(), now);
  const waypoint = readText<Waypoint>(
    129284,
    ({ waypointId }) => (waypointId === undefined ? undefined : String(waypointId)),
    now,
  );
  const closing = readText<Waypoint>(
    129284,
    ({ waypointClosing }) => (waypointClosing === false ? "going away" : ""),
    now,
  );
  return (
    <div class="dashboard route">
      <Rose shows="route" />
      <div class="board twelve">
        {shown.map((name) => (
          <Cell key={name} name={name} />
        ))}
      </div>
      <div class="strip">
        <Position />
        <Field id="autopilot" label="Autopilot" reading={pilot} texts={textsOf(pilot)} />
        <Field
          id="waypoint"
          label="Waypoint"
          reading={waypoint}
          note={"value" in closing && closing.value}
          texts={textsOf(waypoint)}
        />
        <Mini name="log" />
      </div>
    </div>
  );
}
