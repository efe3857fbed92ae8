/** --record as a user has it: files that outlive a killing, a full medium, and that are replayed. */
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { hubCand, linesOf, runHubCand, startHubCand, textOf } from "../support/hub-cand.ts";
import { until } from "../support/mosquitto.ts";
import { openNamespace, withoutNamespace } from "../support/namespace.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("what was recorded before a killing is replayed, message for message", async () => {
  const folder = temporaryFolder("cand-record");
  const child = startHubCand(["--simulate", "--stdout", "--record", folder, "--record-limit", "2M"]);
  const stdout = textOf(child.stdout!);
  child.stderr!.resume();
  const file = (): string | undefined => readdirSync(folder)[0];
  const size = (): number => (file() === undefined ? 0 : statSync(join(folder, file()!)).size);
  await until(() => size() > 0);
  const first = size();
  await until(() => size() > first);
  // A second is written in pieces; a killing between them costs that second, and replay warns of it.
  const isWhole = (): boolean => {
    try {
      return gunzipSync(readFileSync(join(folder, file()!))).length > 0;
    } catch {
      return false;
    }
  };
  const isStopped = (): boolean => readFileSync(`/proc/${child.pid}/stat`, "utf8").includes(") T ");
  for (;;) {
    child.kill("SIGSTOP");
    await until(isStopped);
    if (isWhole()) break;
    child.kill("SIGCONT");
    await setTimeout(10);
  }
  child.kill("SIGKILL");
  await once(child, "close");
  const text = gunzipSync(readFileSync(join(folder, file()!))).toString();
  expect(text.endsWith("\n")).toBe(true);

  const {
    code,
    stdout: replayed,
    stderr,
  } = await runHubCand(["--replay", join(folder, file()!), "--speed", "0", "--stdout"]);
  expect([code, stderr.match(/^(warn|error).*/gm)]).toEqual([0, null]);
  const messages = (lines: string): string[] =>
    linesOf(lines.slice(0, lines.lastIndexOf("\n") + 1))
      .filter(({ topic }) => topic.includes("/pgn/"))
      .map((line) => JSON.stringify(line));
  const [live, again] = [messages(stdout()), messages(replayed)];
  expect(again.length).toBeGreaterThan(50);
  // The last second was not written; everything before it is there, with its times.
  expect(again).toEqual(live.slice(0, again.length));
});

test("a folder that cannot be made is a reason not to start", async () => {
  const { code, stderr } = await runHubCand(["--simulate", "--stdout", "--record", "/proc/no/such"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error --record: ENOENT.* code=START_FAILED\n$/);
});

describe.skipIf(withoutNamespace !== undefined)("on a medium of 100 kB", () => {
  /** hub-cand recording into the mount of a namespace, its output and its metrics. */
  async function record(prepare: (folder: string) => void) {
    const inside = await openNamespace(9100);
    onTestFinished(() => inside.close());
    inside.run("mount", "-t", "tmpfs", "-o", "size=100k", "none", "/etc/hub");
    const folder = inside.file("/etc/hub");
    prepare(folder);
    const args = ["--simulate", "--stdout", "--record", "/etc/hub", "--metrics", "9100"];
    const child = inside.spawn(process.execPath, [hubCand, ...args]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const stderr = textOf(child.stderr!);
    child.stdout!.resume();
    const read = async (name: string): Promise<number> => {
      const asked = get({ socketPath: inside.socket(9100), path: "/metrics" });
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      let text = "";
      for await (const chunk of answer) text += chunk;
      return Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, "m").exec(text)![1]);
    };
    return {
      folder,
      log: stderr,
      recorded: () => read("hub_can_frames_recorded_total"),
      dropped: () => read("hub_can_frames_not_recorded_total"),
      messages: () => read("hub_can_messages_total"),
      async end(): Promise<void> {
        child.kill("SIGTERM");
        expect((await once(child, "close"))[0]).toBe(0);
      },
    };
  }

  const lines = (folder: string): number =>
    readdirSync(folder)
      .filter((name) => name.startsWith("candump-0"))
      .reduce(
        (sum, name) =>
          sum +
          gunzipSync(readFileSync(join(folder, name)))
            .toString()
            .split("\n").length -
          1,
        0,
      );

  test("the oldest recordings make room, and no frame is lost", async () => {
    const old = [1, 2, 3, 4, 5].map((day) => `candump-2036-01-0${day}_120000.log.gz`);
    const { folder, log, recorded, dropped, end } = await record((folder) => {
      for (const name of old) writeFileSync(join(folder, name), new Uint8Array(18_000));
    });
    await until(() => !readdirSync(folder).includes(old[1]!));
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(old.slice(2)));
    expect(log()).toMatch(
      /^warn the disk is full, old recordings are removed code=RECORDER_DISK_FULL folder=\/etc\/hub dropped=0$/m,
    );
    expect(await recorded()).toBeGreaterThan(0);
    expect(await dropped()).toBe(0);
    await end();
    const counted = /^info counted frames=(\d+)/m.exec(log())![1];
    expect(lines(folder)).toBe(Number(counted));
  });

  test("where no recording can make room frames are lost and counted, nothing else is, and it goes on when there is room", async () => {
    const { folder, log, recorded, dropped, messages, end } = await record((folder) => {
      writeFileSync(join(folder, "photos"), new Uint8Array(80_000));
    });
    await until(() => readdirSync(folder).some((name) => name.startsWith("candump-")));
    // Fills what there is, whatever the recorder does meanwhile.
    const fill = (): void => {
      try {
        for (;;) appendFileSync(join(folder, "photos"), new Uint8Array(4096));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
      }
    };
    while ((await dropped()) === 0) fill();
    await until(() => log().includes("frames cannot be recorded"));
    expect(log()).toMatch(/^warn frames cannot be recorded code=RECORDER_FAILED reason=ENOSPC folder=\/etc\/hub/m);
    const before = await messages();
    while ((await messages()) < before + 100);
    rmSync(join(folder, "photos"));
    const withRoom = await recorded();
    while ((await recorded()) === withRoom);
    await end();
    expect(lines(folder)).toBeGreaterThan(0);
  });
});
