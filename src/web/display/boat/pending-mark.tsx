/** The mark in the head that something of the settings is not in force, on pages that do not change settings. */
import { secondTick } from "../data/frame-tick.ts";
import { store } from "../data/store.ts";
import { say } from "../languages/say.ts";
import { Icon } from "../parts/icon.tsx";
import { barOf, changesText, isBarShown } from "./deployment-bar.ts";
import { pendingOfBoat } from "./state.ts";

export function PendingMark({ page }: { readonly page: string }) {
  void secondTick.value;
  const count = pendingOfBoat.value.length;
  const ignored = store.health?.data.ignoredSettings?.length ?? 0;
  if (page === "boat" || (ignored === 0 && (count === 0 || isBarShown(page)))) return null;
  const words = count > 0 ? changesText(count) : say("Deployed, but not understood");
  const mark = <Icon d="M4 20V16L15 5L19 9L8 20ZM13 7L17 11" />;
  if (count === 0)
    return (
      <a class="pending-mark" href="#/boat/devices" aria-label={words} title={words} data-id="pending-mark">
        {mark}!
      </a>
    );
  return (
    <button
      type="button"
      class="pending-mark"
      aria-label={words}
      title={words}
      data-id="pending-mark"
      onClick={() => {
        barOf.value = page;
      }}
    >
      {mark}
      {count}
    </button>
  );
}
