/** Arrival at a waypoint of the navigation. */
import type { Kind } from "./kind.ts";

export const waypoint: Kind = {
  name: "waypoint",
  title: "Waypoint",
  watch: () => {
    let arrivedAt: number | undefined;
    return {
      recall({ kind, details }) {
        if (kind === "waypoint") arrivedAt = Number(details?.waypoint);
      },
      hear: ({ waypoint: there }) => {
        if (there === undefined) return [];
        if (there.hasArrived && there.id !== arrivedAt) return [{ waypoint: there.id }];
        // The same waypoint is another arrival once the navigation has gone to another one.
        if (there.id !== arrivedAt) arrivedAt = undefined;
        return [];
      },
    };
  },
  words: (details) => ["number {waypoint}", details],
};
