/** The buttons of commands to hub-cand. */
import type { ComponentChildren } from "preact";
import { notNowText } from "../data/link.ts";

/** The buttons, or why hub-cand would not get their commands. */
export function WhileHeard({ now, children }: { readonly now: number; readonly children: ComponentChildren }) {
  const notNow = notNowText(now);
  if (notNow === undefined) return <>{children}</>;
  return (
    <p class="hint" role="status">
      {notNow}
    </p>
  );
}
