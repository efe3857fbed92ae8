/** Arrival at a waypoint of the navigation. */
import type { Kind } from "./kind.ts";

export const waypoint: Kind = {
  name: "waypoint",
  title: "Waypoint",
  watch: () => {
    let arrivedAt: number | undefined;
    /** An arrival that is heard first may be that of the last voyage. */
    let goesTo: number | undefined;
    return {
      recall({ kind, details }) {
        if (kind === "waypoint") arrivedAt = Number(details?.waypoint);
      },
      hear: ({ waypoint: there }) => {
        if (there === undefined) return [];
        if (!there.hasArrived) goesTo = there.id;
        if (there.hasArrived && there.id === goesTo && there.id !== arrivedAt)
          return [{ details: { waypoint: there.id } }];
        // The same waypoint is another arrival once the navigation has gone to another one.
        if (there.id !== arrivedAt) arrivedAt = undefined;
        return [];
      },
    };
  },
  words: (details) => ["number {waypoint}", details],
};
