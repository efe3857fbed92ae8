/**
 * The raw log of a Signal K server: milliseconds since 1970, a letter for the kind of connection, and the line:
 *
 *     1646237338450;A;2022-03-02T16:08:58.450Z,2,127250,4,255,8,00,10,3f,00,00,ff,7f,fd     message, as canboat writes it
 *     1646237338460;A;16:08:58.460 R 09F11204 00 10 3F 00 00 FF 7F FD     the same of other gateways: Yacht Devices RAW,
 *     1646237338465;A;A160858.465 04FF2 1F112 00103F0000FF7FFD            Actisense N2K ASCII
 *     1646237338470;N;$GPRMC,160858,A,5213.0000,N,00454.0000,E,5.4,084.4,020322,,,A*7A       sentence of NMEA 0183
 */
import { dayOf } from "../../../core/text/date.ts";
import { readLine } from "../../nmea0183/input/line.ts";
import { Listener } from "../../nmea0183/input/listener.ts";
import { type LineParser, lineFormat } from "../line-reader.ts";
import { ReplayClock } from "../replay-clock.ts";
import { parseAsciiLines } from "./actisense-ascii.ts";
import { parseMessageLines } from "./canboat.ts";
import type { ReaderOptions } from "./format.ts";
import { sentenceRecords } from "./nmea0183.ts";
import { parseRawLines } from "./yacht-devices.ts";

const decoder = new TextDecoder("latin1");
const SEMICOLON = 0x3b;
/** Longest stamp and letter before a line. */
const HEAD_BYTES = 24;

function createParsing({ unusedTransducers }: ReaderOptions) {
  let at = 0;
  const times = { wall: () => at * 1000 };
  const parsers: readonly LineParser[] = [parseMessageLines(), parseRawLines(times), parseAsciiLines(times)];
  const listener = new Listener("recording", unusedTransducers);
  const clock = new ReplayClock();
  return {
    parse: (...[bytes, from, to, writer]: Parameters<LineParser>): boolean => {
      const second = bytes.indexOf(SEMICOLON, bytes.indexOf(SEMICOLON, from) + 1);
      if (second < from || second >= Math.min(to, from + HEAD_BYTES)) return false;
      const [, stamp, letter] = /^(\d{12,14});([A-Z])$/.exec(decoder.decode(bytes.subarray(from, second))) ?? [];
      if (stamp === undefined) return false;
      at = Number(stamp);
      if (letter === "A") return parsers.some((parse) => parse(bytes, second + 1, to, writer));
      if (letter !== "N") return false;
      const line = readLine(decoder.decode(bytes.subarray(second + 1, to)));
      const seconds = clock.advance(at * 1000) / 1e6;
      return listener.hear(line, seconds, dayOf(at), sentenceRecords(writer, at * 1000));
    },
  };
}

export const signalKLog = lineFormat("Signal K server log", createParsing);
