/** A cursor over one line of text that reads its bytes without creating strings. */

const TAB = 0x09;
const SPACE = 0x20;
const ZERO = 0x30;

/** The value of each byte as a hexadecimal digit in either case, -1 for other bytes. */
const hexValue: Int8Array = new Int8Array(0x100).fill(-1);
for (const digit of "0123456789abcdefABCDEF") hexValue[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** Decimals of a second in microseconds. */
const MICROSECOND_DIGITS = 6;

export class TextCursor {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  end = 0;
  /** Digits of the last number. */
  digits = 0;

  /** Moves to the line from `from` to `to` of `bytes`. */
  set(bytes: Uint8Array, from: number, to: number): void {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** The byte at the cursor, -1 at the end. */
  get next(): number {
    return this.at < this.end ? this.bytes[this.at]! : -1;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  get isBlank(): boolean {
    const byte = this.next;
    return byte === SPACE || byte === TAB;
  }

  /** Skips `character` if it is next. */
  take(character: string): boolean {
    if (this.next !== character.charCodeAt(0)) return false;
    this.at++;
    return true;
  }

  /** Skips `word` if it is next. */
  takeWord(word: string): boolean {
    for (let index = 0; index < word.length; index++) {
      if (this.at + index >= this.end || this.bytes[this.at + index] !== word.charCodeAt(index)) return false;
    }
    this.at += word.length;
    return true;
  }

  /** Skips blanks; whether there was one. */
  takeBlanks(): boolean {
    const from = this.at;
    while (this.isBlank) this.at++;
    return this.at > from;
  }

  /** A number of at most 12 decimal digits, -1 if there is none. */
  decimal(): number {
    let value = 0;
    this.digits = 0;
    for (let digit = this.next - ZERO; digit >= 0 && digit <= 9; digit = this.next - ZERO) {
      value = value * 10 + digit;
      this.at++;
      this.digits++;
    }
    return this.digits === 0 || this.digits > 12 ? -1 : value;
  }

  /** The decimals of a number of seconds, in whole microseconds; -1 if there are none. */
  microseconds(): number {
    let value = 0;
    let digits = 0;
    for (let digit = this.next - ZERO; digit >= 0 && digit <= 9; digit = this.next - ZERO) {
      if (digits < MICROSECOND_DIGITS) value = value * 10 + digit;
      this.at++;
      digits++;
    }
    return digits === 0 ? -1 : value * 10 ** Math.max(0, MICROSECOND_DIGITS - digits);
  }

  /** A number of at most 8 hexadecimal digits, -1 if there is none. */
  hexadecimal(): number {
    let value = 0;
    this.digits = 0;
    for (let digit = this.#hexDigit(); digit >= 0; digit = this.#hexDigit()) {
      value = (value << 4) | digit;
      this.at++;
      this.digits++;
    }
    return this.digits === 0 || this.digits > 8 ? -1 : value >>> 0;
  }

  /** A byte of two hexadecimal digits, -1 if there is none; the cursor then stays. */
  byte(): number {
    if (this.at + 2 > this.end) return -1;
    const value = (hexValue[this.bytes[this.at]!]! << 4) | hexValue[this.bytes[this.at + 1]!]!;
    if (value >= 0) this.at += 2;
    return value;
  }

  /** Bytes into `into` up to something else, each behind what `takeSeparator` takes; their number, -1 if there is no room. */
  takeBytes(into: Uint8Array, takeSeparator = (): boolean => true): number {
    let length = 0;
    while (takeSeparator()) {
      const byte = this.byte();
      if (byte < 0) break;
      if (length === into.length) return -1;
      into[length++] = byte;
    }
    return length;
  }

  #hexDigit(): number {
    return this.at < this.end ? hexValue[this.bytes[this.at]!]! : -1;
  }
}
