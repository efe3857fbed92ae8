/**
 * The talkers of a connection as devices. The NAME of a talker is made from the URL of the connection, the source in the
 * tag block and the letters of the talker, so that it is the same after a restart; so is its address, unless two
 * talkers would have the same one. A GNSS receiver tells the NAMEs of all its letters: which of them come first after a
 * restart is chance, and settings may have any of them.
 */
import { type StandIn, StandIns } from "../../../core/n2k/stand-in.ts";
import type { Tally } from "../../../core/util/tally.ts";
import { Memory } from "./memory.ts";

/** Maximum talkers of a connection; boats have a handful. */
export const MAX_TALKERS = 40;

/** Talkers of one GNSS receiver, which changes them with the systems that it uses. */
const receivers: readonly string[] = ["GP", "GN", "GL", "GA", "GB", "BD", "GI", "GQ"];

/** Sentences whose letters are those of each satellite system in turn; others of a receiver have its own. */
const aboutSatellites: readonly string[] = ["GSA", "GSV"];

/** Class and function of a device by its talker; others are gateways of NMEA 0183. */
const functions: Readonly<Record<string, readonly [classCode: number, functionCode: number]>> = {
  ...Object.fromEntries(receivers.map((talker) => [talker, [60, 145]])),
  ...Object.fromEntries(["AI", "AB", "BS", "SA"].map((talker) => [talker, [70, 140]])),
  CD: [70, 150],
  ...Object.fromEntries(["HC", "HE", "HN"].map((talker) => [talker, [60, 140]])),
  SD: [60, 130],
  VW: [60, 155],
  TI: [60, 160],
  WI: [85, 130],
};
const NMEA_0183_GATEWAY = [25, 135] as const;

export interface Talker {
  readonly device: StandIn;
  readonly memory: Memory;
}

/** The letters of a sentence: those of its talker, and its own. */
interface Spoken {
  readonly talker: string;
  readonly letters: string;
}

export class Talkers {
  readonly #url: string;
  readonly #unusedTransducers: Tally;
  readonly #talkers = new Map<string, Talker>();
  readonly #devices = new StandIns();

  constructor(url: string, unusedTransducers: Tally) {
    this.#url = url;
    this.#unusedTransducers = unusedTransducers;
  }

  /**
   * `full` if there are too many. The NAME of a receiver is that of the letters with which it was first heard; what it
   * says of its satellites before that makes no device.
   */
  of({ talker: letters, letters: sentence }: Spoken, source: string): Talker | "full" | "unnamed" {
    const isReceiver = receivers.includes(letters);
    const key = `${source} ${isReceiver ? "receiver" : letters}`;
    let talker = this.#talkers.get(key);
    if (talker === undefined && isReceiver && aboutSatellites.includes(sentence)) return "unnamed";
    if (talker === undefined && this.#talkers.size < MAX_TALKERS) {
      talker = { device: this.#deviceOf(letters, source), memory: new Memory(this.#unusedTransducers) };
      this.#talkers.set(key, talker);
    }
    return talker ?? "full";
  }

  #deviceOf(letters: string, source: string): StandIn {
    const [classCode, functionCode] = functions[letters] ?? NMEA_0183_GATEWAY;
    const all = receivers.includes(letters) ? receivers : [letters];
    const identityOf = (each: string): string => `${this.#url} ${source} ${each}`;
    return this.#devices.create({
      address: `${source} ${letters}`,
      name: identityOf(letters),
      otherNames: all.filter((each) => each !== letters).map(identityOf),
      classCode,
      functionCode,
      product: { modelId: `NMEA 0183 ${letters}`, modelVersion: source, serialNumber: this.#url.slice(0, 32) },
    });
  }
}
