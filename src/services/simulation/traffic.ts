/**
 * The traffic of the simulated devices on one bus: each device queues the frames of the messages that are due, and the
 * queued frame with the lowest identifier is sent next, as CAN arbitrates. The same start gives the same frames, in
 * steps of any length.
 */
import { type CanIdParts, toCanId } from "../../core/can/can-id.ts";
import { type CanFrame, fastPacketFrames, singleFrame } from "../../core/can/frames.ts";
import { EXTENDED_FRAME, FRAME_BYTES } from "../../formats/recording/frame-batch.ts";
import type { RecordingBatch } from "../../formats/recording/record-writer.ts";
import { type Device, devices } from "./devices.ts";
import type { PeriodicMessage } from "./periodic-message.ts";

/** A bit at 250 kbit/s. */
const BIT_US = 4;

/**
 * Microseconds that an extended frame occupies the bus: 67 bits besides its data, interframe space included (ISO
 * 11898-1), and a stuff bit for every ten bits, which is between the average and the maximum.
 */
export const frameTime = (length: number): number => BIT_US * Math.ceil(1.1 * (67 + 8 * length));

/** The clocks at the start of the voyage, milliseconds. */
export interface Start {
  readonly wall: number;
  readonly monotonic: number;
}

/** A periodic message of a device and the time of its next transmission. */
interface Schedule {
  readonly message: PeriodicMessage;
  readonly header: CanIdParts;
  readonly sender: Sender;
  /** Microseconds since the start. */
  dueUs: number;
}

/** The state that the messages of one device share. */
interface Sender {
  readonly queue: CanFrame[];
  /** Fast packets sent so far, by PGN: their sequence counters. */
  readonly packets: Map<number, number>;
}

const scheduleOf = ({ address }: Device, message: PeriodicMessage, sender: Sender): Schedule => ({
  message,
  header: {
    priority: message.priority,
    pgn: message.definition.pgn,
    source: address,
    destination: message.destination,
  },
  sender,
  dueUs: 1000 * message.firstMs,
});

function framesOf({ message, header, sender }: Schedule, payload: Uint8Array): readonly CanFrame[] {
  if (message.definition.transport === "single") return [singleFrame(header, payload)];
  const sequence = sender.packets.get(header.pgn) ?? 0;
  sender.packets.set(header.pgn, sequence + 1);
  return fastPacketFrames(header, payload, sequence);
}

/** Sorts by time, then by identifier, so that the order is defined. */
const byDueTime = (a: Schedule, b: Schedule): number => a.dueUs - b.dueUs || toCanId(a.header) - toCanId(b.header);

/** A frame and the end of its transmission, microseconds since the start. */
interface SentFrame {
  readonly frame: CanFrame;
  readonly at: number;
}

/**
 * The frames of the bus, without end. `wall` gives the start of the simulation, milliseconds since 1970, by the clock as
 * it is set when a message is made; `from`: that second of the voyage.
 */
function* bus(wall: () => number, from: number): Generator<SentFrame, never> {
  const queues: CanFrame[][] = [];
  const schedules = devices.flatMap((device) => {
    const sender: Sender = { queue: [], packets: new Map() };
    queues.push(sender.queue);
    return device.messages.map((message) => scheduleOf(device, message, sender));
  });
  schedules.sort(byDueTime);

  const send = (schedule: Schedule): void => {
    const milliseconds = schedule.dueUs / 1000;
    const payload = schedule.message.payload({ seconds: from + milliseconds / 1000, wall: wall() + milliseconds });
    // biome-ignore lint/plugin: frames of a packet
    schedule.sender.queue.push(...framesOf(schedule, payload));
    schedule.dueUs += 1000 * schedule.message.periodMs;
    // Insertion sort from the end, where most schedules belong.
    let place = schedules.length - 1;
    schedules.shift();
    while (place > 0 && byDueTime(schedules[place - 1]!, schedule) > 0) place--;
    schedules.splice(place, 0, schedule);
  };

  let now = 0;
  for (;;) {
    while (schedules[0]!.dueUs <= now) send(schedules[0]!);
    let next: CanFrame[] | undefined;
    for (const queue of queues) {
      if (queue.length > 0 && (next === undefined || queue[0]!.id < next[0]!.id)) next = queue;
    }
    if (next === undefined) {
      now = schedules[0]!.dueUs;
      continue;
    }
    const frame = next.shift()!;
    now += frameTime(frame.data.length);
    yield { frame, at: now };
  }
}

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
   * The frames sent up to `elapsed` milliseconds after the start that earlier calls did not return, in order. Their
   * time stamps count from `start`: that of the traffic, or another one after the clocks were set. The time that they
   * tell does too.
   */
  until(elapsed: number, start?: Start): readonly RecordingBatch[];
}

/** Starts the voyage at one of its seconds. */
export function createTraffic(start: Start, from = 0): Traffic {
  let { wall } = start;
  const frames = bus(() => wall, from);
  let next = frames.next().value;
  return {
    until(elapsed, since = start) {
      wall = since.wall;
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
 * The first `duration` milliseconds of the voyage as a recording: it begins at `wall`, milliseconds since 1970, and its
 * monotonic clock at 0. For tests and benchmarks.
 */
export function* simulated(duration: number, wall: number): Generator<RecordingBatch, void> {
  const traffic = createTraffic({ wall, monotonic: 0 });
  for (let elapsed = 1000; elapsed < duration; elapsed += 1000) yield* traffic.until(elapsed);
  yield* traffic.until(duration);
}
