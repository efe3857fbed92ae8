/** A session with a gateway that writes lines, as a recording of it has them. */
import { type LineParser, lineReader } from "../recording/line-reader.ts";
import type { Session } from "./gateway.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** ASCII text as bytes. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The bytes from `from` to `to` as text, a character each. */
export const textAt = (bytes: Uint8Array, from: number, to: number): string => decoder.decode(bytes.subarray(from, to));

/** Without a date in the stamps of a gateway nothing depends on that of its recording. */
export const noDate = { modified: 0 };

export const lineSession = (parse: LineParser): Session => lineReader(parse);
