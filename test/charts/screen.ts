/** The content of a display server: its frame buffer, a file of the X Window Dump format, as pixels and as PNG. */
import { readFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

/** 0xRRGGBB */
export type Colour = number;

export interface Screen {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): Colour;
}

/** Words of the header: https://www.x.org/releases/current/doc/man/man7/xwd */
const [HEADER_SIZE, WIDTH, HEIGHT, BYTES_PER_LINE, COLOURS] = [0, 4, 5, 12, 19];
const BYTES_PER_COLOUR = 12;

/** Reads the file that `Xvfb -fbdir` keeps, of a screen with 24 bits a pixel. */
export function screenIn(path: string): Screen {
  const dump = readFileSync(path);
  const word = (index: number): number => dump.readUInt32BE(4 * index);
  const begin = word(HEADER_SIZE) + BYTES_PER_COLOUR * word(COLOURS);
  return {
    width: word(WIDTH),
    height: word(HEIGHT),
    at: (x, y) => dump.readUInt32LE(begin + y * word(BYTES_PER_LINE) + 4 * x) & 0xffffff,
  };
}

/** The screen as PNG, for people. */
export function pngOf({ width, height, at }: Screen): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([
      0,
      ...Array.from({ length: width }, (_, x) => at(x, y)).flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]),
    ]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // Eight bits of red, green and blue.
  header.set([8, 2], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const parts = [
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}
