/** Puts AIS messages together from `!AIVDM` and `!AIVDO`; bounded for any input. */
import type { Definition } from "../../../core/n2k/definition.ts";
import { encoderOf } from "../../../core/n2k/encode.ts";
import { AisTransceiver } from "../../../core/n2k/lookups.ts";
import { definitions } from "../../../core/n2k/pgns/index.ts";
import type { Said } from "../../../core/n2k/said.ts";
import { setNewest } from "../../../core/util/grouped.ts";
import { aisPgns, readAis } from "../ais-messages.ts";
import type { Fields } from "./fields.ts";

/** Messages that are incomplete at a time, at most. */
const MAX_OPEN = 20;
const MAX_PARTS = 9;
/** Sentences after which the rest of a message is no longer waited for. */
const MAX_GAP = 100;
const MAX_PAYLOAD = 82;

interface Open {
  readonly total: number;
  readonly parts: string[];
  readonly begun: number;
}

interface Part {
  readonly total: number;
  readonly part: number;
  readonly payload: string;
  readonly sender: string;
}

const encoders = new Map(
  definitions
    .filter(({ pgn }) => aisPgns.includes(pgn))
    .map((definition) => [definition.pgn, encoderOf(definition as Definition) as (message: object) => Uint8Array]),
);

/** The mark of a message: received on a channel, or sent on it by the boat's own transponder. */
function transceiverOf(letters: string, channel: string): (typeof AisTransceiver)[number] {
  const second = channel === "B" || channel === "2" ? 1 : 0;
  if (letters === "VDM") return AisTransceiver[second];
  return channel === "" ? AisTransceiver[4] : AisTransceiver[second === 0 ? 2 : 3];
}

export class VdmReader {
  readonly #open = new Map<string, Open>();
  #sentences = 0;

  /** The message that ends with this sentence of a sender; undefined for a sentence that cannot be read. */
  read(fields: Fields, today: number, sender: string): readonly Said[] | undefined {
    this.#sentences++;
    const [total, part] = [fields.number(0, { min: 1, max: MAX_PARTS }), fields.number(1, { min: 1, max: MAX_PARTS })];
    const payload = fields.text(4);
    const fillBits = fields.number(5, { min: 0, max: 5 });
    if (total === undefined || part === undefined || part > total || fillBits === undefined) return undefined;
    if (payload.length > MAX_PAYLOAD) return undefined;
    const whole = total === 1 ? payload : this.#joined(fields, { total, part, payload, sender });
    if (whole === undefined) return [];
    const message = readAis(whole, fillBits, { today });
    if (message === undefined) return [];
    const { pgn, data } = message;
    const transceiver = transceiverOf(fields.letters, fields.text(3).toUpperCase());
    return [{ pgn, payload: encoders.get(pgn)!({ pgn, ...data, transceiver }) }];
  }

  /**
   * The payload of all parts, which come in their order. Two receivers number their messages alike; the source in the
   * tag block does not tell them apart, because only the first part has to have it.
   */
  #joined(fields: Fields, { total, part, payload, sender }: Part): string | undefined {
    const key = `${sender} ${fields.talker}${fields.letters} ${fields.text(2)} ${fields.text(3)}`;
    const open = this.#open.get(key);
    if (part === 1) {
      setNewest(this.#open, key, { total, parts: [payload], begun: this.#sentences }, MAX_OPEN);
      return undefined;
    }
    if (open === undefined) return undefined;
    const isNext = open.total === total && open.parts.length === part - 1 && this.#sentences - open.begun <= MAX_GAP;
    if (isNext) open.parts.push(payload);
    if (!isNext || part === total) this.#open.delete(key);
    return isNext && part === total ? open.parts.join("") : undefined;
  }
}
