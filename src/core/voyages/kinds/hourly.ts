/** An entry at each full interval under way. */
import type { Kind } from "./kind.ts";

export const hourly: Kind = {
  name: "hourly",
  title: "Under way",
  watch: () => {
    let last = Number.POSITIVE_INFINITY;
    return {
      recall({ kind, time }) {
        if (kind === "begin" || kind === "underway" || kind === "hourly") last = time;
      },
      hear: ({ time, setAheadMs, isUnderway, entryEveryMs }) => {
        const hourOf = (each: number): number => Math.floor((each + setAheadMs) / entryEveryMs);
        return isUnderway && hourOf(time) > hourOf(last) ? [{ details: {} }] : [];
      },
    };
  },
};
