/** A line that offers an anchor watch, without a sound, to a boat that lies still away from a harbour. */
import { signal } from "@preact/signals";
import { canCommand, currentAlarms } from "./alarms.ts";

/** Whether the offer was declined; false again when the boat moves. */
const isDeclined = signal(false);

export function AnchorOffer({ now }: { readonly now: number }) {
  const data = currentAlarms(now);
  if (!canCommand || data === undefined || data.anchorWatch !== undefined) return null;
  const { watching = {}, rest } = data;
  const liesStill = rest === "still";
  if (!liesStill) isDeclined.value = false;
  if (!liesStill || watching.cpa === "quiet" || watching.anchor === "off" || isDeclined.value) return null;
  if (location.hash === "#/anchor") return null;
  return (
    <aside class="alarm-bar acknowledged offer" data-id="anchor-offer">
      <p>
        <a href="#/anchor">Lying still: set an anchor watch</a>
      </p>
      <button
        type="button"
        onClick={() => {
          isDeclined.value = true;
        }}
      >
        No
      </button>
    </aside>
  );
}
