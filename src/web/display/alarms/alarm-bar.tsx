/** The most dangerous alarm, above every page, with its answers. */

import type { ComponentChildren } from "preact";
import { alarmWords } from "../../../core/alarms/words.ts";
import { frameTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { bearingText } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { soundState } from "./alarm-sound.ts";
import { type ActiveAlarm, canCommand, currentAlarms, subjectText, valueText } from "./alarms.ts";
import { AnchorOffer, BerthButton } from "./anchor-offer.tsx";
import { soundText } from "./bell.tsx";
import { type Call, callsNow, lineTo, rangeText } from "./calls.ts";
import type { Loss } from "./loss.ts";
import { hrefOf } from "./places.ts";
import {
  acknowledge,
  acknowledgeLoss,
  LOSS_TITLE,
  lossHere,
  lossStateHere,
  silence,
  silenceLoss,
  stateHere,
} from "./ringing.ts";

interface AnswersProps {
  /** Id of the element that names the alarm. */
  readonly of: string;
  readonly state: ActiveAlarm["state"];
  /** Whether the buttons stay after the answer, so that nothing moves below a finger. */
  readonly isFixed?: boolean;
  readonly silence: () => void;
  readonly acknowledge: () => void;
}

export function Answers({ of, state, isFixed = false, silence, acknowledge }: AnswersProps) {
  const isAnswered = state === "acknowledged";
  if (isAnswered && !isFixed) return null;
  return (
    <>
      <Button
        says={state === "silenced" ? "Silent" : "Silence"}
        disabled={state !== "active"}
        onClick={silence}
        aria-describedby={of}
      />
      <Button says="Acknowledge" disabled={isAnswered} onClick={acknowledge} aria-describedby={of} />
    </>
  );
}

const BAR = "bar-alarm";

interface BarProps {
  readonly kind: string;
  readonly state: ActiveAlarm["state"];
  readonly children: ComponentChildren;
  readonly answers: ComponentChildren;
}

function Bar({ kind, state, children, answers }: BarProps) {
  const isAnswered = state === "acknowledged";
  const hint = settings.value.sound ? soundText(soundState.value) : "";
  return (
    <aside class={`alarm-bar ${kind} ${state}`} data-id="alarm-bar">
      <p id={BAR} role={isAnswered ? undefined : "alert"}>
        {children}
        {!isAnswered && hint !== "" && <small>{hint}</small>}
      </p>
      {answers}
    </aside>
  );
}

/** The title of an alarm, and its subject if it has one: of two persons both. */
const namedText = (alarm: ActiveAlarm): string => [said(alarm.title), subjectText(alarm)].filter(Boolean).join(" ");

/** The persons in the water, those that a screen has released aside. */
const personsNow = (now: number): readonly Call[] =>
  callsNow(now).filter(({ isPerson, isReleased }) => isPerson && !isReleased);

/** Which person, or the way to her where she is the only one. */
function whichText(call: Call, now: number): string {
  const { bearing, range, isOld } = lineTo(call, now);
  if (call.subject !== "" || isOld || bearing === undefined || range === undefined) return call.subject;
  return `${bearingText(bearing)}\u202f°T ${rangeText(range).join("\u202f")}`;
}

interface PersonsProps {
  readonly of: readonly Call[];
  /** Behind another person, who has the title. */
  readonly isMore?: boolean;
  readonly now: number;
}

/** Persons overboard stay in sight, answered or not. */
function Persons({ of: persons, isMore = false, now }: PersonsProps) {
  const [first] = persons;
  if (first === undefined) return null;
  return (
    <a href="#/distress" data-id="bar-persons">
      {!isMore && <b>{said(first.title)}</b>}{" "}
      <span>{[...new Set(persons.map((each) => whichText(each, now)))].filter(Boolean).join(", ")}</span>
    </a>
  );
}

function LossBar({ loss, now }: { readonly loss: Loss; readonly now: number }) {
  const state = loss.isDangerous ? lossStateHere(now) : "acknowledged";
  const known = currentAlarms(now)?.alarms ?? [];
  return (
    <Bar
      kind={loss.isDangerous ? "alarm unwatched" : "unwatched"}
      state={state}
      answers={<Answers of={BAR} state={state} silence={silenceLoss} acknowledge={acknowledgeLoss} />}
    >
      <Persons of={personsNow(now)} now={now} />
      <b>{say(LOSS_TITLE)}</b> <span>{loss.reason}</span>
      {known.length > 0 && <small>{say("before: {alarms}", { alarms: known.map(namedText).join(", ") })}</small>}
    </Bar>
  );
}

/** The bar of the most dangerous alarm. Above the list of all alarms it only says that they are not watched. */
export function AlarmBar({ isList }: { readonly isList: boolean }) {
  const now = frameTick.value;
  const loss = lossHere(now);
  if (loss !== undefined) return <LossBar loss={loss} now={now} />;
  const data = currentAlarms(now);
  const alarms = data?.alarms ?? [];
  const first = alarms.find(({ state }) => state !== "acknowledged") ?? alarms[0];
  if (first === undefined) return <AnchorOffer now={now} />;
  if (isList) return null;
  const isPerson = first.kind === "manOverboard";
  const others = alarms.filter((each) => each !== first && each.kind !== "manOverboard").length;
  const state = stateHere(first, now);
  return (
    <Bar
      kind={first.severity}
      state={state}
      answers={
        canCommand && (
          <>
            {alarmWords[first.kind]?.endsAtBerth && data?.rest === "harbour" && <BerthButton />}
            <Answers of={BAR} state={state} silence={() => silence("all")} acknowledge={() => acknowledge(first.id)} />
          </>
        )
      }
    >
      {!isPerson && <Persons of={personsNow(now)} now={now} />}
      <a href={hrefOf(first)}>
        <b>{said(first.title)}</b> <span>{subjectText(first)}</span>{" "}
        <span>{valueText(first, settings.value.units)}</span>
      </a>
      {isPerson && <Persons of={personsNow(now).filter(({ id }) => id !== first.id)} isMore now={now} />}
      {others > 0 && <small>{say("and {others} more", { others })}</small>}
    </Bar>
  );
}
