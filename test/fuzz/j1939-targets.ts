/** Messages of a J1939 network: whatever devices send, a few messages follow, which their definitions read. */

import { decoderOf } from "../../src/core/n2k/decode.ts";
import { definitions, reportOnly } from "../../src/core/n2k/pgns/index.ts";
import { Packet } from "../../src/core/ports/packet-batch.ts";
import { Translator } from "../../src/formats/j1939/translator.ts";
import { check, Input, type Target } from "./target.ts";

const pgns = [
  61443, 61444, 61445, 65226, 65227, 65253, 65262, 65263, 65266, 65269, 65270, 65271, 65272, 65276, 60928, 65280,
];
const decoders = new Map(
  [...definitions, ...reportOnly].map((definition) => [definition.pgn, decoderOf(definition)] as const),
);
/** The longest payload by the transport protocol. */
const LONGEST = 1785;
/** The message, a NAME that is given up, one that is told, product information, and the three of an engine. */
const MOST_TOLD = 7;

/** A message in an input: its source, the place of its PGN, time since the last one in 10 ms, length, payload. */
const said = (source: number, pgn: number, after: number, hex: string): readonly number[] => {
  const payload = Buffer.from(hex, "hex");
  return [source, pgns.indexOf(pgn), after, payload.length, ...payload];
};

const seeds: readonly Uint8Array[] = [
  [said(0, 61444, 1, "ff82877032ffffff"), said(0, 65263, 200, "5affff05ffff3cff")],
  [said(0, 65226, 1, "10ff640001036e001005"), said(0, 65226, 100, "00ff00000000ffff")],
  [said(3, 65272, 1, "ffffff6e602effff"), said(3, 61445, 255, "7ee8037cffffffff"), said(3, 65226, 255, "04ff7f000103")],
  [said(90, 60928, 1, "0100000010000000"), said(90, 65271, 1, "7d51200118010e01"), said(90, 65253, 255, "40e20100")],
].map((parts) => Uint8Array.from(parts.flat()));

export const j1939Targets: readonly Target[] = [
  {
    name: "J1939",
    seeds,
    run(bytes: Uint8Array) {
      const input = new Input(bytes);
      const translator = new Translator({ network: "j1939:can2", firstEngine: 0 });
      let arrived = 0;
      while (!input.isEmpty) {
        const [source, pgn] = [input.byte(), pgns[input.byte() % pgns.length]!];
        arrived += input.byte() * 10;
        const payload = input.take(input.byte());
        const packet = Object.assign(new Packet(), { source, pgn, arrived, bytes: payload, end: payload.length });
        let told = 0;
        translator.hear(packet, (from, number, message) => {
          told++;
          check(from === source || from === 254, "a message of another device");
          check(message.length <= LONGEST, "a message that no network carries");
          decoders.get(number)!(message, 0, message.length, from);
        });
        check(told <= MOST_TOLD, "more is said than follows");
      }
    },
  },
];
