/** Detects the format of a recording from its first bytes, never from its name. */
import { actisenseAscii } from "./formats/actisense-ascii.ts";
import { actisenseEbl } from "./formats/actisense-ebl.ts";
import { airmar } from "./formats/airmar.ts";
import { canboatFast, canboatMixed, canboatPlain } from "./formats/canboat.ts";
import { candumpLog } from "./formats/candump-log.ts";
import { candumpDifferences, candumpText } from "./formats/candump-text.ts";
import type { Format } from "./formats/format.ts";
import { garminCsv } from "./formats/garmin-csv.ts";
import { ikonvert } from "./formats/ikonvert.ts";
import { nmea0183Sentences } from "./formats/nmea0183.ts";
import { pcap } from "./formats/pcap.ts";
import { pcapng } from "./formats/pcapng.ts";
import { seaSmart } from "./formats/seasmart.ts";
import { signalKLog } from "./formats/signalk-log.ts";
import { yachtDevicesRaw } from "./formats/yacht-devices.ts";
import { yachtDevicesCan } from "./formats/yacht-devices-can.ts";
import { yachtDevicesDat } from "./formats/yacht-devices-dat.ts";

/** Every format that can be read, in the order of detection. */
export const formats: readonly Format[] = [
  pcap,
  pcapng,
  yachtDevicesCan,
  actisenseEbl,
  candumpLog,
  candumpText,
  candumpDifferences,
  canboatMixed,
  canboatFast,
  canboatPlain,
  yachtDevicesRaw,
  actisenseAscii,
  ikonvert,
  airmar,
  seaSmart,
  garminCsv,
  signalKLog,
  nmea0183Sentences,
  yachtDevicesDat,
];

/**
 * Bytes within which a format is detected: room for comments at the start, and for enough lines to distinguish
 * variants.
 */
export const HEAD_BYTES = 65_536;

/**
 * The format of a recording that begins with `head`; undefined for an unknown one and, unless `complete`, if more bytes
 * are needed.
 *
 * @example detectFormat(new TextEncoder().encode("(1436509052.249713) can0 0DF10503#2A\n"), true)?.name // "candump -L"
 */
export function detectFormat(head: Uint8Array, complete: boolean): Format | undefined {
  const bytes = head.subarray(0, HEAD_BYTES);
  const whole = complete || head.length >= HEAD_BYTES;
  return formats.find((format) => format.matches({ bytes, complete: whole }));
}
