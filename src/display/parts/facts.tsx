/** A definition list of names and values; a value that is dead is struck out, and one that rings is marked. */
import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { markClass } from "../alarms/places.ts";

export type Fact = readonly [name: string, value: string, isDead?: boolean, alarm?: ActiveAlarm | undefined];

export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value, isDead = false, alarm]) => (
        <div key={name} class={`${isDead ? "dead" : ""} ${markClass(alarm)}`}>
          <dt>{name}</dt>
          <dd>
            <AlarmMark alarm={alarm} />
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
