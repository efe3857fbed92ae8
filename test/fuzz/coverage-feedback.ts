/**
 * The characters of this program that have run: V8's precise coverage, read in its own process. New characters mean
 * that an input has reached new code.
 */
import { Session } from "node:inspector";

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Taken {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

export interface CoverageFeedback {
  /**
   * More than 0 if characters have run since the last call that had never run before; they stay new unless `settled`.
   */
  fresh(settled: boolean): number;
  /** Characters that have run at all. */
  readonly covered: number;
}

/** Begins to count what runs of the file `url`. */
export function coverageOf(url: string, length: number): CoverageFeedback {
  const session = new Session();
  session.connect();
  const ask = (method: string, parameters: object = {}): unknown => {
    let answer: unknown;
    // Answered before it returns, as long as the session is one of this thread.
    session.post(method, parameters, (error: Error | null, result: unknown) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  ask("Profiler.enable");
  ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const ever = new Uint8Array(length);
  /** The characters that have run since the last call, valid only within the functions that it names. */
  const now = new Uint8Array(length);
  let covered = 0;
  return {
    fresh(settled) {
      const { result } = ask("Profiler.takePreciseCoverage") as Taken;
      let count = 0;
      for (const { functions } of result.filter((script) => script.url === url)) {
        // Outer ranges and functions come first; those inside them say more.
        for (const { ranges } of functions) {
          for (const range of ranges) now.fill(range.count > 0 ? 1 : 0, range.startOffset, range.endOffset);
        }
        for (const { ranges } of functions) {
          const { startOffset, endOffset } = ranges[0]!;
          for (let at = startOffset; at < endOffset; at++) {
            if (now[at] === 0 || ever[at] === 1) continue;
            if (settled) ever[at] = 1;
            count++;
          }
        }
      }
      if (settled) covered += count;
      return count;
    },
    get covered() {
      return covered;
    },
  };
}
