/**
 * Instruments that speak NMEA 0183: a talker is a device, and its sentences are messages of PGNs, so that all that
 * reads messages reads them. They are payloads, as a bus carries them: their numbers are finer than those of sentences,
 * except for speeds with two decimals and positions with more than seven of a degree in 129025, which 129029 has.
 */
import { dayOf } from "../../core/text/date.ts";
import { readLine } from "../nmea0183/input/line.ts";
import { Listener } from "../nmea0183/input/listener.ts";
import { sentenceRecords } from "../recording/formats/nmea0183.ts";
import { lineReader } from "../recording/line-reader.ts";
import type { Gateway, Session, SessionOptions } from "./gateway.ts";
import { textAt } from "./text.ts";

/** Sentences of a second that are read, more than ten times those of 38,400 bits a second. */
const MAX_SENTENCES_A_SECOND = 1000;

/** Opens a connection; also of gpsd, which passes sentences on. */
export function openNmea0183({ url = "", wall = () => 0, unusedTransducers }: SessionOptions): Session {
  const listener = new Listener(url, unusedTransducers);
  let seconds = 0;
  let left = MAX_SENTENCES_A_SECOND;
  let aboutItself = 0;
  let sender: string | undefined;
  const lines = lineReader((bytes, from, to, writer) => {
    if (left === 0) return false;
    left--;
    const line = textAt(bytes, from, to);
    // gpsd describes itself in JSON.
    if (line.startsWith("{")) {
      aboutItself++;
      return true;
    }
    return listener.hear(readLine(line), seconds, dayOf(wall()), sentenceRecords(writer, 0), sender);
  });
  return {
    get malformed() {
      return lines.malformed;
    },
    get answers() {
      return listener.answers + aboutItself;
    },
    read(chunk, end, writer, from) {
      sender = from;
      lines.read(chunk, end, writer);
    },
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
  open: openNmea0183,
};
