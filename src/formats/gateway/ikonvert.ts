/**
 * Digital Yacht iKonvert on a serial port (its wiki, "Operation" and "Serial Protocol"). Every second it sends a
 * status:
 *
 *     $PDGY,000000,,,,,,               it is off the bus and waits to be initialised
 *     $PDGY,000000,12,0,5,3600,23,0    load of the bus in percent, errors, devices, uptime, address, refused requests
 *
 * It gets a command to leave the bus first, because another program may have set a list of PGNs. It gets the command to
 * receive all whenever it reports that it is off the bus: at the start, and after it has lost power.
 */
import type { Reader } from "../recording/formats/format.ts";
import { parseIkonvertLines } from "../recording/formats/ikonvert.ts";
import { lineReader } from "../recording/line-reader.ts";
import type { RecordWriter } from "../recording/record-writer.ts";
import type { BusFigures, Gateway, Session, SessionOptions } from "./gateway.ts";
import { bytesOf, noDate, textAt } from "./text.ts";

const DOLLAR = 0x24;
const SILENCE_MS = 10_000;

class IkonvertSession implements Session {
  answers = 0;
  waitsFor: string | undefined = "the gateway is off the bus";
  figures: BusFigures = {};
  readonly #options: SessionOptions;
  readonly #lines: Reader;

  constructor(options: SessionOptions) {
    this.#options = options;
    const parse = parseIkonvertLines(noDate);
    this.#lines = lineReader((bytes, from, to, writer) => {
      const dollar = bytes.indexOf(DOLLAR, from);
      if (dollar >= 0 && dollar < to) this.#hear(textAt(bytes, dollar, to).trim());
      return parse(bytes, from, to, writer);
    });
    this.#tell("N2NET_OFFLINE");
  }

  get malformed(): number {
    return this.#lines.malformed;
  }

  read(chunk: Uint8Array, end: boolean, writer: RecordWriter): void {
    this.#lines.read(chunk, end, writer);
  }

  #tell(command: string): void {
    this.#options.send(bytesOf(`$PDGY,${command}\r\n`));
  }

  /** A sentence of the gateway about itself. */
  #hear(sentence: string): void {
    if (!sentence.startsWith("$PDGY,")) return;
    this.answers++;
    const [, load, errors] = /^\$PDGY,000000,(\d{0,3}),(\d{0,9}),/.exec(sentence) ?? [];
    if (load === undefined || errors === undefined) return;
    this.waitsFor = load === "" ? "the gateway is off the bus" : undefined;
    if (load !== "")
      this.figures = { busLoadPercent: Number(load), ...(errors !== "" && { busErrors: Number(errors) }) };
    else this.#tell("N2NET_INIT,ALL");
  }
}

export const ikonvert: Gateway = {
  title: "Digital Yacht iKonvert",
  endpoints: [{ scheme: "ikonvert", transport: "serial", baud: 230_400 }],
  carries: "messages",
  silenceMs: SILENCE_MS,
  open: (options) => new IkonvertSession(options),
};
