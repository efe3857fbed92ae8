/**
 * `!AIVDM` for what the receiver heard of others, `!AIVDO` for what it sent itself.
 *
 *     !AIVDM,2,1,3,A,55NBjP01mtGIL@CW;SM<D60P5Ld000000000000P0h<8@2?KEq@000000000,0*42
 *            │ │ │ │ payload                                                   │
 *            │ │ │ channel                                                     fill bits
 *            │ │ sequence number, of messages in several sentences
 *            │ number of the sentence
 *            sentences
 */
import { AisTransceiver } from "../n2k/lookups.ts";
import { aisMessages } from "./ais-messages.ts";
import { framed } from "./sentence.ts";
import { type AisData, Bits, codeOf } from "./six-bit.ts";

/** Characters of the payload in one sentence of 82. */
const MAX_PAYLOAD = 60;

/** By code of the transceiver: received on a channel, sent on one, or own and not sent at all. */
const channels = ["A", "B", "A", "B", ""] as const;
const FIRST_OWN_CODE = 2;

export const aisPgns: readonly number[] = Object.keys(aisMessages).map(Number);

export class VdmEncoder {
  #sequence = 0;
  /** MMSI of own ship, once its transponder has marked a message as its own. */
  #ownMmsi: unknown;

  /** The sentences of a message; empty for a PGN that is none of AIS, or without the number of a station. */
  encode(pgn: number, data: AisData): string {
    const fields = aisMessages[pgn];
    if (fields === undefined || typeof data.mmsi !== "number") return "";
    const code = codeOf(AisTransceiver, data.transceiver) ?? 0;
    if (code >= FIRST_OWN_CODE) this.#ownMmsi = data.mmsi;
    const out = new Bits();
    for (const field of fields) field.write(out, data);
    const talker = data.mmsi === this.#ownMmsi ? "AIVDO" : "AIVDM";
    return this.#sentences(talker, channels[code] ?? "", out);
  }

  #sentences(talker: string, channel: string, out: Bits): string {
    const { payload, fillBits } = out.armoured();
    const count = Math.ceil(payload.length / MAX_PAYLOAD);
    const sequence = count > 1 ? String(this.#nextSequence()) : "";
    let lines = "";
    for (let at = 0; at < count; at++) {
      const part = payload.slice(at * MAX_PAYLOAD, (at + 1) * MAX_PAYLOAD);
      const fill = at === count - 1 ? fillBits : 0;
      lines += framed("!", [talker, count, at + 1, sequence, channel, part, fill].join(","));
    }
    return lines;
  }

  #nextSequence(): number {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) % 10;
    return sequence;
  }
}
