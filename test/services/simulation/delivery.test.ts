import { expect, test } from "vitest";
import { fromCanId } from "../../../src/core/can/can-id.ts";
import { FRAME_BYTES } from "../../../src/formats/recording/frame-batch.ts";
import { type Simulation, simulatedFrames } from "../../../src/services/simulation/delivery.ts";
import { simulated } from "../../../src/services/simulation/traffic.ts";
import { type MemoryClock, memoryClock } from "../../support/memory/clock.ts";

const WALL = Date.UTC(2026, 10, 21, 8, 14, 26);

interface Stamped {
  readonly wall: number;
  readonly monotonic: number;
  /** Identifier, length and data. */
  readonly rest: string;
}

/** The time that a frame of System Time tells, milliseconds since 1970; undefined for other frames. */
function systemTimeOf(frame: Buffer): number | undefined {
  if (fromCanId(frame.readUInt32LE() & 0x1f_ff_ff_ff).pgn !== 126992) return undefined;
  return 86_400_000 * frame.readUInt16LE(10) + frame.readUInt32LE(12) / 10;
}

function stamped(bytes: Uint8Array): Stamped[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / FRAME_BYTES }, (_, index) => ({
    wall: view.getFloat64(index * FRAME_BYTES, true) / 1000,
    monotonic: view.getFloat64(index * FRAME_BYTES + 8, true) / 1000,
    rest: Buffer.from(bytes.subarray(index * FRAME_BYTES + 16, (index + 1) * FRAME_BYTES)).toString("hex"),
  }));
}

/** Collects all frames that `simulation` delivers in the list that it returns at once. */
function collect(simulation: Simulation): { readonly frames: Stamped[]; readonly end: Promise<void> } {
  const frames: Stamped[] = [];
  const end = (async () => {
    for await (const batch of simulation.batches()) frames.push(...stamped(batch.frames!.bytes));
  })();
  return { frames, end };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function advance(clock: MemoryClock, milliseconds: number): Promise<void> {
  await settle();
  for (let left = milliseconds; left > 0; left -= 25) {
    clock.advance(Math.min(25, left));
    await settle();
  }
}

test("simulatedFrames delivers what simulated does, stamped by the clocks it runs on", async () => {
  const clock = memoryClock({ wall: WALL, monotonic: 777 });
  const simulation = simulatedFrames(clock);
  const { frames, end } = collect(simulation);
  await advance(clock, 3000);
  simulation.close();
  await end;
  const expected = [...simulated(3000, WALL)].flatMap(({ frames: batch }) => stamped(batch!.bytes));
  expect(frames.map(({ rest }) => rest)).toEqual(expected.map(({ rest }) => rest));
  expect(frames.map(({ wall }) => wall)).toEqual(expected.map(({ wall }) => wall));
  frames.forEach(({ monotonic }, index) => {
    expect(monotonic).toBeCloseTo(777 + expected[index]!.monotonic, 6);
  });
});

test("simulatedFrames begins with another second of the voyage", async () => {
  const positions = async (from: number): Promise<readonly string[]> => {
    const clock = memoryClock({ wall: WALL });
    const simulation = simulatedFrames(clock, from);
    const { frames, end } = collect(simulation);
    await advance(clock, 1000);
    simulation.close();
    await end;
    return frames.map(({ rest }) => rest);
  };
  expect(await positions(600)).not.toEqual(await positions(0));
  expect(await positions(600)).toEqual(await positions(600));
});

test("simulatedFrames delivers nothing before it has happened", async () => {
  const clock = memoryClock({ wall: WALL });
  const simulation = simulatedFrames(clock);
  const { frames, end } = collect(simulation);
  await advance(clock, 1000);
  expect(frames.length).toBeGreaterThan(100);
  expect(frames.at(-1)!.monotonic).toBeLessThanOrEqual(1000);
  expect(frames.at(-1)!.monotonic).toBeGreaterThan(900);
  simulation.close();
  await end;
});

test("simulatedFrames ends when it is closed, before, while and after it waits, and leaves no timer", async () => {
  const clock = memoryClock();
  const never = simulatedFrames(clock);
  never.close();
  await collect(never).end;

  const waiting = simulatedFrames(clock);
  const { end } = collect(waiting);
  await settle();
  expect(clock.timers).toBe(1);
  waiting.close();
  waiting.close();
  await end;
  expect(clock.timers).toBe(0);
});

test("simulatedFrames does not make up for the time that the computer slept", async () => {
  const clock = memoryClock({ wall: WALL });
  const simulation = simulatedFrames(clock);
  const { frames, end } = collect(simulation);
  await advance(clock, 1000);
  const before = frames.length;
  clock.advance(3_600_000);
  await settle();
  await advance(clock, 1000);
  simulation.close();
  await end;
  expect(frames.length - before).toBeLessThan(1000);
  expect(frames[before]!.monotonic).toBeGreaterThan(3_600_000);
  expect(frames[before]!.wall).toBeGreaterThan(WALL + 3_600_000);
});

test("simulatedFrames tells the time of a wall clock that has been set, and that after the computer slept", async () => {
  const clock = memoryClock({ wall: WALL });
  const simulation = simulatedFrames(clock);
  const { frames, end } = collect(simulation);
  await advance(clock, 3000);
  clock.setWall(WALL + 400 * 86_400_000);
  await advance(clock, 3000);
  clock.advance(3_600_000);
  await advance(clock, 3000);
  simulation.close();
  await end;
  const late = frames.flatMap(({ wall, rest }) => {
    const told = systemTimeOf(Buffer.from(rest, "hex"));
    return told === undefined ? [] : [wall - told];
  });
  // The bus makes one message ahead: the first one after a change may tell the time before it.
  const wrong = late.filter((milliseconds) => Math.abs(milliseconds) > 1000);
  expect(late.length).toBeGreaterThan(7);
  expect(wrong.length).toBeLessThanOrEqual(2);
});
