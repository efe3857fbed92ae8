/** The button in the head of every page, and its question. */

import { useEffect, useRef } from "preact/hooks";
import { frameTick } from "../data/frame-tick.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { canCommand } from "./alarms.ts";
import { confirm, dismiss, isPersonMarked, press, question } from "./man-overboard.ts";

const DISTRESS = "#/distress";

export function ManOverboardButton() {
  if (!canCommand) return null;
  const isMarked = isPersonMarked(frameTick.value);
  return (
    <button
      type="button"
      class="mob"
      data-id="mob"
      aria-label={say("MOB, man overboard")}
      aria-pressed={isMarked}
      onClick={() => {
        if (press() || isMarked) location.hash = DISTRESS;
      }}
    >
      MOB
    </button>
  );
}

/** The question below the button, which takes the second press. */
export function ManOverboardQuestion() {
  const yes = useRef<HTMLButtonElement>(null);
  const isAsked = question.value !== undefined;
  useEffect(() => yes.current?.focus(), [isAsked]);
  if (!isAsked) return null;
  return (
    <div class="mob-question" role="alertdialog" aria-labelledby="mob-question" data-id="mob-question">
      <h2 id="mob-question">
        {isPersonMarked(frameTick.value) ? say("Another person overboard?") : say("Man overboard?")}
      </h2>
      <button
        type="button"
        class="mob-yes"
        ref={yes}
        onClick={() => {
          confirm();
          location.hash = DISTRESS;
        }}
      >
        {say("Yes, mark the place")}
      </button>
      <Button says="No" onClick={dismiss} />
    </div>
  );
}
