/**
 * Instruments that speak NMEA 0183: a talker is a device, and its sentences are messages of PGNs, so that all that
 * reads messages reads them. They are payloads, as a bus carries them: their numbers are finer than those of sentences,
 * except for speeds with two decimals and positions with more than seven of a degree in 129025, which 129029 has.
 */
import { Fields, MS_A_DAY } from "../nmea0183/input/fields.ts";
import { readLine } from "../nmea0183/input/line.ts";
import { isOwn, OWN_MARK } from "../nmea0183/input/own.ts";
import type { Said } from "../nmea0183/input/said.ts";
import { sentencesIn } from "../nmea0183/input/sentences.ts";
import { type Talker, Talkers } from "../nmea0183/input/talkers.ts";
import { VdmReader } from "../nmea0183/input/vdm-reader.ts";
import { lineReader } from "../recording/line-reader.ts";
import type { RecordWriter } from "../recording/record-writer.ts";
import { BUS_SILENCE_MS, type Gateway, type Session, type SessionOptions } from "./gateway.ts";
import { textAt } from "./text.ts";

/** Sentences of a second that are read, more than ten times those of 38,400 bits a second. */
const MAX_SENTENCES_A_SECOND = 1000;
/** Seconds for which hub's own sentences are expected after their mark. */
const OWN_FOR_SEC = 30;
const PRIORITY = 6;
const GLOBAL = 255;

/** Opens a connection; also of gpsd, which passes sentences on. */
export function openNmea0183({ url = "", wall = () => 0 }: SessionOptions): Session {
  const talkers = new Talkers(url);
  const ais = new VdmReader();
  let seconds = 0;
  let left = MAX_SENTENCES_A_SECOND;
  let hasChecksums = false;
  let ownUntil = Number.NEGATIVE_INFINITY;
  let answers = 0;

  const write = (talker: Talker, said: readonly Said[], writer: RecordWriter): void => {
    for (const { pgn, payload } of said)
      writer.packet(0, PRIORITY, pgn, talker.address, GLOBAL, payload, payload.length);
  };

  /** Reads a sentence; false if it is not readable. */
  const hear = (line: string, writer: RecordWriter): boolean => {
    // gpsd describes itself in JSON.
    if (line.startsWith("{")) {
      answers++;
      return true;
    }
    const read = readLine(line);
    if (read === undefined || (hasChecksums && !read.hasChecksum)) return false;
    hasChecksums ||= read.hasChecksum;
    const fields = new Fields(read.body);
    if (read.body === OWN_MARK) ownUntil = seconds + OWN_FOR_SEC;
    const isUnused = read.body.startsWith("P") || (seconds < ownUntil && isOwn(fields));
    if (isUnused || fields.talker.length !== 2) {
      answers++;
      return true;
    }
    const isAis = read.isEncapsulated && /^VD[MO]$/.test(fields.letters);
    const row = read.isEncapsulated ? undefined : sentencesIn[fields.letters];
    if (!isAis && row === undefined) {
      answers++;
      return true;
    }
    const talker = talkers.of(fields.talker, read.source);
    if (talker === undefined) return false;
    talker.memory.count(seconds);
    const said = isAis ? ais.read(fields, Math.floor(wall() / MS_A_DAY)) : row!(fields, talker.memory);
    if (said === undefined) return false;
    if (said.length === 0) answers++;
    else {
      write(talker, talker.introduction(seconds), writer);
      write(talker, said, writer);
    }
    return true;
  };

  const lines = lineReader((bytes, from, to, writer) => {
    if (left === 0) return false;
    left--;
    return hear(textAt(bytes, from, to), writer);
  });
  return {
    get malformed() {
      return lines.malformed;
    },
    get answers() {
      return answers;
    },
    read: (chunk, end, writer) => lines.read(chunk, end, writer),
    advance() {
      seconds++;
      left = MAX_SENTENCES_A_SECOND;
    },
  };
}

export const nmea0183: Gateway = {
  title: "NMEA 0183: instruments, AIS receivers, multiplexers",
  endpoints: [
    { scheme: "nmea0183+tcp", transport: "tcp", port: 10_110 },
    { scheme: "nmea0183+udp", transport: "udp", port: 10_110, hasGroup: true },
    { scheme: "nmea0183+serial", transport: "serial", baud: 4800 },
  ],
  carries: "messages",
  hasDates: false,
  transmits: "nothing",
  silenceMs: BUS_SILENCE_MS,
  open: openNmea0183,
};
