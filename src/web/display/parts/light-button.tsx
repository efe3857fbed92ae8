/** Day and night colours, and the button that changes them. */

import { effect } from "@preact/signals";
import { settings, toggleLight } from "../data/settings.ts";
import { say } from "../languages/say.ts";
import { Icon } from "./icon.tsx";
import { showLight } from "./light.ts";

effect(() => {
  const { light, lamp } = settings.value;
  showLight(light, lamp);
});

export function LightButton() {
  const { light } = settings.value;
  return (
    <button
      type="button"
      class="light"
      aria-label={light === "day" ? say("Night colours") : say("Day colours")}
      onClick={toggleLight}
    >
      <Icon
        d={
          light === "day"
            ? "M19 14A8 8 0 1 1 10 5A6.5 6.5 0 0 0 19 14Z"
            : "M12 8A4 4 0 1 1 11.9 8ZM12 2V4M12 20V22M2 12H4M20 12H22M5 5L6.5 6.5M17.500 17.5L19 19M19 5L17.5 6.5M6.5 17.5L5 19"
        }
      />
    </button>
  );
}
