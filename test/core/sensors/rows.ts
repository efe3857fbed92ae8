/** Rows of sensors, and the messages that hub makes of them, decoded. */
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { warningText } from "../../../src/core/report/read-entry.ts";
import { quantityNamed } from "../../../src/core/sensors/quantities.ts";
import type { SensorRow } from "../../../src/core/sensors/reading.ts";
import { Sensors } from "../../../src/core/sensors/sensors.ts";
import { readSensorRow } from "../../../src/core/settings/sensors.ts";

/** A row as the settings have it, read. */
export function row(members: Readonly<Record<string, unknown>>): SensorRow {
  const read = readSensorRow({ name: "Sensor", topic: "a/b", quantity: "temperature", ...members });
  if ("problem" in read) throw new Error(warningText(read));
  return read;
}

export interface Heard {
  readonly address: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const SYSTEM = new Set([60928, 126996]);

/** The sensors of a network, with what they tell. */
export function sensors(rows: readonly SensorRow[], network = "mqtt:") {
  const clocks: string[] = [];
  const all = new Sensors(network, ({ name }, aheadMs) => clocks.push(`${name} ${Math.round(aheadMs / 1000)}`));
  all.setRows(rows);
  const definitions = new Map<number, Definition>();
  const learn = (more: readonly SensorRow[]): void => {
    for (const { quantity } of more) {
      const { definition } = quantityNamed(quantity);
      definitions.set(definition.pgn, definition);
    }
  };
  learn(rows);
  const start = Date.UTC(2026, 10, 21);
  let wall = start;
  let now = 1000;
  const introduced = new Map<number, Uint8Array>();
  return {
    all,
    clocks,
    introduced,
    setRows(more: readonly SensorRow[]): void {
      learn(more);
      all.setRows(more);
    },
    pass(seconds: number): void {
      now += seconds * 1000;
      wall += seconds * 1000;
    },
    start,
    get passed(): number {
      return now / 1000 - 1;
    },
    setClock(bySeconds: number): void {
      wall += bySeconds * 1000;
    },
    get wall(): number {
      return wall;
    },
    hear(topic: string, payload: string | undefined, isRetained = false): void {
      all.hear({ topic, payload, isRetained }, now, wall);
    },
    /** The messages that are due, without those about the devices. */
    told(): readonly Heard[] {
      const heard: Heard[] = [];
      all.advance(now, (address, said) => {
        for (const { pgn, payload } of said) {
          if (pgn === 60928) introduced.set(address, payload);
          if (SYSTEM.has(pgn)) continue;
          const data = decoderOf(definitions.get(pgn)!)(payload, 0, payload.length, address);
          heard.push({ address, data: data as Heard["data"] });
        }
      });
      return heard;
    },
  };
}
