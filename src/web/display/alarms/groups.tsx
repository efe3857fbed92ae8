/** One answer for many alarms of a kind: forty ships are not forty answers. Persons are answered one by one. */

import { alarmWords } from "../../../core/alarms/words.ts";
import { said, say } from "../languages/say.ts";
import { HoldButton } from "../parts/hold-button.tsx";
import { type ActiveAlarm, type AlarmsData, canCommand } from "./alarms.ts";
import { acknowledgeThese } from "./ringing.ts";

/** Fewer are answered as fast one by one. */
const LEAST = 3;

interface Group {
  readonly kind: ActiveAlarm["kind"];
  readonly ids: readonly string[];
}

const groupsOf = (alarms: readonly ActiveAlarm[]): readonly Group[] => {
  const unanswered = alarms.filter(({ state, severity }) => state !== "acknowledged" && severity !== "emergency");
  return [...new Set(unanswered.map(({ kind }) => kind))]
    .map((kind) => ({ kind, ids: unanswered.filter((alarm) => alarm.kind === kind).map(({ id }) => id) }))
    .filter(({ ids }) => ids.length >= LEAST);
};

/** A kind of a newer hub-cand has no words here. */
function countText(kind: Group["kind"], count: number): string {
  const words = (alarmWords as Partial<typeof alarmWords>)[kind];
  return words?.subject === "MMSI"
    ? say("{count} ships", { count })
    : say("{count} alarms, {watched}", { count, watched: said(words?.watched ?? kind) });
}

export function GroupAnswers({ data: { alarms } }: { readonly data: AlarmsData }) {
  const groups = canCommand ? groupsOf(alarms) : [];
  if (groups.length === 0) return null;
  return (
    <div class="groups" data-id="group-answers">
      {groups.map(({ kind, ids }) => (
        <HoldButton key={kind} of={ids.join()} onHeld={() => acknowledgeThese(ids)}>
          {say("{alarms}: acknowledge all of these", { alarms: countText(kind, ids.length) })}
        </HoldButton>
      ))}
    </div>
  );
}
