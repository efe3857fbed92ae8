import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { linesOf, runHubCand, startHubCand, textOf } from "../support/hub-cand.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder("cand");
});

const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const heading = "(1795248866.123000) can0 09F11203#07007DFF7F2FFFFD\n";
const replay = (path: string): string[] => ["--replay", path, "--speed", "0", "--stdout"];

describe("hub-cand says what it is", () => {
  test("--help and --version end with 0", async () => {
    expect(await runHubCand(["--help"])).toMatchObject({ code: 0, stderr: "" });
    expect(await runHubCand(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^hub-cand \d+\.\d+\.\d+\n$/),
    });
  });

  test("a bad option ends with 1 and one line", async () => {
    expect(await runHubCand(["--nope"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "hub-cand: unknown option --nope, see --help\n",
    });
  });
});

test("hub-cand --replay at full speed prints a line per message below its prefix, counts malformed lines, and the frames in place of an interface", async () => {
  const seconds = Array.from({ length: 21 }, (_, second) => heading.replace("8866.", `${8866 + second}.`));
  const path = write("seconds.log", seconds.join("").replace("\n", "\n(17 rubbish\n"));
  const { code, stdout, stderr } = await runHubCand([...replay(path), "-t", "boat/n2k/"]);
  expect(code).toBe(0);
  const messages = linesOf(stdout).filter(({ topic }) => topic.includes("/pgn/"));
  expect(messages).toHaveLength(21);
  expect(messages[0]).toEqual({
    topic: "boat/n2k/device/3/pgn/127250",
    retain: false,
    payload: {
      data: { pgn: 127250, sequenceId: 7, headingDeg: 183.346, variationDeg: -1.197, reference: "Magnetic" },
      metadata: { rxDate: "2026-11-21T08:14:26.123Z", rxTimestamp: 1795248866, expireAfterSec: 60 },
    },
  });
  expect(stderr).toMatch(/malformed=1/);
  const said = linesOf(stdout).filter(({ topic }) => topic === "boat/n2k/interface");
  expect(said.map(({ retain, payload }) => [retain, payload.data])).toEqual(
    [0, 10, 20].map((frames) => [
      true,
      { interface: "replay", state: "UNKNOWN", up: true, stats: { rx_frames: frames, rx_bytes: 8 * frames } },
    ]),
  );
});

describe("hub-cand with bad input ends with a clear word", () => {
  const refusals: [string, () => string, RegExp][] = [
    ["no such file", () => join(folder, "absent.log"), /^error cannot read .*absent\.log: .*no such file/m],
    [
      "one endless line",
      () => write("line", Buffer.alloc(100 << 20, "x")),
      /^error .*line: not a recording that is known/m,
    ],
  ];
  test.each(refusals)("%s", async (_, path, message) => {
    const { code, stdout, stderr } = await runHubCand(replay(path()));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
  });

  test("a truncated capture: its whole packets are published, with a warning", async () => {
    const capture = Buffer.alloc(24 + 2 * 32 - 5);
    capture.write("d4c3b2a1020004000000000000000000ffff0000e3000000", "hex");
    for (const at of [24, 56]) {
      capture.write("6211016b78e001001000000010000000", at, "hex");
      capture.write("89f112030800000007007dff7f2ffffd", at + 16, "hex");
    }
    const { code, stdout, stderr } = await runHubCand(replay(write("cut.pcap", capture)));
    expect(linesOf(stdout).filter(({ topic }) => topic.includes("/pgn/"))).toHaveLength(1);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warn .*cut\.pcap/m);
  });
});

test("hub-cand ends when told to although the pipe it reads says nothing", async () => {
  const child = startHubCand(replay("-"));
  child.stdin!.write(heading.repeat(1000));
  const stderr = textOf(child.stderr!);
  while (!stderr().includes("assumed")) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGTERM");
  const [code] = await once(child, "close");
  expect(code).toBe(0);
});

test("hub-cand on an interface that is not there is logged and looked for again, and a signal ends the daemon with 0", async () => {
  const child = startHubCand(["-i", "nocan9", "--stdout"]);
  const stderr = textOf(child.stderr!);
  while (!stderr().includes("no such interface")) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(child.exitCode).toBe(null);
  child.kill("SIGTERM");
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  expect(stderr()).toMatch(
    /^warn cannot listen to the interface, trying every second code=INTERFACE_UNUSABLE interface=nocan9 reason="no such interface"\n/m,
  );
  expect(stderr().match(/no such interface/g)).toHaveLength(1);
});
