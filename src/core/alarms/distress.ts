/**
 * Persons and vessels in distress, and beacons under test: by AIS, by the man-overboard notification of the bus, by
 * radio (DSC), and by the button on board. A call is kept until it has been silent for ten minutes and its alarm has
 * ended: beacons send each minute, but a swimmer's is heard only on the crests.
 */
import type { Message } from "../n2k/definition.ts";
import type { aisSafetyRelatedBroadcastMessage } from "../n2k/pgns/ais.ts";
import type { dscCallInformation } from "../n2k/pgns/dsc.ts";
import type { manOverboardNotification } from "../n2k/pgns/for-reports.ts";
import { beaconOf } from "../nav/ais-messages.ts";
import type { Approach } from "../nav/ais-targets.ts";
import { greatCircle, type Position, positionIn } from "../nav/great-circle.ts";
import { isoTime } from "../text/date.ts";
import { type Sentence, sentence } from "../text/sentence.ts";
import type { Heard } from "./heard.ts";
import { type KeptCall, MAX_NAME, MAX_TEXT } from "./kept-call.ts";
import type { Place } from "./reading.ts";
import { clockSetSec } from "./set-clock.ts";
import { BUTTON, LEAST_MMSI, MAX_PERSON_NUMBER, MAX_PERSONS } from "./words.ts";

type SafetyText = Pick<Message<typeof aisSafetyRelatedBroadcastMessage>, "mmsi" | "text">;

export type CallKind = "manOverboard" | "distress" | "beaconTest";
const activeKinds = ["manOverboard", "distress"] as const;

/** Whom a call is of. */
export interface Caller {
  /**
   * MMSI, number of the emitter, `BUTTON`, or below `LEAST_MMSI` the number of a call by radio without an MMSI; undefined:
   * only the device is known.
   */
  readonly subject?: number | undefined;
  /**
   * The device on the bus that reports a person without the number of an emitter: the digits of its NAME, or of its
   * address, if its NAME was not known at the first report.
   */
  readonly device?: string | undefined;
  /** Number of a person whom the button has marked, from 1. */
  readonly person?: number | undefined;
}

export interface Call extends Caller {
  readonly kind: CallKind;
  /** Address of the device, when it was last heard. */
  address?: number | undefined;
  /** Digits of the NAME of the device; undefined while it is unknown. */
  deviceName?: string | undefined;
  name?: string | undefined;
  /** The kind of call; a call by radio has its nature as a value. */
  what: Sentence;
  /** Position last reported. */
  position?: Position | undefined;
  /** The name of the press of the button, as the report has it. */
  readonly press?: string | undefined;
  /** Wall clock as it was set then, milliseconds. */
  firstAt: number;
  /** The wall clock minus the monotonic one then: `firstAt` less this is the monotonic time. */
  clock: number;
  /** Of a call from before this start: the seconds by which the clock had been set until then. */
  setBefore?: number | undefined;
  firstPosition?: Position | undefined;
  /** Position of the boat at the first report. */
  boatAt?: Position | undefined;
  /** Monotonic, that of the start for a call from before it; infinite for the button, until it is released. */
  heardAt: number;
  /** The call was acknowledged before this start. */
  readonly wasAcknowledged?: boolean | undefined;
  /** How many calls had its key before: another call is not answered with them. */
  readonly generation?: number | undefined;
  /** Its device has reported since that nobody is overboard: the next report is of another person. */
  isTakenBack?: boolean;
}

/** A press of the button: its name, when, where, and the number that the person had before this start. */
interface Press extends Pick<Call, "firstAt" | "clock" | "setBefore" | "press"> {
  readonly position: Position | undefined;
  readonly number: number | undefined;
}

interface Moment {
  readonly wall: number;
  /** See `SetClock`. */
  readonly clock: number;
}

/** A report of a call, as it was heard. */
interface Signal extends Pick<Call, "kind" | "what" | "subject"> {
  /** Of the device, for a person without the number of an emitter, and its NAME then: addresses change. */
  readonly address?: number;
  readonly deviceName?: string | undefined;
  readonly name?: string | undefined;
  readonly position?: Position | undefined;
  readonly heardAt: number;
  /** See `Call`. */
  readonly isTakenBack?: true;
}

/**
 * Distance at which two calls by radio without an MMSI are of two vessels. A radio repeats its call within five minutes,
 * with a position to the minute of latitude.
 */
const APART_MILES = 3;
const UNKNOWN_NATURE = "Undesignated";

/** No address has more digits, and no NAME with the code of a manufacturer has fewer than seven. */
const ADDRESS_DIGITS = 5;

/** A press without a name so soon after another one is the same: a finger trembles, a device repeats its message. */
const SAME_PRESS_MS = 10_000;

/** A hostile bus could send a million numbers: answered calls make room first, then those that are silent for longest. */
const MAX_CALLS = 200;
const SILENT_AFTER_MS = 600_000;
/** Calls without room that are told apart. */
const MAX_DISPLACED = 5000;

const button = sentence`man-overboard button`;
const personNumbers = Array.from({ length: MAX_PERSON_NUMBER }, (_, index) => index + 1);

/** Names of the beacons; the texts of their AIS messages begin with the word in capitals (IEC 61097-14). */
const beaconTexts = {
  SART: sentence`AIS search and rescue transmitter`,
  MOB: sentence`AIS man-overboard beacon`,
  EPIRB: sentence`AIS EPIRB`,
} as const;

/** Codes of `status` in PGN 127233, as the canboat database has them (MOB_STATUS). */
const MobStatus = { emitter: 0, button: 1, test: 2 } as const;

/** Ten digits, of which the last is none of the MMSI. */
const mmsiIn = (digits: string | undefined): number | undefined => Number(digits?.slice(0, 9)) || undefined;

/** The nature of distress of a call by radio; undefined: none is designated. */
function natureIn({ values: [nature] }: Sentence): string | undefined {
  return nature?.word === UNKNOWN_NATURE ? undefined : nature?.word;
}

/** Whether nothing tells two calls by radio apart that have no MMSI. */
function mayBeOne(call: Pick<Call, "what" | "position">, signal: Pick<Signal, "what" | "position">): boolean {
  const [nature, other] = [natureIn(call.what), natureIn(signal.what)];
  if (nature !== undefined && other !== undefined && nature !== other) return false;
  if (call.position === undefined || signal.position === undefined) return true;
  return greatCircle(call.position, signal.position).range < APART_MILES;
}

export class Distress {
  readonly #calls = new Map<string, Call>();
  /** Kinds of the calls without an answer for which there was no room, by id. */
  readonly #displaced = new Map<string, CallKind>();
  readonly #isAnswered: (call: Call) => boolean;
  /** Heard since the last evaluation, which knows the wall clock and where the boat is. */
  #signals: Signal[] = [];
  /** The last press without a name, and when it was sent last. */
  #unnamed: { readonly call: Call; readonly at: number } | undefined;
  /** The highest number of a person whom the button has marked; numbers begin anew when all have been released. */
  #lastNumber = 0;

  constructor(isAnswered: (call: Call) => boolean) {
    this.#isAnswered = isAnswered;
  }

  get calls(): readonly Call[] {
    return [...this.#calls.values()];
  }

  /** An emitter without a number, or with the number 0, is that of the device. */
  hearNotification(
    message: Message<typeof manOverboardNotification>,
    { arrived: heardAt, source, device }: Heard,
  ): void {
    const { status, emitterId } = message;
    const of = emitterId ? { subject: emitterId } : { address: source, deviceName: device.name?.toString() };
    const position = positionIn(message);
    if (status === MobStatus.test)
      this.#hear({ kind: "beaconTest", ...of, what: sentence`man-overboard system`, position, heardAt });
    else if (status === MobStatus.emitter || status === MobStatus.button) {
      const what = status === MobStatus.emitter ? sentence`man-overboard emitter` : button;
      this.#hear({ kind: "manOverboard", ...of, what, position, heardAt });
    } else if (status !== undefined)
      this.#hear({ kind: "manOverboard", ...of, what: button, heardAt, isTakenBack: true });
  }

  /** Calls of the category distress are relays and acknowledgements of a distress call, and count as one. */
  hearRadio(message: Message<typeof dscCallInformation>, heardAt: number): void {
    const { format, category, address, mmsiInDistress, natureOfDistress } = message;
    if (format !== "Distress" && category !== "Distress") return;
    const isAlert = format === "Distress";
    const subject = mmsiIn(mmsiInDistress) ?? (isAlert ? mmsiIn(address) : undefined);
    const nature = { word: String(natureOfDistress ?? UNKNOWN_NATURE) };
    const what = isAlert ? sentence`DSC call: ${nature}` : sentence`DSC relay or acknowledgement: ${nature}`;
    this.#hear({ kind: "distress", subject, what, position: positionIn(message), heardAt });
  }

  /** Takes the text of a beacon; another text is skipped. */
  hearText(message: SafetyText, heardAt: number): void {
    const { beacon, isTest } = beaconTextIn(message) ?? {};
    if (beacon !== undefined) this.#hear(ofBeacon(beacon, message.mmsi!, isTest!, heardAt));
  }

  /** The persons that the button has marked and not released. */
  get pressed(): readonly Call[] {
    const pressed = this.calls.filter(({ heardAt }) => heardAt === Number.POSITIVE_INFINITY);
    return pressed.sort((one, other) => one.person! - other.person!);
  }

  /**
   * Marks a person, with a number if it is free, else with the next one. A press of the name of another one is the same,
   * which gets the position that it did not have. Undefined: there is no room.
   */
  press(
    pressed: Press,
    { boat, now }: { readonly boat: Position | undefined; readonly now: number },
  ): { readonly call: Call; readonly isNew: boolean } | undefined {
    const { press, position } = pressed;
    const isRepeated = press === undefined && this.#unnamed !== undefined && now - this.#unnamed.at < SAME_PRESS_MS;
    const same = this.pressed.find((call) => (isRepeated ? call === this.#unnamed!.call : call.press === press));
    const call = same ?? this.#addPerson(pressed, boat);
    if (call === undefined) return undefined;
    if (press === undefined) this.#unnamed = { call, at: now };
    call.position ??= position;
    call.firstPosition ??= position;
    return { call, isNew: same === undefined };
  }

  #addPerson(
    { number: wished, firstAt, clock, setBefore, press = isoTime(firstAt) }: Press,
    boatAt: Position | undefined,
  ): Call | undefined {
    const taken = this.pressed.map(({ person }) => person);
    if (taken.length >= MAX_PERSONS) return undefined;
    // A number given twice while somebody is in the water would name two persons to those who search.
    const last = taken.length === 0 ? 0 : this.#lastNumber;
    const free = personNumbers.filter((number) => !taken.includes(number));
    const person = free.find((number) => number === wished) ?? free.find((number) => number > last) ?? free[0]!;
    this.#lastNumber = Math.max(last, person);
    // One that was released makes room also while its alarm ends.
    return this.#add({
      ...{ kind: "manOverboard", subject: BUTTON, person, what: button },
      ...{ press, firstAt, clock, setBefore, boatAt, heardAt: Number.POSITIVE_INFINITY },
    });
  }

  /** Releases the button for the person of a press or of a time, or for all; returns their calls. */
  release({ press, at }: { readonly press?: string | undefined; readonly at?: string | undefined }): readonly Call[] {
    const time = at === undefined ? undefined : isoTime(Date.parse(at));
    const isMeant = (call: Call): boolean =>
      press === undefined
        ? time === undefined || [call.press, isoTime(call.firstAt)].includes(time)
        : call.press === press;
    const released = this.pressed.filter(isMeant);
    for (const call of released) call.heardAt = Number.NEGATIVE_INFINITY;
    return released;
  }

  /** Takes what was heard since the last call of this method. `boat` is the position of own ship; `clock` of `SetClock`. */
  observe(targets: readonly Approach[], boat: Position | undefined, moment: Moment): void {
    for (const signal of this.#signals) this.#take(signal, boat, moment);
    this.#signals = [];
    for (const target of targets) {
      if (target.distress === undefined) continue;
      const { mmsi, name, position, distress, heardAt } = target;
      const beacon = beaconOf(mmsi);
      const signal =
        beacon === undefined
          ? ({
              kind: "distress",
              subject: mmsi,
              what: sentence`ship with the status of a distress beacon`,
              heardAt,
            } as const)
          : ofBeacon(beacon, mmsi, distress === "test", heardAt);
      this.#take({ ...signal, name, position }, boat, moment);
    }
  }

  /**
   * Takes a call from before this start, of any age: the clock may have been set since, so that its silence counts from
   * now. If it was heard again meanwhile, its first report counts. False if there is no room: it displaces no other call.
   */
  restore(
    kind: CallKind,
    of: Caller,
    kept: KeptCall,
    { now, wall }: { readonly now: number; readonly wall: number },
  ): boolean {
    const { text, nature, address, name, position, first, acknowledged: wasAcknowledged } = kept;
    const deviceName = of.device !== undefined && of.device.length > ADDRESS_DIGITS ? of.device : undefined;
    const what = { text, values: nature === undefined ? [] : [{ word: nature }] };
    const firstAt = Date.parse(first.at);
    const { clockSetSec: setBefore = 0 } = first;
    const its = {
      ...{ firstAt, setBefore, clock: firstAt - now + Math.max(0, wall - firstAt - setBefore * 1000) },
      ...{ firstPosition: first.position, boatAt: first.boat },
    };
    const call = this.#calls.get(idOf({ kind, ...of }));
    if (call === undefined) {
      if (this.#calls.size >= MAX_CALLS) return false;
      const device = { address, deviceName };
      this.#add({ kind, ...of, ...device, what, name, position, ...its, heardAt: now, wasAcknowledged });
    } else if (firstAt < call.firstAt) Object.assign(call, its);
    return true;
  }

  /**
   * The calls that are kept for the next start, by the id of their alarm: persons and vessels in distress. The button
   * has a topic of its own.
   */
  kept(isAcknowledged: (call: Call) => boolean, clock: number): ReadonlyMap<string, KeptCall> {
    const kept = new Map<string, KeptCall>();
    this.#calls.forEach((call, id) => {
      if (call.kind === "beaconTest" || !Number.isFinite(call.heardAt)) return;
      const { what, address, name, position } = call;
      kept.set(id, {
        text: what.text.slice(0, MAX_TEXT),
        nature: what.values[0]?.word?.slice(0, MAX_TEXT),
        address,
        name: name?.slice(0, MAX_NAME),
        position,
        first: firstOf(call, clock),
        acknowledged: isAcknowledged(call) || undefined,
      });
    });
    return kept;
  }

  /** Forgets calls that have been silent for long enough, unless they still have an alarm. */
  forgetSilent(now: number, hasAlarm: (call: Call) => boolean): void {
    this.#calls.forEach((call, id) => {
      if (isSilent(call, now) && !hasAlarm(call)) this.#calls.delete(id);
    });
    if (this.#calls.size === 0) this.#displaced.clear();
  }

  /** The last signal of a station within a second counts, until it is taken back; too many displace the first. */
  #hear(signal: Signal): void {
    const { isTakenBack } = signal;
    const same = this.#signals.findLastIndex((each) => isOfSame(signal, each));
    if (this.#signals[same]?.isTakenBack === isTakenBack && same >= 0) {
      const { name = this.#signals[same]!.name, position = this.#signals[same]!.position } = signal;
      this.#signals[same] = { ...signal, name, position };
      return;
    }
    const lost = this.#signals.length < MAX_CALLS ? undefined : this.#signals.shift();
    if (lost !== undefined && lost.isTakenBack === undefined) this.#displace(lost.kind, idOf(callerOf(lost)));
    this.#signals.push(signal);
  }

  #take(signal: Signal, boat: Position | undefined, { wall, clock }: Moment): void {
    const { kind, what, position, heardAt, address, deviceName, isTakenBack } = signal;
    const of: Caller =
      address === undefined
        ? { subject: signal.subject ?? this.#numberOf(signal) }
        : { device: this.#deviceAt(address, deviceName) };
    if (isTakenBack) {
      const taken = this.#calls.get(idOf({ kind, ...of }));
      if (taken !== undefined) taken.isTakenBack = true;
      return;
    }
    const generation = this.#makeFree(signal, of);
    if (kind === "beaconTest") {
      // A person in distress may press the button for the test by mistake.
      if (activeKinds.some((active) => this.#calls.has(idOf({ kind: active, ...of })))) return;
    } else this.#endTest(of);
    const id = idOf({ kind, ...of });
    const isFull = this.#calls.size >= MAX_CALLS && !this.#calls.has(id);
    const least = isFull ? this.#leastNeeded(this.calls) : undefined;
    if (least !== undefined && !this.#isAnswered(least) && least.heardAt >= heardAt) return this.#displace(kind, id);
    const call =
      this.#calls.get(id) ?? this.#add({ kind, ...of, what, heardAt, boatAt: boat, firstAt: wall, clock, generation });
    // A relay without a nature takes back none, by which calls without an MMSI are told apart.
    if (hasNumber(signal) || natureIn(what) !== undefined || natureIn(call.what) === undefined) call.what = what;
    call.address = address;
    call.deviceName = deviceName ?? call.deviceName;
    call.name = signal.name ?? call.name;
    call.position = position ?? call.position;
    call.firstPosition ??= position;
    call.heardAt = heardAt;
  }

  /** The device as its call has it, by its NAME, or by its address where one of the NAMEs is unknown; else a new one. */
  #deviceAt(address: number, name: string | undefined): string {
    const calls = this.calls.filter(({ device }) => device !== undefined);
    const call =
      calls.find(({ deviceName }) => deviceName !== undefined && deviceName === name) ??
      calls.find((each) => each.address === address && (each.deviceName === undefined || name === undefined));
    return call?.device ?? name ?? String(address);
  }

  /** Of a call by radio without an MMSI: the number of the call that it repeats, else a free one, else the least needed. */
  #numberOf(signal: Signal): number {
    let free: number | undefined;
    const others: Call[] = [];
    for (let number = 0; number < LEAST_MMSI; number++) {
      const call = this.#calls.get(idOf({ kind: signal.kind, subject: number }));
      if (call === undefined) free ??= number;
      else if (mayBeOne(call, signal)) return number;
      else if (number !== BUTTON) others.push(call);
    }
    return free ?? this.#leastNeeded(others).subject!;
  }

  /** Ends the call that has the key of another one; returns the generation of the new call. */
  #makeFree(signal: Signal, of: Caller): number | undefined {
    const call = this.#calls.get(idOf({ kind: signal.kind, ...of }));
    const isSame = call === undefined || (hasNumber(signal) ? !call.isTakenBack : mayBeOne(call, signal));
    if (isSame) return call?.generation;
    if (call.isTakenBack) this.#calls.delete(idOf(call));
    else this.#drop(call);
    return (call.generation ?? 0) + 1;
  }

  /** Calls that were answered make room before others, then those that have been silent for longest. */
  #leastNeeded(calls: readonly Call[]): Call {
    const rank = (call: Call): number =>
      call.heardAt === Number.POSITIVE_INFINITY ? 2 : this.#isAnswered(call) ? 0 : 1;
    return calls.reduce((a, b) => (rank(b) < rank(a) || (rank(b) === rank(a) && b.heardAt < a.heardAt) ? b : a));
  }

  #drop(call: Call): void {
    this.#calls.delete(idOf(call));
    if (!this.#isAnswered(call)) this.#displace(call.kind, idOf(call));
  }

  #displace(kind: CallKind, id: string): void {
    if (!this.#calls.has(id) && this.#displaced.size < MAX_DISPLACED) this.#displaced.set(id, kind);
  }

  /** Calls without an answer for which there was no room. */
  displaced(kind: CallKind): number {
    return [...this.#displaced.values()].filter((each) => each === kind).length;
  }

  /** A beacon that is active is no longer under test. */
  #endTest(of: Caller): void {
    const test = this.#calls.get(idOf({ kind: "beaconTest", ...of }));
    if (test !== undefined) test.heardAt = Number.NEGATIVE_INFINITY;
  }

  #add(call: Call): Call {
    if (this.#calls.size >= MAX_CALLS) this.#drop(this.#leastNeeded([...this.#calls.values()]));
    this.#displaced.delete(idOf(call));
    this.#calls.set(idOf(call), call);
    return call;
  }
}

/** A beacon names its state in words too, as in "MOB ACTIVE" and "SART TEST"; undefined for another text. */
export function beaconTextIn({ mmsi, text = "" }: SafetyText) {
  const beacon = mmsi === undefined ? undefined : beaconOf(mmsi);
  const [, state] = /\b(ACTIVE|TEST)\b/.exec(text) ?? [];
  return beacon === undefined || state === undefined ? undefined : { beacon, isTest: state === "TEST" };
}

/**
 * The first report of a call. A computer without a battery starts at a time of the past and is set then, by which the
 * time of a call from before the start is right again: the longer duration counts.
 */
export const firstOf = (call: Call, clock: number): NonNullable<Place["first"]> => {
  const { firstAt, firstPosition: position, boatAt: boat, setBefore = Number.POSITIVE_INFINITY } = call;
  return {
    at: isoTime(firstAt),
    clockSetSec: clockSetSec(call.clock, Math.min(clock, call.clock + setBefore * 1000)),
    position,
    boat,
  };
};

export const isSilent = ({ heardAt }: Call, now: number): boolean => now - heardAt >= SILENT_AFTER_MS;

/** The key of the alarm of a call within its kind: 972000001, 0-2 of the second person, device-35 of an address. */
export const keyOfCall = ({ subject, device, person = 1 }: Caller): number | string =>
  device !== undefined ? `device-${device}` : person === 1 ? subject! : `${subject}-${person}`;

/** The id of its alarm. */
const idOf = ({ kind, ...of }: Pick<Call, "kind"> & Caller): string => `${kind}-${keyOfCall(of)}`;

/** Whom a signal is of, as far as it says so. */
const callerOf = ({ kind, subject, address, deviceName }: Signal): Pick<Call, "kind"> & Caller =>
  address === undefined ? { kind, subject } : { kind, device: deviceName ?? String(address) };

/** False for a call by radio without an MMSI, which gets a number here. */
const hasNumber = ({ subject, address }: Signal): boolean => subject !== undefined || address !== undefined;

const callerMembers = ["kind", "subject", "address", "deviceName"] as const;
const isOfSame = (signal: Signal, other: Signal): boolean =>
  hasNumber(signal) && callerMembers.every((member) => signal[member] === other[member]);

const ofBeacon = (beacon: keyof typeof beaconTexts, subject: number, isTest: boolean, heardAt: number): Signal => ({
  kind: isTest ? "beaconTest" : beacon === "MOB" ? "manOverboard" : "distress",
  subject,
  what: beaconTexts[beacon],
  heardAt,
});
