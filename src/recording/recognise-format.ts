/** Finds out from its first bytes, never from its name, what kind of recording a file is. */
import { actisenseAscii } from "./actisense-ascii.ts";
import { canboatFast, canboatPlain } from "./canboat.ts";
import { candumpLog } from "./candump-log.ts";
import { candumpDifferences, candumpText } from "./candump-text.ts";
import type { Format } from "./format.ts";
import { ikonvert } from "./ikonvert.ts";
import { pcap } from "./pcap.ts";
import { pcapng } from "./pcapng.ts";
import { yachtDevicesRaw } from "./yacht-devices.ts";

/** Every format that can be read. */
export const formats: readonly Format[] = [
  pcap,
  pcapng,
  candumpLog,
  candumpText,
  candumpDifferences,
  canboatFast,
  canboatPlain,
  yachtDevicesRaw,
  actisenseAscii,
  ikonvert,
];

/** How much of a recording its format has to show in, bytes: comments in front, and enough lines to tell variants apart. */
export const HEAD_BYTES = 65_536;

/**
 * The format of a recording that begins with `head`; undefined when it is none that is known, or, unless `complete`, when
 * more of it has to be seen.
 */
export function recogniseFormat(head: Uint8Array, complete: boolean): Format | undefined {
  const bytes = head.subarray(0, HEAD_BYTES);
  const whole = complete || head.length >= HEAD_BYTES;
  return formats.find((format) => format.recognises({ bytes, complete: whole }));
}
