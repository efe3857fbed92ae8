/**
 * Commands to the alarms, by the topics below `{prefix}/alarms`:
 *
 *     {id}/set, all/set      acknowledge | silence
 *     anchorWatch/set        {"radius": 40, "latitude": 52.1, "longitude": 4.2}, radius and position optional
 *     berth/set              {"latitude": 52.1, "longitude": 4.2}, position optional; "left": true, a place remembered
 *     manOverboard/set       {"press": "k3v9", "ago": 40, "latitude": 52.1, "longitude": 4.2}, all optional, in place
 *                            of the first two {"at": "2026-11-21T08:14:26Z"}; a list of them as hub-cand retains them;
 *                            {"press": "k3v9", "back": true}, or "at": one of them is back on board
 *     external/{id}/set      {"severity": "warning", "message": "Bilge", "expireAfterSec": 60}, expiry optional
 *     calls/{id}/set         a call of distress as hub-cand keeps it for its next start (`kept-call.ts`)
 *     sounding/set           alarms that sound without an answer, as hub-cand keeps them (`sounding.ts`)
 *
 * An empty payload or null ends the state of the last six.
 */
import * as z from "zod";
import { latitude, longitude } from "../nav/report-numbers.ts";
import { inUnit } from "../report/marks.ts";
import { jsonIn } from "../util/json-in.ts";
import { ANCHOR_RADIUS, severities } from "./constants.ts";
import type { Caller, CallKind } from "./distress.ts";
import { type KeptCall, keptCall } from "./kept-call.ts";
import { pressName } from "./report.ts";
import { clockSet } from "./set-clock.ts";
import { type KeptSounding, keptSounding } from "./sounding.ts";
import { alarmWords, MAX_PERSON_NUMBER, MAX_PERSONS } from "./words.ts";

/** Maximum bytes of a payload; six persons have at most 937, a call of distress with three places 490. */
export const MAX_COMMAND_BYTES = 1024;

/** Payload of `{id}/set`, without quotes. */
export const alarmAnswer = z.enum(["acknowledge", "silence"]).describe("bare text without quotes");
export type AlarmAnswer = z.infer<typeof alarmAnswer>;

const place = { latitude: latitude.optional(), longitude: longitude.optional() };

function hasWholePosition({ latitude, longitude }: { latitude?: unknown; longitude?: unknown }): boolean {
  return (latitude === undefined) === (longitude === undefined);
}

/** Payload of `anchorWatch/set`. Without a position the anchor is where the boat is. */
export const anchorWatchCommand = z
  .strictObject({
    radius: inUnit(
      "m",
      z.number().min(ANCHOR_RADIUS[0]).max(ANCHOR_RADIUS[1]),
      (metres) => `${metres}; by default as in the settings`,
    ).optional(),
    ...place,
  })
  .refine(hasWholePosition);

/** Payload of `berth/set`. Without a position the berth is where the boat is. */
export const berthCommand = z
  .strictObject({
    ...place,
    left: z.literal(true).describe("the boat has left it: hub-cand remembers the place").optional(),
  })
  .refine(hasWholePosition)
  .refine(({ left, latitude }) => left === undefined || latitude !== undefined);

/** Without a position the person is where the boat was then, without a time it is now. */
const personOverboard = z
  .strictObject({
    ...place,
    press: pressName
      .describe("names the press, by which persons are told apart; sent again, it is the same person; absent: `at`")
      .optional(),
    ago: inUnit("s", z.number().min(0), (seconds) => `${seconds} since the press`).optional(),
    at: z.iso.datetime().describe("when the person fell, for a program that knows the clock of the boat").optional(),
    clockSetSec: clockSet.optional(),
    number: z
      .int()
      .min(1)
      .max(MAX_PERSON_NUMBER)
      .describe("number of the person, by which the alarm is named; absent: one more than the highest that was given")
      .optional(),
  })
  .refine(hasWholePosition);
const personBack = z
  .strictObject({
    press: pressName.describe("as the alarm has it").optional(),
    at: z.iso.datetime().describe("as it was sent, or as `first` of the alarm has it").optional(),
    back: z.literal(true).describe("the person is back on board"),
  })
  .refine(({ press, at }) => press !== undefined || at !== undefined);

/** Payload of `manOverboard/set`: a person, one that is back on board, or persons as hub-cand retains several. */
export const manOverboardCommand = z.union([
  personOverboard,
  personBack,
  z.array(personOverboard).min(1).max(MAX_PERSONS),
]);

/** Payload of `external/{id}/set`. */
export const externalAlarmCommand = z.strictObject({
  severity: z.enum(severities),
  message: z.string().trim().min(1).max(200),
  expireAfterSec: inUnit(
    "s",
    z.int().min(1).max(86_400),
    "it ends after so long unless it is sent again; absent: never",
  ).optional(),
});

/**
 * The first level of an alarm of another program, as it stands in topics, paths and ids; that of a call that is kept.
 */
const EXTERNAL = "external/";
const CALLS = "calls/";
const callId = /^(manOverboard|distress)-(?:device-(0|[1-9][0-9]{0,19})|(0|[1-9][0-9]{0,9}))$/;
const externalId = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,31}$/;

export type PersonOverboard = z.infer<typeof personOverboard>;

export type AlarmCommand =
  | { readonly kind: "answer"; readonly id: string; readonly answer: AlarmAnswer }
  | { readonly kind: "watchAnchor"; readonly watch: z.infer<typeof anchorWatchCommand> }
  | { readonly kind: "endAnchorWatch" }
  | { readonly kind: "giveBerth"; readonly berth: z.infer<typeof berthCommand> }
  | { readonly kind: "endBerth" }
  | { readonly kind: "pressManOverboard"; readonly persons: readonly PersonOverboard[] }
  /** Of one person by her press or her time; without both: all. */
  | { readonly kind: "releaseManOverboard"; readonly press?: string | undefined; readonly at?: string | undefined }
  | { readonly kind: "raiseExternal"; readonly id: string; readonly alarm: z.infer<typeof externalAlarmCommand> }
  | { readonly kind: "endExternal"; readonly id: string }
  | { readonly kind: "restoreSounding"; readonly sounding: KeptSounding | undefined }
  | RestoreCall;

/** `call` is undefined if another client has removed it. */
export interface RestoreCall {
  readonly kind: "restoreCall";
  /** Id of the alarm of the call. */
  readonly id: string;
  readonly callKind: Exclude<CallKind, "beaconTest">;
  readonly of: Caller;
  readonly call: KeptCall | undefined;
}

type State = (payload: unknown) => AlarmCommand | undefined;

/** Targets whose payload is an object, or ends what the object began. */
const states: Readonly<Record<string, State>> = {
  anchorWatch(payload) {
    if (payload === null) return { kind: "endAnchorWatch" };
    const { data } = anchorWatchCommand.safeParse(payload);
    return data && { kind: "watchAnchor", watch: data };
  },
  berth(payload) {
    if (payload === null) return { kind: "endBerth" };
    const { data } = berthCommand.safeParse(payload);
    return data && { kind: "giveBerth", berth: data };
  },
  sounding(payload) {
    const { data, success } = keptSounding.optional().safeParse(payload ?? undefined);
    return success ? { kind: "restoreSounding", sounding: data } : undefined;
  },
  manOverboard(payload) {
    if (payload === null) return { kind: "releaseManOverboard" };
    const { data } = manOverboardCommand.safeParse(payload);
    if (data === undefined) return undefined;
    if ("back" in data) return { kind: "releaseManOverboard", press: data.press, at: data.at };
    return { kind: "pressManOverboard", persons: Array.isArray(data) ? data : [data] };
  },
};

const externalState =
  (id: string): State =>
  (payload) => {
    if (payload === null) return { kind: "endExternal", id };
    const { data } = externalAlarmCommand.safeParse(payload);
    return data && { kind: "raiseExternal", id, alarm: data };
  };

function callState(id: string): State {
  const [, callKind, device, subject] = callId.exec(id) ?? [];
  return (payload) => {
    const { data, success } = keptCall.optional().safeParse(payload ?? undefined);
    if (callKind === undefined || !success) return undefined;
    return {
      kind: "restoreCall",
      id,
      callKind: callKind as RestoreCall["callKind"],
      of: device === undefined ? { subject: Number(subject) } : { device },
      call: data,
    };
  };
}

function stateOf(target: string): State | undefined {
  if (Object.hasOwn(states, target)) return states[target];
  if (target.startsWith(CALLS)) return callState(target.slice(CALLS.length));
  if (!target.startsWith(EXTERNAL)) return undefined;
  const id = target.slice(EXTERNAL.length);
  return externalId.test(id) ? externalState(id) : () => undefined;
}

/** Returns undefined for a payload that is not a command. */
export function alarmCommandOf(target: string, payload: string): AlarmCommand | undefined {
  const state = stateOf(target);
  const answer = alarmAnswer.options.find((each) => each === payload);
  // The person overboard is a state and a kind of alarms: its topic takes answers too.
  if (state === undefined || (answer !== undefined && Object.hasOwn(alarmWords, target)))
    return answer && { kind: "answer", id: target, answer };
  const json = payload === "" ? null : jsonIn(payload);
  return json === undefined ? undefined : state(json);
}
