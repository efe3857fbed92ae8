/** canboatjs as the second opinion on a public PGN: its reading of each field beside ours. */

import type { Definition } from "../../../src/core/n2k/definition.ts";
import type { Field, NumberField } from "../../../src/core/n2k/field.ts";
import { rawLimits } from "../../../src/core/n2k/scaling.ts";
import { type CanboatField, type CanboatPgn, canboatPgns, conversionOf } from "./canboat.ts";

type Values = Readonly<Record<string, unknown>>;

/** Why a field is read in another way on purpose, or where the second opinion is known to be wrong. */
export type Reason =
  | "a code that stands for no value is absent"
  | "a number beyond its range, or a reserved code, is absent"
  | "times and durations are text there, of six digits at most"
  | "numbers with an offset have no sign of their own (SAE J1939, and the range in the database)"
  | "IEEE 754 is read as an integer there"
  | "a resolution that is no power of ten is rounded there"
  | "text beyond ASCII is cut there, and spaces and zeros are kept"
  | "it goes on reading behind a text whose length points out of the message"
  | "what is behind the end of the message is filled up there"
  | "bits that are all set are not available"
  | "bytes whose number another field gives are not read there"
  | "bytes that are cut off by the end of the message are not read there"
  | "the code of all ones never has a text there"
  | "a field that tells other layouts of the PGN apart is lost there"
  | "numbers beyond 2^53, or all ones of a field that uses every code";

export interface Tally {
  agreed: number;
  readonly explained: Map<Reason, number>;
  readonly differences: string[];
}

export const newTally = (): Tally => ({ agreed: 0, explained: new Map(), differences: [] });

const secondsOf = (text: string): number => {
  const [hours, minutes, seconds] = text.split(":").map(Number);
  return hours! * 3600 + minutes! * 60 + seconds!;
};

const numberOf = (value: unknown, { Unit }: CanboatField): number => {
  if (typeof value === "string" && value.includes(":")) return secondsOf(value);
  const date = typeof value === "string" ? /^(\d+)\.(\d+)\.(\d+)$/.exec(value) : null;
  if (date) return Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3])) / 86_400_000;
  const number = Number(value);
  return Unit === "kWh" ? number / 3.6e6 : Unit === "Ah" ? number / 3600 : number;
};

function numberReason(field: NumberField, other: CanboatField, own: unknown, value: unknown): Reason | boolean {
  if (own === undefined && value === undefined) return true;
  if (field.wire.float) return "IEEE 754 is read as an integer there";
  const isTime = /TIME|DATE|DURATION/.test(other.FieldType);
  if (own === undefined || value === undefined) {
    if (isTime) return "times and durations are text there, of six digits at most";
    if (other.Offset !== undefined)
      return "numbers with an offset have no sign of their own (SAE J1939, and the range in the database)";
    if (other.BitLength! > 50 || value === undefined)
      return "numbers beyond 2^53, or all ones of a field that uses every code";
    return "a number beyond its range, or a reserved code, is absent";
  }
  const [factor, addend] = conversionOf(other.Unit, field.unit?.replace(" since midnight", ""));
  const theirs = numberOf(value, other) * factor + addend;
  const { times, per, decimals } = field.scale;
  const step = other.Resolution ?? 1;
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const tolerance = Math.max(times / per, 10 ** -decimals) / 2 + (10 ** -digits * factor) / 2 + 1e-9;
  const gap = Math.abs((own as number) - theirs);
  if (gap <= tolerance) return true;
  // Steps of 2^-n have six digits in the database.
  if (gap <= Math.abs(theirs) * 1e-5) return true;
  if (isTime && typeof value === "string" && (value.includes("-") || gap < 1e-5))
    return "times and durations are text there, of six digits at most";
  if (other.Offset !== undefined && Math.abs(gap - 2 ** 32) < 1)
    return "numbers with an offset have no sign of their own (SAE J1939, and the range in the database)";
  return gap < 1e-3 * Math.abs(rawLimits(field)[1]) * (times / per) && String(step).length > 6
    ? "a resolution that is no power of ten is rounded there"
    : false;
}

const noValue = /^(reserved.*|not available|unavailable|undefined|default: undefined|error)$/i;
const isAscii = (text: unknown): boolean => typeof text === "string" && /^[ -~]*$/.test(text);

/** True: both say the same; false: they do not; else why they do not. */
function reasonOf(field: Field, other: CanboatField, own: unknown, value: unknown): Reason | boolean {
  switch (field.kind) {
    case "number":
      return numberReason(field, other, own, value);
    case "choice": {
      if (own === undefined && value === undefined) return true;
      if (own === undefined && (noValue.test(String(value)) || value === 2 ** other.BitLength! - 1))
        return "a code that stands for no value is absent";
      if (value === undefined && field.choices[2 ** other.BitLength! - 1] === own)
        return "the code of all ones never has a text there";
      return String(value) === own;
    }
    case "bits": {
      if (own === undefined) return "bits that are all set are not available";
      const names = (value as readonly unknown[] | undefined) ?? [];
      const list = own as readonly string[];
      return list.length === names.length && list.every((name, at) => (names[at] ?? name) === name);
    }
    case "text":
    case "lauText":
    case "lzText": {
      const [one, two] = [
        String(own ?? "").trim(),
        String(value ?? "")
          .replace(/[\s@\0]+$/, "")
          .trim(),
      ];
      if (one === two) return true;
      return isAscii(value ?? "") && isAscii(own ?? "")
        ? false
        : "text beyond ASCII is cut there, and spaces and zeros are kept";
    }
    case "hex": {
      if (typeof value === "string" && own !== undefined) return value.replaceAll(" ", "") === own;
      if (value === undefined && other.BitLength === undefined)
        return "bytes whose number another field gives are not read there";
      // There, ones are a value in a field of more than eight bytes.
      if (own === undefined && /^(ff ?)+$/.test(String(value))) return "the code of all ones never has a text there";
      if (value === undefined && own !== undefined && String(own).length < other.BitLength! / 4)
        return "bytes that are cut off by the end of the message are not read there";
      if (own === undefined || value === undefined) return own === value;
      const bytes = String(own).match(/../g)!.reverse().join("");
      const number = Number(BigInt(`0x${bytes}`));
      // Numbers of 32 bits and more have a sign there.
      return number === value || number > 2 ** 31;
    }
    case "digits":
      if (own === undefined || value === undefined)
        return own === value ? true : "numbers beyond 2^53, or all ones of a field that uses every code";
      return Math.abs(Number(own) / Number(value) - 1) < 1e-9 || Number(own) === Number(value);
    default:
      return true;
  }
}

/** Compares a message with the reading of canboatjs; fields stand in the same order in both. */
export function compare(
  definition: Definition,
  other: CanboatPgn,
  message: Values,
  reading: Values,
  bytes: number,
  tally: Tally,
): void {
  const fields = Object.entries(definition.fields).filter(([name]) => name !== "title");
  let bit = 0;
  let isBroken = false;
  for (const [index, [name, field]] of fields.entries()) {
    const their = other.Fields[index];
    if (their === undefined || field.kind === "keyed") continue;
    // Behind a broken text nothing is read.
    isBroken ||= field.kind === "lauText" && message[name] === undefined;
    if (isBroken && message[name] !== reading[their.Id]) {
      note(tally, "it goes on reading behind a text whose length points out of the message");
      continue;
    }
    if (field.kind === "repeat") {
      const list = (reading.list ?? []) as readonly Values[];
      const own = (message[name] ?? []) as readonly Values[];
      const hasText = Object.values(field.group).some(({ kind }) => kind === "lauText");
      // The reader takes the last fields for those of the list, because the database counts one field too few.
      if (other.PGN === 130571) continue;
      // Behind a broken text entries begin elsewhere.
      if (list.length !== own.length || (hasText && own.length > 1)) continue;
      const group = { ...definition, fields: field.group };
      const set = { ...other, Fields: other.Fields.slice(index) };
      // The last one may be cut off.
      for (const [at, entry] of own.entries())
        compare(group, set, entry, list[at]!, at === own.length - 1 ? 0 : Number.POSITIVE_INFINITY, tally);
      continue;
    }
    bit += their.BitLength ?? Number.NaN;
    // A match is named by its description there.
    if (field.kind === "skip" || field.kind === "constant" || their.Match !== undefined) continue;
    // Reserved bits that are all that a message has are given as bytes.
    if (field.kind === "hex" && (their.FieldType === "RESERVED" || their.FieldType === "SPARE")) continue;
    const isBehind = bit > 8 * bytes;
    const result = reasonOf(field, their, message[name], reading[their.Id]);
    if (result === true) tally.agreed++;
    else if (isBehind && message[name] === undefined)
      note(tally, "what is behind the end of the message is filled up there");
    else if (result === false && isLost(other, index, reading[their.Id]))
      note(tally, "a field that tells other layouts of the PGN apart is lost there");
    else if (result === false)
      tally.differences.push(
        `${other.PGN} ${other.Id} ${name}: ${JSON.stringify(message[name])} ${JSON.stringify(reading[their.Id])}`,
      );
    else note(tally, result);
  }
}

const isLost = ({ PGN }: CanboatPgn, index: number, value: unknown): boolean =>
  value === undefined && canboatPgns(PGN).some(({ Fields }) => Fields[index]?.Match !== undefined);

const note = ({ explained }: Tally, reason: Reason): void => {
  explained.set(reason, (explained.get(reason) ?? 0) + 1);
};
