/**
 * The raw log of a Signal K server: milliseconds since 1970, a letter for the kind of connection, and the line:
 *
 *     1646237338450;A;2022-03-02T16:08:58.450Z,2,127250,4,255,8,00,10,3f,00,00,ff,7f,fd     message, as canboat writes it
 *     1646237338470;N;$GPRMC,160858,A,5213.0000,N,00454.0000,E,5.4,084.4,020322,,,A*7A       sentence of NMEA 0183
 */
import { MS_A_DAY } from "../../nmea0183/input/fields.ts";
import { readLine } from "../../nmea0183/input/line.ts";
import { Listener } from "../../nmea0183/input/listener.ts";
import { lineFormat } from "../line-reader.ts";
import { ReplayClock } from "../replay-clock.ts";
import { parseMessageLines } from "./canboat.ts";
import type { ReaderOptions } from "./format.ts";
import { sentenceRecords } from "./nmea0183.ts";

const decoder = new TextDecoder("latin1");
const SEMICOLON = 0x3b;
/** Longest stamp and letter before a line. */
const HEAD_BYTES = 24;

function createParsing({ unusedTransducers }: ReaderOptions) {
  const parseMessage = parseMessageLines();
  const listener = new Listener("recording", unusedTransducers);
  const clock = new ReplayClock();
  return {
    parse: (...[bytes, from, to, writer]: Parameters<typeof parseMessage>): boolean => {
      const second = bytes.indexOf(SEMICOLON, bytes.indexOf(SEMICOLON, from) + 1);
      if (second < from || second >= Math.min(to, from + HEAD_BYTES)) return false;
      const [, stamp, letter] = /^(\d{12,14});([A-Z])$/.exec(decoder.decode(bytes.subarray(from, second))) ?? [];
      if (stamp === undefined) return false;
      if (letter === "A") return parseMessage(bytes, second + 1, to, writer);
      if (letter !== "N") return false;
      const at = Number(stamp);
      const line = readLine(decoder.decode(bytes.subarray(second + 1, to)));
      const seconds = clock.advance(at * 1000) / 1e6;
      return listener.hear(line, seconds, Math.floor(at / MS_A_DAY), sentenceRecords(writer, at * 1000));
    },
  };
}

export const signalKLog = lineFormat("Signal K server log", createParsing);
