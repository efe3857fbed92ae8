/**
 * The simulated devices on one bus: each says what is due, its frames wait their turn, and of those that wait the lowest
 * identifier goes first, as on CAN. The same start gives the same frames, however their time is cut into pieces.
 */
import { type CanIdParts, toCanId } from "../n2k/can-id.ts";
import { type CanFrame, fastPacketFrames, singleFrame } from "../n2k/frames.ts";
import { EXTENDED_FRAME, FRAME_BYTES } from "../recording/frame-batch.ts";
import type { RecordingBatch } from "../recording/record-writer.ts";
import { type Device, devices } from "./devices.ts";
import type { Talk } from "./talk.ts";

/** Microseconds that a bit takes at 250 kbit/s. */
const BIT = 4;

/**
 * Microseconds that a frame of 29 bits of identifier keeps the bus: 67 bits beside its data, the gap behind it included
 * (ISO 11898-1), and one stuffed bit for every ten of them, which is between the usual and the worst.
 */
export const frameTime = (length: number): number => BIT * Math.ceil(1.1 * (67 + 8 * length));

/** What the clocks showed when the voyage began, milliseconds. */
export interface Start {
  readonly wall: number;
  readonly monotonic: number;
}

/** A message that is said again and again. Times in microseconds since the start. */
interface Line {
  readonly talk: Talk;
  readonly header: CanIdParts;
  readonly sender: Sender;
  due: number;
}

/** What the messages of one device share. */
interface Sender {
  /** The frames that wait. */
  readonly queue: CanFrame[];
  /** Fast packets so far, by PGN. */
  readonly packets: Map<number, number>;
}

const lineOf = ({ address }: Device, talk: Talk, sender: Sender): Line => ({
  talk,
  header: { priority: talk.priority, pgn: talk.definition.pgn, source: address, destination: talk.destination },
  sender,
  due: 1000 * talk.first,
});

function framesOf({ talk, header, sender }: Line, payload: Uint8Array): readonly CanFrame[] {
  if (talk.definition.transport === "single") return [singleFrame(header, payload)];
  const sequence = sender.packets.get(header.pgn) ?? 0;
  sender.packets.set(header.pgn, sequence + 1);
  return fastPacketFrames(header, payload, sequence);
}

/** Which of two lines speaks first; with the same time it is the order of the bus, so that nothing is left to chance. */
const byDue = (a: Line, b: Line): number => a.due - b.due || toCanId(a.header) - toCanId(b.header);

/** A frame and when it is through, microseconds since the start. */
interface SentFrame {
  readonly frame: CanFrame;
  readonly at: number;
}

/** The bus, frame by frame, for ever. `wall` is when the voyage began, milliseconds since 1970. */
function* bus(wall: number): Generator<SentFrame, never> {
  const queues: CanFrame[][] = [];
  const lines = devices.flatMap((device) => {
    const sender: Sender = { queue: [], packets: new Map() };
    queues.push(sender.queue);
    return device.talks.map((talk) => lineOf(device, talk, sender));
  });
  lines.sort(byDue);

  const say = (line: Line): void => {
    const milliseconds = line.due / 1000;
    const payload = line.talk.payload({ seconds: milliseconds / 1000, wall: wall + milliseconds });
    line.sender.queue.push(...framesOf(line, payload));
    line.due += 1000 * line.talk.every;
    // Back into the order: most lines belong near the end, so look from there.
    let place = lines.length - 1;
    lines.shift();
    while (place > 0 && byDue(lines[place - 1]!, line) > 0) place--;
    lines.splice(place, 0, line);
  };

  let now = 0;
  for (;;) {
    while (lines[0]!.due <= now) say(lines[0]!);
    let next: CanFrame[] | undefined;
    for (const queue of queues) {
      if (queue.length > 0 && (next === undefined || queue[0]!.id < next[0]!.id)) next = queue;
    }
    if (next === undefined) {
      now = lines[0]!.due;
      continue;
    }
    const frame = next.shift()!;
    now += frameTime(frame.data.length);
    yield { frame, at: now };
  }
}

/** The batches hold at most this many frames. */
const BATCH_FRAMES = 2048;

function record(sent: readonly SentFrame[], { wall, monotonic }: Start): RecordingBatch {
  const bytes = new Uint8Array(sent.length * FRAME_BYTES);
  const words = new Uint32Array(bytes.buffer);
  const doubles = new Float64Array(bytes.buffer);
  sent.forEach(({ frame: { id, data }, at }, index) => {
    const to = index * FRAME_BYTES;
    doubles[to >> 3] = 1000 * wall + at;
    doubles[(to >> 3) + 1] = 1000 * monotonic + at;
    words[(to >> 2) + 4] = id | EXTENDED_FRAME;
    bytes[to + 20] = data.length;
    bytes.set(data, to + 24);
  });
  return { frames: { bytes, length: bytes.length } };
}

export interface Traffic {
  /**
   * The frames that are through at `elapsed` milliseconds after the start and have not been given yet, in order. Their stamps
   * count from `start`: that of the traffic, or another where the clocks have been set since.
   */
  until(elapsed: number, start?: Start): readonly RecordingBatch[];
}

/** Sets out on the voyage. */
export function createTraffic(start: Start): Traffic {
  const frames = bus(start.wall);
  let next = frames.next().value;
  return {
    until(elapsed, since = start) {
      const batches: RecordingBatch[] = [];
      let sent: SentFrame[] = [];
      for (; next.at <= 1000 * elapsed; next = frames.next().value) {
        sent.push(next);
        if (sent.length === BATCH_FRAMES) {
          batches.push(record(sent, since));
          sent = [];
        }
      }
      if (sent.length > 0) batches.push(record(sent, since));
      return batches;
    },
  };
}

/**
 * The first `duration` milliseconds of the voyage as a recording read at once: it begins at `wall`, milliseconds since 1970,
 * and its monotonic clock at 0. For tests and benchmarks.
 */
export function* simulated(duration: number, wall: number): Generator<RecordingBatch, void> {
  const traffic = createTraffic({ wall, monotonic: 0 });
  for (let elapsed = 1000; elapsed < duration; elapsed += 1000) yield* traffic.until(elapsed);
  yield* traffic.until(duration);
}
