/** The words for the kinds of alarms, by which the report names the kinds too. */
import { expect, test } from "vitest";
import { alarmKinds } from "../../../src/core/alarms/definitions.ts";
import { wordedKinds } from "../../../src/core/alarms/words.ts";

test("the words have the kinds in the order of their definitions", () => {
  const advice = "move the row of src/core/alarms/words.ts to the place that its kind has in alarmDefinitions";
  expect(wordedKinds, advice).toEqual(alarmKinds);
});
