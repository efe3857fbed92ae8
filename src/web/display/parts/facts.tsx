/**
 * A definition list of names and values; an expired or implausible value is struck out, and one with an alarm is
 * marked.
 */

import type { ComponentChildren } from "preact";
import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { markClass } from "../alarms/places.ts";
import { say } from "../languages/say.ts";

/** The reason why a value is struck out: its device is silent, or the value is implausible. */
export type Struck = boolean | "implausible";

export type Fact = readonly [
  name: string,
  /** Undefined: the row is left out. */
  value: string | undefined,
  struck?: Struck,
  alarm?: ActiveAlarm | undefined,
  /** Shown in place of the name. */
  label?: ComponentChildren,
];

export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== undefined)
        .map(([name, value, struck = false, alarm, label = name]) => (
          <div key={name} class={`${struck === true ? "dead" : struck || ""} ${markClass(alarm)}`}>
            <dt>
              {label}
              {struck === "implausible" && <small> {say("implausible")}</small>}
            </dt>
            <dd>
              <AlarmMark alarm={alarm} />
              {value}
            </dd>
          </div>
        ))}
    </dl>
  );
}
