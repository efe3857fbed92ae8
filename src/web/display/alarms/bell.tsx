/** A struck-out bell in the head of every page while this screen cannot sound, or is set to be silent. */

import { settings } from "../data/settings.ts";
import { said, say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Icon } from "../parts/icon.tsx";
import { type SoundState, soundState } from "./alarm-sound.ts";

/** Texts of the bar and the page of the alarms if the screen is set to sound. */
const soundTexts: Readonly<Record<SoundState, PlainText | "">> = {
  locked: "touch the screen to hear alarms",
  interrupted: "sound was interrupted: touch the screen to hear alarms",
  ready: "",
  unavailable: "this browser has no sound",
};

export const soundText = (state: SoundState): string => said(soundTexts[state]);

/** The bell. A touch of it permits the sound, as any touch does, and does nothing else. */
export function Bell() {
  const { sound } = settings.value;
  const text = sound ? soundText(soundState.value) : say("alarms are silent here");
  if (text === "") return null;
  return (
    <button
      type="button"
      class="bell"
      data-id="bell"
      aria-label={say("No sound: {text}", { text })}
      title={text}
      // Any key permits the sound too, and takes the bell away: the focus would go with it.
      tabIndex={sound ? -1 : 0}
      onClick={() => {
        // The setting to be silent is on the page of the alarms.
        if (!sound) location.hash = "#/alarms";
      }}
    >
      <Icon d="M6 17C7 15 7 13 7 10A5 5 0 0 1 17 10C17 13 17 15 18 17ZM10 20A2 2 0 0 0 14 20M4 3L20 22" />
    </button>
  );
}
