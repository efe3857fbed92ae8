/**
 * Points in InfluxDB line protocol, which InfluxDB, VictoriaMetrics, QuestDB and Telegraf read:
 *
 *     battery_status,bus=can/can0,address=20,device=13854948221379412976,instance=1 voltageV=12.5 1795260593277000000
 *
 * Numbers are written without a type suffix, because a field of InfluxDB keeps the type of its first value; true is 1.
 */

import { tagText } from "../../core/topics/measurements.ts";

/** Tags and fields in the order in which they are written. */
export interface Point {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, number>>;
  /** Wall clock, milliseconds since 1970. */
  readonly time: number;
}

/** Escapes blank, comma and equals sign, which end a name. */
const escaped = (text: string): string => tagText(text).replaceAll(/[ ,=]/g, "\\$&");

/** The line of a point, with its end; undefined for a point without fields. */
export function lineOf({ measurement, tags, fields, time }: Point): string | undefined {
  const values = Object.entries(fields).map(([name, value]) => `${escaped(name)}=${value}`);
  if (values.length === 0) return undefined;
  const named = Object.entries(tags).map(([name, value]) => `,${escaped(name)}=${escaped(value)}`);
  return `${escaped(measurement)}${named.join("")} ${values.join(",")} ${time}000000\n`;
}
