/**
 * Messages of topics, reduced to the parts that hub publishes: any client of the broker may have sent them, and their
 * readers may be older or newer than hub-cand. Pure functions.
 */
import { alarmHistoryData, alarmsData } from "../alarms/report.ts";
import { findingsData } from "../findings/report.ts";
import { trafficData } from "../findings/traffic-report.ts";
import { aisReport } from "../nav/ais-report.ts";
import { navigationData } from "../nav/navigation-report.ts";
import { fetchReport } from "../report/config-fetch.ts";
import { identityMessage } from "../report/identity.ts";
import { interfaceStatus } from "../report/interface-status.ts";
import { accessReport } from "../report/link-access.ts";
import { readerOf } from "../report/read.ts";
import { expiryOf } from "../report/timing.ts";
import { devicesMessage, informationMessage } from "./device-reports.ts";
import { healthData } from "./health.ts";
import { layoutsData } from "./layouts.ts";
import { readPgnData } from "./pgn-data.ts";

const { position, speed_course, wind_apparent, wind_true } = navigationData.shape;

/** Readers of the reports; members that may be missing here are optional. */
const dataReaders = {
  pgn: (value: unknown) => readPgnData(value),
  navigation: readerOf(
    navigationData.extend({
      position: position.unwrap().partial().optional(),
      speed_course: speed_course.unwrap().partial().optional(),
      wind_apparent: wind_apparent.unwrap().partial().optional(),
      wind_true: wind_true.unwrap().partial().optional(),
    }),
  ),
  ais: readerOf(aisReport.shape.data.partial({ ownShip: true })),
  alarms: readerOf(alarmsData.partial({ watching: true })),
  alarmHistory: readerOf(alarmHistoryData),
  devices: readerOf(devicesMessage.shape.data),
  infos: readerOf(informationMessage.shape.data),
  findings: readerOf(findingsData),
  traffic: readerOf(trafficData),
  health: readerOf(healthData.partial().loose()),
  layouts: readerOf(layoutsData),
  configFetch: readerOf(fetchReport),
  interface: readerOf(interfaceStatus.partial().loose()),
} as const;

export type ReadTopic = keyof typeof dataReaders;

/** `data` of the messages of a topic. */
export type DataOf<Name extends ReadTopic> = NonNullable<ReturnType<(typeof dataReaders)[Name]>>;

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

/** The members of an identity that the display shows; undefined for another message. */
export const readIdentity = readerOf(identityMessage.pick({ name: true, version: true, hostname: true, online: true }));

/** Access requests and holders of tokens of Signal K; undefined for another message. */
export const readAccess = readerOf(accessReport);

export type AccessReport = NonNullable<ReturnType<typeof readAccess>>;

export type Identity = NonNullable<ReturnType<typeof readIdentity>>;
