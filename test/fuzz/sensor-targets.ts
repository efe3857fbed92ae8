/** Messages of any client of a broker with sensors: they give messages whose values are within their limits. */
import { decoderOf } from "../../src/core/n2k/decode.ts";
import { quantityNamed, quantityNames } from "../../src/core/sensors/quantities.ts";
import { suggestedRows } from "../../src/core/sensors/ready.ts";
import { Sensors } from "../../src/core/sensors/sensors.ts";
import { readSensorRow } from "../../src/core/settings/sensors.ts";
import { check, type Target, text } from "./target.ts";

const pointers = [undefined, "/value", "/a/0/b", "/last~1seen"];

/** A row of each quantity, of one device each, that all read the topic `s`. */
const rows = quantityNames.map((quantity, at) => {
  const kind = quantityNamed(quantity).kind?.choices[0];
  const pointer = pointers[at % pointers.length];
  const row = readSensorRow({
    ...{ name: quantity, topic: "s", quantity, time: "/t" },
    ...(kind !== undefined && { kind }),
    ...(pointer !== undefined && { pointer }),
  });
  if ("problem" in row) throw new Error(row.problem);
  return row;
});
const definitions = new Map(
  quantityNames.map((name) => [quantityNamed(name).definition.pgn, quantityNamed(name).definition] as const),
);
const WALL = Date.UTC(2026, 10, 21);

export const sensorTargets: readonly Target[] = [
  {
    name: "topics of sensors",
    seeds: [
      text('{"value":13.31,"max":50}'),
      text('{"value":"21.5","t":"2026-11-21T00:00:00Z"}\n{"a":[{"b":-3e2}],"t":1795219200}'),
      text('21.5\n-4\n1e3\nnan\n""\n{"value":null}\n{"last/seen":5}'),
      text('[[[[{"a":[{"b":{}}]}]]]]'),
    ],
    run(bytes) {
      const sensors = new Sensors("mqtt:", () => {});
      sensors.setRows(rows);
      let now = 1000;
      for (const payload of new TextDecoder().decode(bytes).split("\n").slice(0, 100)) {
        now += 500;
        sensors.hear({ topic: "s", payload, isRetained: payload.length % 7 === 0 }, now, WALL);
        suggestedRows(`home/x/BTtoMQTT/${payload.slice(0, 5)}`, payload);
        sensors.advance(now, (address, said) => {
          check(address >= 0 && address < 252, "an address that no device has");
          for (const { pgn, payload: made } of said) {
            const definition = definitions.get(pgn);
            if (definition === undefined) continue;
            const values = Object.values(decoderOf(definition)(made, 0, made.length, address));
            check(
              values.every((value) => typeof value !== "number" || Number.isFinite(value)),
              "a value that is no number",
            );
          }
        });
      }
    },
  },
];
