/**
 * Requests to the other devices of a bus for their descriptions: one at a time, each a few times until it is answered.
 */
import { configurationInformation, pgnList, productInformation } from "../../../core/n2k/pgns/system.ts";
import { entryOf } from "../../../core/util/grouped.ts";

const requestedPgns = [productInformation.pgn, pgnList.pgn, configurationInformation.pgn];
const ANSWER_TIMEOUT_MS = 5000;
const MAX_TRIES = 3;

/** The PGNs that a device has not answered yet. */
interface Interview {
  name: bigint | undefined;
  readonly open: Map<number, { tries: number; next: number }>;
}

export class Interviews {
  readonly #interviews = new Map<number, Interview>();

  /** Forgets all answers. */
  clear(): void {
    this.#interviews.clear();
  }

  /** A device has claimed an address; a new NAME means another device, which is asked anew. */
  hearClaim(name: bigint, address: number, now: number): void {
    const { name: known = name } = this.#interviews.get(address) ?? {};
    if (known !== name) this.#interviews.delete(address);
    this.#of(address, now).name = name;
  }

  /** A device has sent a message, which may be an answer. */
  hear(pgn: number, address: number): void {
    this.#interviews.get(address)?.open.delete(pgn);
  }

  /**
   * Sends the first request that is due, if any, to one of the devices at `addresses`. A request that was not sent is
   * not counted as a try.
   */
  request(addresses: Iterable<number>, now: number, send: (address: number, pgn: number) => boolean): void {
    const present = new Set(addresses);
    for (const address of this.#interviews.keys()) if (!present.has(address)) this.#interviews.delete(address);
    for (const address of present) {
      const { open } = this.#of(address, now);
      for (const [pgn, request] of open) {
        if (now < request.next) continue;
        if (request.tries === MAX_TRIES) {
          open.delete(pgn);
          continue;
        }
        if (!send(address, pgn)) return;
        request.tries++;
        request.next = now + ANSWER_TIMEOUT_MS;
        return;
      }
    }
  }

  #of(address: number, now: number): Interview {
    return entryOf(this.#interviews, address, () => ({
      name: undefined,
      open: new Map(requestedPgns.map((pgn) => [pgn, { tries: 0, next: now }])),
    }));
  }
}
