/** Makes messages of PGNs of the sentences of a connection or a file. */
import type { Said } from "../../../core/n2k/said.ts";
import { Tally } from "../../../core/util/tally.ts";
import { Fields } from "./fields.ts";
import type { Line } from "./line.ts";
import { isOwn, OWN_MARK } from "./own.ts";
import { sentencesIn } from "./sentences.ts";
import { Talkers } from "./talkers.ts";
import { VdmReader } from "./vdm-reader.ts";

/** Seconds for which hub's own sentences are expected after their mark. */
const OWN_FOR_SEC = 30;

const MAX_SENDERS = 16;

/** Sets the value of a sender; beyond the maximum the sender whose value was set longest ago is removed. */
function remember<Value>(values: Map<string, Value>, sender: string, value: Value): void {
  values.delete(sender);
  if (values.size === MAX_SENDERS) values.delete([...values.keys()][0]!);
  values.set(sender, value);
}

/** Called with the messages of a talker, by its address. */
export type Tell = (address: number, said: readonly Said[]) => void;

export class Listener {
  /** Sentences that were read and have no message. */
  answers = 0;
  readonly #talkers: Talkers;
  readonly #ais = new VdmReader();
  /** Senders whose sentences have checksums. */
  readonly #checking = new Map<string, true>();
  /** Seconds until which hub's own sentences are expected, by sender. */
  readonly #ownUntil = new Map<string, number>();

  /**
   * `place` is that of the talkers: with another one, their NAMEs are others. `unusedTransducers` counts measurements of
   * XDR of which nothing is made.
   */
  constructor(place: string, unusedTransducers = new Tally()) {
    this.#talkers = new Talkers(place, unusedTransducers);
  }

  /**
   * Hears a line at a time in seconds since the start; `today` is the day since 1970 from which dates without a year
   * are completed; `sender` is its host where several may send. False if the line cannot be read.
   */
  hear(line: Line | undefined, seconds: number, today: number, tell: Tell, sender = ""): boolean {
    if (line === undefined || (!line.hasChecksum && this.#checking.has(sender))) return false;
    if (line.hasChecksum && !this.#checking.has(sender)) remember(this.#checking, sender, true);
    const { body, isEncapsulated, source } = line;
    const fields = new Fields(body);
    if (body === OWN_MARK) remember(this.#ownUntil, sender, seconds + OWN_FOR_SEC);
    const isEcho = seconds < (this.#ownUntil.get(sender) ?? seconds) && isOwn(fields);
    const isAis = isEncapsulated && /^VD[MO]$/.test(fields.letters);
    const row = isEncapsulated ? undefined : sentencesIn[fields.letters];
    const hasTalker = fields.talker.length === (body.startsWith("P") ? 4 : 2);
    if (isEcho || !hasTalker || (!isAis && row === undefined)) {
      this.answers++;
      return true;
    }
    const talker = this.#talkers.of(fields, source);
    if (talker === "full") return false;
    if (talker === "unnamed") {
      this.answers++;
      return true;
    }
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
}
