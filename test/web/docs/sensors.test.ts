/** docs/sensors.md: its tables are those of the code, and its example is understood. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_SENSOR_MESSAGES } from "../../../src/adapters/node/mqtt/sensor-source.ts";
import { quantityNamed, quantityNames } from "../../../src/core/sensors/quantities.ts";
import { MAX_PAYLOAD_BYTES } from "../../../src/core/sensors/reading.ts";
import { readyRows } from "../../../src/core/sensors/ready.ts";
import { unitsLike } from "../../../src/core/sensors/units.ts";
import { MAX_SENSOR_ROWS, sensorSettings } from "../../../src/core/settings/sensors.ts";

const page = readFileSync("docs/sensors.md", "utf8");
const code = (text: string | undefined): string => (text === undefined ? "" : `\`${text}\``);
const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

test.each(quantityNames)("the table has the quantity %s", (name) => {
  const { definition, member, unit, kind, periodSec } = quantityNamed(name);
  const units = unitsLike(unit).map((each) => (each === unit ? `**${each}**` : each));
  const kinds = kind === undefined ? "" : (kind.byDefault ?? `${kind.choices.join(", ")}`);
  expect(page).toContain(
    line([code(name), `${definition.pgn} \`${member}\``, units.join(", "), kinds, String(periodSec)]),
  );
});

test.each(Object.entries(readyRows).flatMap(([system, rows]) => rows.map((each) => [system, each] as const)))(
  "the table of %s has %j",
  (_, { topic, word, pointer, quantity, unit }) => {
    const shown = word === undefined ? topic : topic.replace(/\+\/state$/, `…${word}/state`);
    expect(page).toContain(line([code(shown), code(pointer), code(quantity), unit]));
  },
);

test("the example is understood, and the limits are those of the code", () => {
  const [, json] = /```json sensors\n(.*?)```/s.exec(page)!;
  const { settings, warnings } = sensorSettings.read(JSON.parse(json!));
  expect(warnings).toEqual([]);
  expect(settings.rows.length).toBeGreaterThan(3);
  for (const limit of [`${MAX_SENSOR_ROWS} rows`, `${MAX_SENSOR_MESSAGES} messages`, `${MAX_PAYLOAD_BYTES >> 10} KiB`])
    expect(page).toContain(limit);
});
