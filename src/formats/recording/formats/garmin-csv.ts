/**
 * Recordings of Garmin's program as tables, whole messages (canboat's formats GARMIN_CSV1 and GARMIN_CSV2). The first
 * line names the columns; the second variant has a date, and a column more:
 *
 *     Sequence #,Timestamp,PGN,Name,Manufacturer,Remote Address,Local Address,Priority,Single Frame,Size,Packet
 *     0,486942,127508,Battery Status,Garmin,6,255,2,1,8,0x017505FF7FFFFFFF
 *     0,6_21_2015_16_11_14_24931648,127508,Processed,Battery Status,Garmin,6,255,2,1,8,0x017505FF7FFFFFFF
 *
 * The time is in milliseconds; behind a date, month first, its last three digits are those of the second. Names may
 * have commas, so that the last columns are counted from the end.
 */
import { daysOf, timestampOf } from "../../../core/text/date.ts";
import { type LineParser, lineFormat } from "../line-reader.ts";
import { LONGEST_PAYLOAD } from "../record-writer.ts";
import { TextCursor } from "../text-cursor.ts";
import { MICROSECONDS_OF_SECOND, RunningTime, secondsOfDay } from "../wall-time.ts";

const PERIOD_US = 2 ** 32 * 1000;
const COMMA = 0x2c;
/** Remote and local address, priority, single frame, size and packet. */
const LAST_COLUMNS = 6;

export const garminCsv = lineFormat("Garmin CSV", ({ modified }) => {
  const cursor = new TextCursor();
  const payload = new Uint8Array(LONGEST_PAYLOAD);
  let times: RunningTime | undefined;

  /** A number and the comma behind it; -1 if they are not next. */
  function field(): number {
    const value = cursor.decimal();
    return cursor.take(",") ? value : -1;
  }

  /** The wall clock of the column; NaN if it is none. */
  function takeTime(): number {
    const first = cursor.decimal();
    if (first < 0) return Number.NaN;
    if (cursor.take(",")) {
      times ??= new RunningTime((modified - first) * 1000, PERIOD_US);
      return times.wall(first * 1000);
    }
    const parts = [first];
    while (cursor.take("_")) parts.push(cursor.decimal());
    const [month = 0, day = 0, year = 0, hours = -1, minutes = -1, seconds = -1, ticks = -1] = parts;
    const ofDay = secondsOfDay(hours, minutes, seconds);
    const days = year < 1970 || year > 9999 ? undefined : daysOf(year, month, day);
    if (parts.length !== 7 || days === undefined || ofDay < 0 || ticks < 0 || !cursor.take(",")) return Number.NaN;
    return timestampOf(days, 0) * 1000 + ofDay * MICROSECONDS_OF_SECOND + (ticks % 1000) * 1000;
  }

  /** Moves to the last columns; false if there are fewer. */
  function skipNames(): boolean {
    let at = cursor.end;
    for (let commas = 0; commas < LAST_COLUMNS; ) {
      if (--at < cursor.at) return false;
      if (cursor.bytes[at] === COMMA) commas++;
    }
    cursor.at = at + 1;
    return true;
  }

  const parse: LineParser = (bytes, from, to, writer) => {
    cursor.set(bytes, from, to);
    if (cursor.takeWord("Sequence #,")) return true;
    if (field() < 0) return false;
    const wall = takeTime();
    const pgn = field();
    if (Number.isNaN(wall) || pgn < 0 || pgn > 0xffffff || !skipNames()) return false;
    const source = field();
    const destination = field();
    const priority = field();
    const single = field();
    const size = field();
    if (source < 0 || source > 255 || destination < 0 || destination > 255) return false;
    if (priority < 0 || priority > 7 || single < 0 || size < 0 || size > LONGEST_PAYLOAD) return false;
    if (!cursor.takeWord("0x")) return false;
    for (let index = 0; index < size; index++) {
      const byte = cursor.byte();
      if (byte < 0) return false;
      payload[index] = byte;
    }
    return cursor.done && writer.packet(wall, priority, pgn, source, destination, payload, size);
  };
  return {
    parse,
    get times() {
      return times === undefined ? "dated" : "undated";
    },
  };
});
