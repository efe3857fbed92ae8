/** The report of the alarms: one schema, from which type, text, JSON Schema and reference follow. */
import * as z from "zod";
import { direction, latitude, longitude } from "../nav/report-numbers.ts";
import { envelopeOf } from "../report/envelope.ts";
import { inUnit } from "../report/marks.ts";
import { decimal } from "../report/number.ts";
import { sentencesSchema } from "../report/sentence.ts";
import { severities } from "./constants.ts";
import { clockSet } from "./set-clock.ts";
import { alarmKinds, MAX_PERSON_NUMBER } from "./words.ts";

/** Maximum alarms of a report: a hostile bus could send a thousand ships on a collision course. */
export const MAX_ALARMS = 50;
/** Maximum alarms of the history. */
export const MAX_HISTORY = 200;

export const place = z.strictObject({ latitude, longitude });

/** Also a time, which names the press of a program that sends its time alone. */
export const pressName = z.string().regex(/^[\w.:-]{1,24}$/);

export const firstReport = z
  .strictObject({
    at: z.iso.datetime().describe("by the clock of the boat as it was set then"),
    clockSetSec: clockSet.optional(),
    position: place.optional(),
    boat: place.describe("where the boat was then").optional(),
  })
  .describe("the first report of a call of distress");

const activeAlarm = z.strictObject({
  id: z
    .string()
    .describe("kind, hyphen and the key of the alarm within its kind; part of the topic that acknowledges it"),
  kind: z.enum(alarmKinds),
  title: z.string().describe("in English; of an alert or an alarm of a program its own words"),
  severity: z.enum(severities),
  state: z
    .enum(["active", "silenced", "acknowledged"])
    .describe("active: it sounds; silenced: it sounds again after 30 seconds; acknowledged: it is shown until it ends"),
  unanswered: z
    .boolean()
    .describe("true: an alarm or emergency that has sounded for 30 seconds without an answer; else absent")
    .optional(),
  subject: z
    .int()
    .min(0)
    .describe(
      "instance of the engine or battery, MMSI of the ship or beacon; below 10: a button or a call without an MMSI",
    )
    .optional(),
  name: z.string().describe("name of the ship or device; of an engine or battery as the crew calls it").optional(),
  press: pressName.describe("of a person whom the button has marked: what names the press").optional(),
  person: z
    .int()
    .min(1)
    .max(MAX_PERSON_NUMBER)
    .describe("of a person whom the button has marked: the number")
    .optional(),
  addresses: z
    .array(z.int().min(0))
    .describe("addresses of the devices whose messages raise it; absent: it is of no message with an instance")
    .optional(),
  value: decimal(2).optional(),
  limit: decimal(2).optional(),
  minutes: inUnit("min", decimal(1).min(0), (minutes) => `${minutes} until the closest approach`).optional(),
  unit: z.string().describe("of value and limit").optional(),
  text: z.string().describe("description in English: the kind of beacon, the words of a device").optional(),
  sentences: sentencesSchema
    .describe("the parts of `text` for translations; absent: words of another one, or none")
    .optional(),
  position: place.describe("where it is, as last reported").optional(),
  range: inUnit("NM", decimal(3).min(0), (nauticalMiles) => `from the boat, ${nauticalMiles}`).optional(),
  bearing: inUnit("deg", direction.lt(360), (degrees) => `from the boat, ${degrees} true`).optional(),
  first: firstReport.optional(),
  since: z.iso.datetime().describe("when it was raised; by a start of hub-cand, if it did not ring before that"),
  clockSetSec: clockSet.optional(),
});

/** Characters of a text of the history. */
export const MAX_PAST_TEXT = 100;

const { id, kind, title, severity, subject, press, person, name, limit, unit, text, sentences, since } =
  activeAlarm.shape;

/** An alarm as the history has it. */
const pastAlarm = z.strictObject({
  id,
  kind,
  title,
  severity,
  subject,
  press,
  person,
  name,
  value: decimal(2).describe("the one that was farthest beyond the limit").optional(),
  limit,
  unit,
  text,
  sentences,
  since,
  until: z.iso.datetime().describe("when it ended; absent: it lasts, or its end is not known").optional(),
  endedBefore: z.iso
    .datetime()
    .describe("a start of hub-cand since which it has not rung again; absent: it lasts, or its end is known")
    .optional(),
  acknowledged: z.iso
    .datetime()
    .describe(
      "when it was acknowledged, before `since` by an earlier answer that still counts; absent: not yet, or never",
    )
    .optional(),
});

export const watchStates = ["on", "quiet", "no data", "off"] as const;

const anchorWatch = z.strictObject({
  latitude,
  longitude,
  radius: inUnit("m", decimal(0).min(1)),
  distance: inUnit("m", decimal(0).min(0), (metres) => `${metres} from the boat to the anchor`).optional(),
});

export const alarmsData = z.strictObject({
  alarms: z.array(activeAlarm).max(MAX_ALARMS).describe("active alarms, the most dangerous first"),
  leftOut: z
    .partialRecord(z.enum(alarmKinds), z.int().min(1))
    .describe(
      "how many more alarms of a kind there are, active or ended without an answer, for which there is no room; absent: none",
    )
    .optional(),
  watching: z
    .partialRecord(z.enum(alarmKinds), z.enum(watchStates))
    .describe("state of each watch; quiet: not watched where the boat is, by her state at rest; off: by the settings"),
  unheardLimits: z
    .array(z.string())
    .describe("ids of limits of the crew's own that are not watched, because no value arrives; absent: none")
    .optional(),
  rectified: z
    .array(pastAlarm)
    .max(MAX_ALARMS)
    .describe("alarms that have ended without an answer, the newest first, until they are acknowledged; absent: none")
    .optional(),
  starting: z
    .boolean()
    .describe("true: hub-cand has just started, and alarms of before may not be raised again yet; else absent")
    .optional(),
  rest: z
    .enum(["berth", "anchor", "harbour", "still"])
    .describe(
      "berth: at a berth that the crew has given; anchor: at an anchor that is watched; still: within 30 metres for ten minutes, so that either may be offered; harbour: still among ships that lie; absent: under way, or not known",
    )
    .optional(),
  berth: place
    .extend({ distance: inUnit("m", decimal(0).min(0), (metres) => `${metres} from the boat`).optional() })
    .describe("the berth that the crew has given, until the boat leaves it by 50 metres")
    .optional(),
  anchorWatch: anchorWatch.optional(),
});

export const alarmHistoryData = z.strictObject({
  alarms: z.array(pastAlarm).max(MAX_HISTORY).describe("the last alarms, the newest first"),
});

export const alarmsMessage = envelopeOf(alarmsData);

export const alarmHistoryMessage = envelopeOf(alarmHistoryData);

export type PastAlarm = z.infer<typeof pastAlarm>;
export type AlarmsData = z.infer<typeof alarmsData>;
export type ActiveAlarm = z.infer<typeof activeAlarm>;
