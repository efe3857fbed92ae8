/** The last messages of engines, batteries and pilots, from which alarms read. */
import { expect, test } from "vitest";
import { LatestMessages } from "../../../src/core/alarms/latest-messages.ts";
import { kept } from "../../../src/core/alarms/reads.ts";
import { engineParametersDynamic } from "../../../src/core/n2k/pgns/propulsion.ts";

const deviceAt = (address: number) => ({ name: undefined, digits: "0", order: address, address });
const { pgn } = engineParametersDynamic;
const input = kept(engineParametersDynamic, { key: "engineInstance" });

test("what a message leaves out is that of an earlier one, for ten seconds", () => {
  const latest = new LatestMessages();
  const device = deviceAt(1);
  const hear = (arrived: number, message: object): unknown => {
    latest.hear(input, { pgn, ...message }, 0, { arrived, source: 1, device });
    latest.removeStale(arrived);
    return latest.of(input).get(0)![0]!.message;
  };
  hear(0, { temperatureC: 80, oilPressureKPa: 300 });
  expect(hear(4000, { oilPressureKPa: 310 })).toEqual({ pgn, temperatureC: 80, oilPressureKPa: 310 });
  expect(hear(8000, {})).toEqual({ pgn, temperatureC: 80, oilPressureKPa: 310 });
  // Ten seconds count from the message that had the value.
  expect(hear(10_000, {})).toEqual({ pgn, temperatureC: 80, oilPressureKPa: 310 });
  expect(hear(10_001, {})).toEqual({ pgn, oilPressureKPa: 310 });
  expect(hear(14_001, {})).toEqual({ pgn });
});

test("one device completes no message of another one", () => {
  const latest = new LatestMessages();
  latest.hear(input, { pgn, temperatureC: 80 }, 0, { arrived: 0, source: 1, device: deviceAt(1) });
  latest.hear(input, { pgn, oilPressureKPa: 300 }, 0, { arrived: 0, source: 2, device: deviceAt(2) });
  latest.removeStale(0);
  expect(
    latest
      .of(input)
      .get(0)!
      .map(({ message }) => message),
  ).toEqual([
    { pgn, temperatureC: 80 },
    { pgn, oilPressureKPa: 300 },
  ]);
});
