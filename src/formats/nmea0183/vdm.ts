/**
 * `!AIVDM` for messages received from other stations, `!AIVDO` for those of own ship.
 *
 *     !AIVDM,2,1,3,A,55NBjP01mtGIL@CW;SM<D60P5Ld000000000000P0h<8@2?KEq@000000000,0*42
 *            │ │ │ │ payload                                                   │
 *            │ │ │ channel                                                     fill bits
 *            │ │ sequence number, of messages in several sentences
 *            │ number of the sentence
 *            sentences
 */
import { AisTransceiver } from "../../core/n2k/lookups.ts";
import { OwnStations } from "../../core/nav/own-stations.ts";
import { aisFieldsOf } from "./ais-messages.ts";
import { framed } from "./sentence.ts";
import { type AisData, Bits, codeOf } from "./six-bit.ts";

/** Characters of the payload in one sentence of 82. */
const MAX_PAYLOAD = 60;

/** Channels by the code of the transceiver: received on A or B, sent on A or B, or an own message that is not sent. */
const channels = ["A", "B", "A", "B", ""] as const;
const FIRST_OWN_CODE = 2;

/**
 * Time within which a message with the same bits comes from another receiver. A station sends at most once in two
 * seconds (ITU-R M.1371, reporting intervals).
 */
const SAME_MESSAGE_MS = 1000;

/** Maximum messages that are remembered; two channels have room for 75 a second. */
const MAX_REMEMBERED = 256;

export class VdmEncoder {
  #sequence = 0;
  readonly #own = new OwnStations();
  /** Times of sent messages, by talker and payload, the oldest first. */
  readonly #sentMs = new Map<string, number>();

  /** A received MMSI never replaces a given one. */
  constructor(ownMmsi?: number) {
    this.#own.give(ownMmsi);
  }

  /**
   * The sentences of a message at `nowMs`, monotonic milliseconds; empty for a PGN that is not AIS, for a message
   * without the number of a station, and for a repetition within a second. `address` is that of its receiver.
   */
  encode(pgn: number, data: AisData, nowMs: number, address?: number): string {
    const fields = aisFieldsOf(pgn, data);
    if (fields === undefined || typeof data.mmsi !== "number") return "";
    const code = codeOf(AisTransceiver, data.transceiver) ?? 0;
    if (code >= FIRST_OWN_CODE) this.#own.mark(address, data.mmsi);
    const out = new Bits();
    for (const field of fields) field.write(out, data);
    const { payload, fillBits } = out.armoured();
    const talker = this.#own.has(data.mmsi) ? "AIVDO" : "AIVDM";
    if (this.#isRepeated(talker + payload, nowMs)) return "";
    return this.#sentences(talker, channels[code] ?? "", payload, fillBits);
  }

  #isRepeated(message: string, nowMs: number): boolean {
    const sent = this.#sentMs;
    const atMs = sent.get(message);
    if (atMs !== undefined && nowMs - atMs < SAME_MESSAGE_MS) return true;
    // The message moves to the end, after those that were sent before.
    sent.delete(message);
    sent.set(message, nowMs);
    for (const [old, oldMs] of sent) {
      if (sent.size <= MAX_REMEMBERED && nowMs - oldMs < SAME_MESSAGE_MS) break;
      sent.delete(old);
    }
    return false;
  }

  #sentences(talker: string, channel: string, payload: string, fillBits: number): string {
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
