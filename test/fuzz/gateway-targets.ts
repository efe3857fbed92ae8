/**
 * Bytes of gateways: any bytes give the same records in any pieces, and a bounded number of commands to the gateway.
 */

import type { Gateway } from "../../src/formats/gateway/gateway.ts";
import { gateways } from "../../src/formats/gateway/table.ts";
import { RecordWriter } from "../../src/formats/recording/record-writer.ts";
import { bst } from "../formats/gateway/bst.ts";
import { checkRecords } from "./recording-targets.ts";
import { check, type Target, text } from "./target.ts";

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));

const seeds: readonly Uint8Array[] = [
  joined(bst("93 13 02 12 F1 01 FF 03 10 02 10 03 08 01 FF 10 02 10 03 7F FF"), bst("A0 03 F2 10 02")),
  joined(
    bst("95 0E 01 20 30 02 F8 09 FF FC 37 0A 00 10 FF FF"),
    bst("D0 10 00 FF 24 14 F0 19 20 01 02 03 04 10 02 03"),
  ),
  text("< hi >< ok >< ok >< frame 09F11203 1675349980.504289 0102FF >< error 004 1675349980.504289 >< echo >"),
  text("$PDGY,000000,,,,,,\r\n$PDGY,000000,17,4,9,3600,23,0\r\n!PDGY,127250,2,3,255,481.734,2C20AAAAAAE=\r\n"),
  text("17:33:21.107 R 19F51323 01 2F 30\r\n17:33:21.107 T 18EA64FF 00 EE 00\r\n"),
  text("# format=FAST\n2026-11-21T08:14:26.123Z,2,129029,3,255,9,01,02,03,04,05,06,07,08,09\n"),
  text("A173321.107 23FF7 1F513 012F3070002F30709F\n"),
  text("$GPRMC,081426.12,A,5213.1234,N,00454.5678,E,5.4,084.4,211126,2.1,E,D*31\r\n$IIXDR,C,85,C,ENGINE#1\r\n"),
  text("\\s:AI1*3A\\!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n$GPRTE,1,1,c,HOME,0007,0008\r\n"),
  text("$CDDSC,12,3380400790,12,06,00,1423108312,2019,,,S,E*6A\r\n$CDDSE,1,1,A,3380400790,00,45894494*1B\r\n"),
  text("$CDDSC,20,2446706810,00,00,26,900072900072,0302101234,,,R,E\r\n$CDDSE,2,1,A,2446706810,02,0054,03,0845\r\n"),
  text("(1436509052.249713) vcan0 0DF10503#2A366C2BBA00FFFF\n"),
];

function readIn(gateway: Gateway, input: Uint8Array, cuts: readonly number[]): string {
  let told = 0;
  const session = gateway.open({
    busName: "can0",
    send: (command) => {
      told += command.length;
    },
  });
  const start = told;
  session.encode?.(0x18ea64ff, Uint8Array.of(0, 0xee, 0));
  const writer = new RecordWriter();
  let print = "";
  let count = 0;
  for (let at = 0, turn = 0; at < input.length; turn++) {
    const end = Math.min(input.length, at + (cuts[turn % cuts.length] ?? input.length));
    session.read(input.slice(at, end), false, writer);
    const read = checkRecords(writer);
    count += read.count;
    print += read.print;
    at = end;
  }
  const { malformed, answers = 0, waitsFor, refusal, figures } = session;
  const all = count + malformed + writer.internal + writer.unaddressed + answers;
  check(all <= input.length + 1, "more records than bytes");
  // The shortest message that is answered has twelve bytes, the longest answer 23.
  check(told - start <= 4 * input.length, "more is said than was heard");
  return `${print}${malformed} ${answers} ${waitsFor} ${refusal} ${JSON.stringify(figures)} ${told}`;
}

export const gatewayTargets: readonly Target[] = gateways.map((gateway) => ({
  name: `gateway ${gateway.endpoints[0]!.scheme}`,
  seeds: seeds.map((seed) => joined(Uint8Array.of(7, 1), seed)),
  run(input: Uint8Array) {
    // The first two bytes say where the pieces are cut.
    const [one = 0, other = 0] = input;
    const bytes = input.subarray(2);
    const whole = readIn(gateway, bytes, [bytes.length]);
    check(readIn(gateway, bytes, [1 + one, 1 + other]) === whole, `${gateway.title} reads pieces differently`);
  },
}));
