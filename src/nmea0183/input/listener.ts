/** Makes messages of PGNs of the sentences of a connection or a file. */
import type { Said } from "../../n2k/said.ts";
import { Fields } from "./fields.ts";
import type { Line } from "./line.ts";
import { isOwn, OWN_MARK } from "./own.ts";
import { sentencesIn } from "./sentences.ts";
import { Talkers } from "./talkers.ts";
import { VdmReader } from "./vdm-reader.ts";

/** Seconds for which hub's own sentences are expected after their mark. */
const OWN_FOR_SEC = 30;

/** Maximum senders that are remembered for something; beyond it the one for which it is longest ago is forgotten. */
const MAX_SENDERS = 16;

/** Called with the messages of a talker, by its address. */
export type Tell = (address: number, said: readonly Said[]) => void;

export class Listener {
  /** Sentences that were read and have no message. */
  answers = 0;
  readonly #talkers: Talkers;
  readonly #ais = new VdmReader();
  /** Senders whose sentences have checksums. */
  readonly #checking = new Set<string>();
  /** Seconds until which hub's own sentences are expected, by sender. */
  readonly #ownUntil = new Map<string, number>();

  /** `place` is that of the talkers: with another one, their NAMEs are others. */
  constructor(place: string) {
    this.#talkers = new Talkers(place);
  }

  /**
   * Hears a line at a time in seconds since the start; `today` is the day since 1970 from which dates without a year
   * are completed; `sender` is its host where several may send. False if the line cannot be read.
   */
  hear(line: Line | undefined, seconds: number, today: number, tell: Tell, sender = ""): boolean {
    if (line === undefined || (!line.hasChecksum && this.#checking.has(sender))) return false;
    if (line.hasChecksum) this.#expectChecksums(sender);
    const { body, isEncapsulated, source } = line;
    const fields = new Fields(body);
    if (body === OWN_MARK) this.#expectOwn(sender, seconds);
    const isUnused = body.startsWith("P") || (seconds < (this.#ownUntil.get(sender) ?? seconds) && isOwn(fields));
    const isAis = isEncapsulated && /^VD[MO]$/.test(fields.letters);
    const row = isEncapsulated ? undefined : sentencesIn[fields.letters];
    if (isUnused || fields.talker.length !== 2 || (!isAis && row === undefined)) {
      this.answers++;
      return true;
    }
    const talker = this.#talkers.of(fields.talker, source);
    if (talker === undefined) return false;
    talker.memory.count(seconds);
    const said = isAis ? this.#ais.read(fields, today, sender) : row!(fields, talker.memory);
    if (said === undefined) return false;
    if (said.length === 0) this.answers++;
    else {
      const { address } = talker.device;
      tell(address, talker.device.introduction(seconds));
      tell(address, said);
    }
    return true;
  }

  #expectChecksums(sender: string): void {
    if (this.#checking.has(sender)) return;
    if (this.#checking.size === MAX_SENDERS) this.#checking.delete([...this.#checking][0]!);
    this.#checking.add(sender);
  }

  #expectOwn(sender: string, seconds: number): void {
    this.#ownUntil.delete(sender);
    if (this.#ownUntil.size === MAX_SENDERS) this.#ownUntil.delete([...this.#ownUntil.keys()][0]!);
    this.#ownUntil.set(sender, seconds + OWN_FOR_SEC);
  }
}
