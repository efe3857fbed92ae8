/** A line that offers a berth or an anchor watch, without a sound, to a boat that lies still. */

import { signal } from "@preact/signals";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { canCommand, currentAlarms, giveBerth } from "./alarms.ts";

/** Whether the offer was declined; false again when the boat moves. */
const isDeclined = signal(false);

export const BerthButton = () => <Button says="At the berth" onClick={giveBerth} />;

export function AnchorOffer({ now }: { readonly now: number }) {
  const data = currentAlarms(now);
  if (!canCommand || data === undefined || data.anchorWatch !== undefined) return null;
  const { watching = {}, rest } = data;
  const liesStill = rest === "still" || rest === "harbour";
  if (!liesStill) isDeclined.value = false;
  if (!liesStill || isDeclined.value) return null;
  const mayAnchor = rest === "still" && watching.anchor !== "off";
  if (location.hash === "#/anchor") return null;
  return (
    <aside class="alarm-bar acknowledged offer" data-id="anchor-offer">
      <p>{mayAnchor ? <a href="#/anchor">{say("Lying still: set an anchor watch")}</a> : say("Lying still")}</p>
      <BerthButton />
      <Button
        says="No"
        onClick={() => {
          isDeclined.value = true;
        }}
      />
    </aside>
  );
}
