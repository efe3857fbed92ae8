/**
 * SHA-256 (FIPS 180-4) of short texts. The browser's own is there only in secure contexts, and a boat's pages come over plain
 * HTTP from an address on its network.
 */

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function fractions(count, root) {
  const words = [];
  for (let candidate = 2; words.length < count; candidate++) {
    if (isPrime(candidate)) words.push(Math.floor((candidate ** root % 1) * 2 ** 32) | 0);
  }
  return words;
}

function isPrime(candidate) {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) return false;
  return true;
}

const initial = fractions(8, 1 / 2);
const constants = fractions(64, 1 / 3);

const rotate = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** The message, a one bit, zeros, and its length in bits as 64-bit number: whole blocks of 64 bytes. */
function padded(message) {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  blocks.set(message);
  blocks[message.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(blocks.length - 4, message.length << 3);
  return view;
}

/** Lower-case hex of the SHA-256 of a text's UTF-8 bytes. */
export function sha256Hex(text) {
  const blocks = padded(new TextEncoder().encode(text));
  const state = Int32Array.from(initial);
  const schedule = new Int32Array(64);

  for (let block = 0; block < blocks.byteLength; block += 64) {
    for (let t = 0; t < 64; t++) {
      if (t < 16) {
        schedule[t] = blocks.getInt32(block + t * 4);
        continue;
      }
      const w15 = schedule[t - 15];
      const w2 = schedule[t - 2];
      const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
      const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
      schedule[t] = s1 + schedule[t - 7] + s0 + schedule[t - 16];
    }

    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const choice = (e & f) ^ (~e & g);
      const t1 = (h + s1 + choice + constants[t] + schedule[t]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + s0 + majority) | 0;
    }
    for (const [place, word] of [a, b, c, d, e, f, g, h].entries()) state[place] += word;
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
