/** One piece of a bus in every format that hub-cand reads, through the bundle: the same messages from each. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { encoderOf } from "../../src/core/n2k/encode.ts";
import { systemTime } from "../../src/core/n2k/pgns/gnss.ts";
import { formats } from "../../src/formats/recording/detect-format.ts";
import { framed } from "../formats/nmea0183/input/heard.ts";
import { variants } from "../formats/recording/writing.ts";
import { linesOf, runHubCand } from "../support/hub-cand.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder("cand-recordings");
});

/** Its messages are made of sentences, which have no frames. */
const SENTENCES = "NMEA 0183";

test("there is a variant of every format", () => {
  const names = formats.map(({ name }) => name);
  expect(new Set([...variants.map(({ format }) => format), SENTENCES, "Signal K server log"])).toEqual(new Set(names));
});

test("sentences are replayed with their times, and a millisecond apart without any", async () => {
  const path = join(folder, "trip.txt");
  const fix = (time: string): string => framed(`$GPRMC,${time},A,5213.1234,N,00454.5678,E,5.4,084.4,211126,,,A`);
  const heading = framed("$HCHDM,183.3,M");
  writeFileSync(path, heading + fix("081426.00") + fix("081427.00") + heading);
  const replay = (...args: readonly string[]) => runHubCand(["--replay", path, ...args, "--stdout"]);
  const headings = ({ stdout }: { readonly stdout: string }) =>
    linesOf(stdout).filter(({ topic }) => topic.endsWith("/pgn/127250"));
  const whole = await replay("--speed", "0");
  expect(headings(whole).map(({ payload }) => payload)).toMatchObject(
    [26, 27].map((second) => ({
      data: { headingDeg: 183.301, reference: "Magnetic" },
      metadata: { rxDate: `2026-11-21T08:14:${second}.000Z` },
    })),
  );
  const began = performance.now();
  const paced = await replay("--speed", "2");
  expect(headings(paced)).toHaveLength(2);
  expect(performance.now() - began).toBeGreaterThan(500);
  writeFileSync(path, heading.repeat(9) + framed("$IIMWV,314.9,R,6.1,M,A"));
  const untimed = await replay("--speed", "0");
  expect(untimed.code).toBe(0);
  expect(headings(untimed)).not.toHaveLength(0);
});

test("the date of a recording is believed, however old it is", async () => {
  const payload = encoderOf(systemTime)({ pgn: 126992, source: 0, date: 16_859, time: 71_822 });
  const line = `(1456689422.000000) can0 0DF01003#${Buffer.from(payload).toString("hex").toUpperCase()}\n`;
  const { stdout } = await runHubCand(["--replay", "-", "--speed", "0", "--stdout"], line);
  const report = linesOf(stdout).findLast(({ topic }) => topic === "can/can0/navigation");
  expect(report?.payload.data.date).toMatchObject({ date: "2016-02-28", time: "19:57:02", timeSource: "GPS" });
});

test("public PGNs are published when they are asked for, by the table beside the bundle", async () => {
  const line = "(1456689422.000000) can0 18FDF503#00943577FFFFFFFF\n";
  const args = ["--replay", "-", "--speed", "0", "--stdout"];
  const pgns = ({ stdout }: { readonly stdout: string }) =>
    linesOf(stdout)
      .filter(({ topic }) => topic.includes("/pgn/"))
      .map(({ payload }) => payload.data);
  expect(pgns(await runHubCand(args, line))).toEqual([]);
  expect(pgns(await runHubCand([...args, "--all-pgns"], line))).toEqual([{ pgn: 65013, realPowerW: 0 }]);
});

test.each(["0", "1"])("a recording of which no message is left says so, at speed %s", async (speed) => {
  const file = join(folder, "orphans.log");
  // The second frame of a fast packet, without the first.
  writeFileSync(file, "(1436509052.249713) can0 0DF80503#A1A01122334455\n");
  const { code, stderr } = await runHubCand(["--replay", file, "--speed", speed, "--stdout"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("RECORDING_EMPTY")]);
});
