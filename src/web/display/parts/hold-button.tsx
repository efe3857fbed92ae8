/** A button that acts when it has been held for a second, so that a touch by accident does nothing. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../languages/say.ts";

const HOLD_MS = 1000;

interface HoldButtonProps {
  readonly onHeld: () => void;
  /** The object of the action: a press that began before it changed does nothing. */
  readonly of: string;
  readonly children: ComponentChildren;
}

const isPress = ({ key, repeat }: KeyboardEvent): boolean => (key === "Enter" || key === " ") && !repeat;

export function HoldButton({ onHeld, of, children }: HoldButtonProps) {
  const [isHeld, setHeld] = useState(false);
  const act = useRef(onHeld);
  act.current = onHeld;
  useEffect(() => {
    if (!isHeld) return;
    const timer = setTimeout(() => {
      setHeld(false);
      act.current();
    }, HOLD_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  useEffect(() => setHeld(false), [of]);
  const release = (): void => setHeld(false);
  return (
    <button
      type="button"
      class={isHeld ? "hold held" : "hold"}
      onPointerDown={({ isPrimary, button }) => setHeld(isPrimary && button === 0)}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => isPress(event) && setHeld(true)}
      onKeyUp={release}
      onBlur={release}
    >
      {children} <small>{say("press and hold")}</small>
    </button>
  );
}
