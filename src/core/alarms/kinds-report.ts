/**
 * The kinds of the active alarms, a report that changes only with them: for programs with a switch for each kind, which
 * the report of the alarms would turn with each value that it measures.
 */
import * as z from "zod";
import { envelopeOf } from "../report/envelope.ts";
import type { AlarmsData } from "./report.ts";
import { alarmKinds } from "./words.ts";

const alarmKindsData = z.strictObject({
  kinds: z.array(z.enum(alarmKinds)).describe("of the active alarms, each once"),
  unanswered: z
    .boolean()
    .describe("whether one of them is an alarm or emergency that has sounded for 30 seconds without an answer"),
});

export const alarmKindsMessage = envelopeOf(alarmKindsData);

export const kindsOf = ({ alarms }: AlarmsData): z.infer<typeof alarmKindsData> => ({
  kinds: alarmKinds.filter((kind) => alarms.some((alarm) => alarm.kind === kind)),
  unanswered: alarms.some(({ unanswered }) => unanswered),
});
