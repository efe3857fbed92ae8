/**
 * Makes inputs from inputs, by the ways that have proved good at it: bits, bytes, stretches, numbers, words of others.
 */

/** A generator of whole numbers below `limit`, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const telling = [
  0, 1, 7, 8, 9, 10, 13, 16, 31, 32, 34, 47, 58, 64, 92, 123, 125, 127, 128, 192, 223, 224, 252, 253, 254, 255,
];
const words = [
  "0",
  "-1",
  "1e999",
  "null",
  "true",
  "[]",
  "{}",
  '""',
  "\\u0000",
  "\\ud800",
  "../",
  "%2e",
  ",",
  ":",
  "__proto__",
].map((word) => Buffer.from(word));

/** A new input of at most `longest` bytes, from one or two of `inputs`. */
export function mutate(inputs: readonly Uint8Array[], random: (limit: number) => number, longest: number): Uint8Array {
  const pick = (): Uint8Array => inputs[random(inputs.length)]!;
  let bytes = Uint8Array.from(pick());
  const splice = (at: number, removed: number, added: Uint8Array): void => {
    bytes = Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at + removed)]);
  };
  const stretch = (of: Uint8Array): Uint8Array => {
    const from = random(of.length + 1);
    return of.subarray(from, from + random(Math.min(64, of.length - from) + 1));
  };
  for (let changes = 1 << random(4); changes > 0; changes--) {
    const at = random(bytes.length + 1);
    switch (random(9)) {
      case 0:
        if (at < bytes.length) bytes[at]! ^= 1 << random(8);
        break;
      case 1:
        if (at < bytes.length) bytes[at] = random(256);
        break;
      case 2:
        if (at < bytes.length) bytes[at] = telling[random(telling.length)]!;
        break;
      case 3:
        if (at < bytes.length) bytes[at]! += random(2) === 0 ? 1 : -1;
        break;
      case 4:
        splice(at, random(8) === 0 ? random(64) : random(4), new Uint8Array(0));
        break;
      case 5:
        splice(
          at,
          0,
          Uint8Array.from({ length: 1 + random(4) }, () => random(256)),
        );
        break;
      case 6:
        splice(at, 0, stretch(bytes));
        break;
      case 7:
        splice(at, random(2) * random(32), stretch(pick()));
        break;
      case 8:
        splice(at, random(3), words[random(words.length)]!);
        break;
    }
  }
  return bytes.subarray(0, longest);
}
