/**
 * Power cuts of a disk whose writes and flushes QEMU has logged (its driver blklogwrites, in the format of Linux's
 * dm-log-writes): a cut keeps all that was flushed before it, and any part of the rest, whose last sectors may be those of before.
 */
import { closeSync, copyFileSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const SECTOR = 512;
const FLUSH = 1;
const DURABLE = 2;
const DISCARD = 4;

interface Write {
  /** Bytes from the start of the disk, and of the log. */
  readonly at: number;
  readonly from: number;
  readonly length: number;
  readonly flags: number;
  /** Where the log goes on. */
  readonly end: number;
}

/** The writes and flushes in a log, in their order. */
function* entriesOf(log: number): Generator<Write> {
  const head = Buffer.alloc(SECTOR);
  for (let from = SECTOR; readSync(log, head, 0, SECTOR, from) === SECTOR; ) {
    const [sector, sectors, flags] = [0, 8, 16].map((at) => Number(head.readBigUInt64LE(at))) as [
      number,
      number,
      number,
    ];
    const length = sectors * SECTOR;
    const data = (flags & DISCARD) === 0 ? length : 0;
    const end = from + SECTOR + data;
    yield { at: sector * SECTOR, from: from + SECTOR, length: data, flags, end };
    from = end;
  }
}

export interface Cuts {
  /** A part of the disk before the first write of the log; it changes. */
  readonly part: string;
  /** Where it begins on the disk. */
  readonly start: number;
  readonly log: string;
  /** Sizes of the log at the cuts, ascending. */
  readonly at: readonly number[];
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** The part after a cut. */
  readonly target: string;
}

/** Writes the part as each cut leaves it, one after the other; yields how many of its writes were not flushed. */
export function* partsAfterCuts({ part, start, log, at, random, target }: Cuts): Generator<number> {
  const [logged, durable] = [openSync(log, "r"), openSync(part, "r+")];
  const finish = start + fstatSync(durable).size;
  const apply = (to: number, { at: place, from, length }: Write, kept = length): void => {
    const data = Buffer.alloc(kept);
    readSync(logged, data, 0, kept, from);
    writeSync(to, data, 0, kept, place - start);
  };
  try {
    const entries = entriesOf(logged);
    let next = entries.next();
    let waiting: Write[] = [];
    for (const position of at) {
      for (; !next.done && next.value.end <= position; next = entries.next()) {
        const { value } = next;
        const isOfPart = value.length > 0 && value.at >= start && value.at < finish;
        if ((value.flags & FLUSH) !== 0) {
          for (const each of waiting) apply(durable, each);
          waiting = [];
        }
        if (isOfPart && (value.flags & DURABLE) !== 0) apply(durable, value);
        else if (isOfPart) waiting.push(value);
      }
      copyFileSync(part, target);
      const after = openSync(target, "r+");
      for (const each of waiting) {
        const kept = random() * 3;
        if (kept < 1) apply(after, each);
        else if (kept < 2) apply(after, each, Math.floor((random() * each.length) / SECTOR) * SECTOR);
      }
      closeSync(after);
      yield waiting.length;
    }
  } finally {
    closeSync(logged);
    closeSync(durable);
  }
}
