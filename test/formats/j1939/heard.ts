/** What a translator tells, for tests: frames of SAE J1939 by hand go in, messages come out. */

import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { readDeviceName } from "../../../src/core/n2k/device-name.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import { Packet } from "../../../src/core/ports/packet-batch.ts";
import { Translator, type TranslatorOptions } from "../../../src/formats/j1939/translator.ts";

export interface Heard {
  readonly source: number;
  readonly pgn: number;
  /** The message by the definition of its PGN. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly name?: bigint | undefined;
}

const byPgn = new Map<number, Definition>([...definitions, ...reportOnly].map((each) => [each.pgn, each]));

export function network(options: Partial<TranslatorOptions> = {}) {
  const translator = new Translator({ network: "j1939:can2", firstEngine: 0, ...options });
  return {
    /** The messages that follow from a payload in hexadecimal, at a time in milliseconds. */
    hear(source: number, pgn: number, hex: string, arrived = 0): readonly Heard[] {
      const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
      const packet = Object.assign(new Packet(), { source, pgn, bytes, at: 0, end: bytes.length, arrived });
      const heard: Heard[] = [];
      translator.hear(packet, (from, told, payload) => {
        const definition = byPgn.get(told)!;
        const data = decoderOf(definition)(payload, 0, payload.length, from) as Heard["data"];
        const name = told === 60928 ? { name: readDeviceName(payload, 0, payload.length) } : {};
        heard.push({ source: from, pgn: told, data, ...name });
      });
      return heard;
    },
  };
}

/** The data of the message of a PGN, without the number of the PGN; undefined if there is none. */
export function dataOf(heard: readonly Heard[], pgn: number): Readonly<Record<string, unknown>> | undefined {
  const { pgn: _, ...data } = heard.find((each) => each.pgn === pgn)?.data ?? {};
  return heard.some((each) => each.pgn === pgn) ? data : undefined;
}
