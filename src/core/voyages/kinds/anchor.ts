/** The anchor is down while its watch is set. */
import type { Kind, Watcher } from "./kind.ts";

function anchor(isDown: boolean): () => Watcher {
  return () => {
    let wasDown = false;
    return {
      recall({ kind, details }) {
        if (kind === "anchorDown" || kind === "anchorUp") wasDown = kind === "anchorDown";
        else if (kind === "begin") wasDown = details?.anchor === "down";
      },
      hear: ({ isAnchorWatched, unheardMs }) =>
        isAnchorWatched === isDown && wasDown !== isDown ? [{ details: {}, unheardMs }] : [],
    };
  };
}

export const anchorDown: Kind = { name: "anchorDown", title: "Anchor down", watch: anchor(true) };
export const anchorUp: Kind = { name: "anchorUp", title: "Anchor up", watch: anchor(false) };
