/** A change of course that lasts. */
import { relative } from "../../nav/angles.ts";
import type { Kind } from "./kind.ts";

const CHANGE_DEGREES = 30;
/** The new course stays within this. */
const STEADY_DEGREES = 20;
const STEADY_MS = 60_000;
/** Below it a course over ground is noise. */
const LEAST_KNOTS = 1;

export const course: Kind = {
  name: "course",
  title: "Course",
  watch: () => {
    let kept: number | undefined;
    let turn: { readonly to: number; readonly since: number } | undefined;
    return {
      recall({ kind, details }) {
        if (kind === "course") kept = Number(details?.to);
        else if (kind === "rest" || kind === "begin") kept = undefined;
        if (kind === "course" || kind === "rest") turn = undefined;
      },
      hear({ time, isUnderway, conditions: { cog, sog = 0 } }) {
        if (!isUnderway || cog === undefined || sog < LEAST_KNOTS) return [];
        if (kept !== undefined && Math.abs(relative(cog - kept)) < CHANGE_DEGREES) {
          turn = undefined;
          return [];
        }
        if (turn === undefined || Math.abs(relative(cog - turn.to)) > STEADY_DEGREES) turn = { to: cog, since: time };
        if (time - turn.since < STEADY_MS) return [];
        const to = Math.round(cog) % 360;
        return [{ details: kept === undefined ? { to } : { from: kept, to } }];
      },
    };
  },
  words: (details) => [details.from === undefined ? "{to}°" : "from {from}° to {to}°", details],
};
