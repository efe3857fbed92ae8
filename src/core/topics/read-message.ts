/**
 * Messages of topics, reduced to the parts that hub publishes: any client of the broker may have sent them, and their
 * readers may be older or newer than hub-cand. Pure functions.
 */
import { type Read, readerOfForm } from "../report/form.ts";
import { expiryOf } from "../report/timing.ts";
import { forms, type ReadableData } from "./message-forms.ts";
import { type PgnData, readPgnData } from "./pgn-data.ts";

type Data = ReadableData & { readonly pgn: PgnData };

const dataReaders = {
  ...Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, readerOfForm(form)])),
  pgn: (value: unknown) => readPgnData(value),
} as { readonly [Name in keyof Data]: Read<Data[Name]> };

export type ReadTopic = Exclude<keyof Data, "identity" | "access" | "course">;

/** `data` of the messages of a topic. */
export type DataOf<Name extends ReadTopic> = Data[Name];

/** `metadata` of every message. */
export interface Metadata {
  /** A date that JavaScript can parse. */
  readonly rxDate: string;
  readonly expireAfterSec: number;
}

export interface Message<Name extends ReadTopic> {
  readonly data: DataOf<Name>;
  readonly metadata: Metadata;
}

/** The message in a value of `JSON.parse`. Throws TypeError for a value that is not a message of the topic. */
export function readMessage<Name extends ReadTopic>(topic: Name, value: unknown): Message<Name> {
  const { data, metadata } = value as Partial<Record<keyof Message<Name>, unknown>>;
  return messageOf(topic, dataReaders[topic](data) as DataOf<Name> | undefined, metadata);
}

/** The same for the topic of a PGN, whatever the message calls itself. */
export function readPgnMessage(pgn: number, value: unknown): Message<"pgn"> {
  const { data, metadata } = value as Partial<Record<keyof Message<"pgn">, unknown>>;
  return messageOf("pgn", readPgnData(data, pgn), metadata);
}

function messageOf<Name extends ReadTopic>(
  topic: Name,
  read: DataOf<Name> | undefined,
  metadata: unknown,
): Message<Name> {
  const { rxDate, expireAfterSec } = metadata as Partial<Record<keyof Metadata, unknown>>;
  if (read === undefined || typeof rxDate !== "string" || Number.isNaN(Date.parse(rxDate)))
    throw new TypeError(`no message of ${topic}`);
  return { data: read, metadata: { rxDate, expireAfterSec: expiryOf(expireAfterSec) } };
}

export type Identity = ReadableData["identity"];
export type AccessReport = ReadableData["access"];
export type CourseReport = ReadableData["course"];

/** The members of an identity that the display shows; undefined for another message. */
export const readIdentity = dataReaders.identity;

/** Access requests and holders of tokens of Signal K; undefined for another message. */
export const readAccess = dataReaders.access;

/** The destination that hub-link holds; undefined for another message. */
export const readCourse = dataReaders.course;
