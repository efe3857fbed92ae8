/** The simulated voyage as text of `candump -L`, for tools and benchmarks that need a recording. */
import { candumpText } from "../../formats/recording/formats/candump-writer.ts";
import { simulated } from "./traffic.ts";

/**
 * Chunks of whole lines of the first `duration` milliseconds of the voyage that begins at `wall`, milliseconds
 * since 1970.
 *
 * @example for (const text of simulatedCandump(60_000, Date.UTC(2026, 10, 21))) file.write(text);
 */
export function* simulatedCandump(duration: number, wall: number, interfaceName = "can0"): Generator<string, void> {
  for (const { frames } of simulated(duration, wall)) yield candumpText(frames!, interfaceName);
}
