/** What a connection of NMEA 0183 makes of sentences: decoded messages, with the address of their talker. */

import { decoderOf } from "../../../../src/core/n2k/decode.ts";
import { gnssPositionForReports } from "../../../../src/core/n2k/pgns/for-reports.ts";
import { definitions } from "../../../../src/core/n2k/pgns/index.ts";
import { productInformation } from "../../../../src/core/n2k/pgns/system.ts";
import { nauticalLeeway } from "../../../../src/core/n2k/pgns/water.ts";
import { Tally } from "../../../../src/core/util/tally.ts";
import { nmea0183 } from "../../../../src/formats/gateway/nmea0183.ts";
import { RecordWriter } from "../../../../src/formats/recording/record-writer.ts";
import { packetsOf } from "../../../support/packets.ts";

/** A sentence with its checksum. */
export function framed(text: string): string {
  let sum = 0;
  for (const character of text.slice(1)) sum ^= character.charCodeAt(0);
  return `${text}*${sum.toString(16).toUpperCase().padStart(2, "0")}\r\n`;
}

export type Data = Readonly<Record<string, unknown>>;

export interface HeardPacket {
  readonly source: number;
  readonly pgn: number;
  readonly payload: Uint8Array;
  readonly data: Data;
}

const read = new Map(
  [...definitions, gnssPositionForReports, nauticalLeeway, productInformation].map(
    (definition) => [definition.pgn, decoderOf(definition)] as const,
  ),
);

const today = Date.UTC(2026, 10, 21);

/** Opens a connection. */
export function connection(url = "nmea0183+tcp://10.0.0.1:10110") {
  const unusedTransducers = new Tally();
  const session = nmea0183.open({ send: () => {}, url, wall: () => today, unusedTransducers });
  const writer = new RecordWriter();
  /** Reads bytes, which may be cut anywhere. */
  const hear = (text: string | Uint8Array, sender?: string): HeardPacket[] => {
    session.read(Uint8Array.from(Buffer.from(text as string, "latin1")), false, writer, sender);
    return [...writer.drain()].flatMap(({ packets }) =>
      packetsOf(packets!).map(({ source, pgn, bytes, at, end }) => ({
        source,
        pgn,
        payload: bytes.slice(at, end),
        data: (read.get(pgn)?.(bytes, at, end, source) ?? {}) as Data,
      })),
    );
  };
  return { session, hear, unusedTransducers };
}

const introduction = new Set([60928, 126996]);

/** An empty sentence of a receiver, which has its letters then. */
const ofReceiver = framed("$GPZDA,,,,,,");

/** The messages of sentences, without those by which a talker introduces itself. */
export const messagesOf = (...sentences: readonly string[]): Data[] =>
  connection()
    .hear([ofReceiver, ...sentences.map(framed)].join(""))
    .filter(({ pgn }) => !introduction.has(pgn))
    .map(({ data }) => data);
