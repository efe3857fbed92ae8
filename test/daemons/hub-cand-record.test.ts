/** --record as a user has it: files that outlive a killing, a full medium, and that are replayed. */
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { hubCand, linesOf, runHubCand, startHubCand } from "../hub-cand.ts";
import { until } from "../mosquitto.ts";
import { openNamespace, withoutNamespace } from "../namespace.ts";

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "hub-cand-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

test("what was recorded before a killing is replayed, message for message", async () => {
  const folder = newFolder();
  const child = startHubCand(["--simulate", "--stdout", "--record", folder, "--record-limit", "2M"]);
  let stdout = "";
  child.stdout!.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr!.resume();
  const file = (): string | undefined => readdirSync(folder)[0];
  const size = (): number => (file() === undefined ? 0 : statSync(join(folder, file()!)).size);
  await until(() => size() > 0);
  const first = size();
  await until(() => size() > first);
  // A second is written in pieces; a killing between them costs that second, and replay warns of it.
  let before: number;
  do {
    before = size();
    await new Promise((resolve) => setTimeout(resolve, 200));
  } while (size() !== before);
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
  const [live, again] = [messages(stdout), messages(replayed)];
  expect(again.length).toBeGreaterThan(50);
  // The last second was not written; everything before it is there, with its times.
  expect(again).toEqual(live.slice(0, again.length));
});

test("a folder that cannot be made is a reason not to start", async () => {
  const { code, stderr } = await runHubCand(["--simulate", "--stdout", "--record", "/proc/no/such"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error --record: ENOENT.* code=START_FAILED\n$/);
});

test("a full medium costs the recording its frames and nothing else", {
  skip: withoutNamespace !== undefined,
}, async () => {
  const inside = await openNamespace(9100);
  onTestFinished(() => inside.close());
  inside.run("mount", "-t", "tmpfs", "-o", "size=16k", "none", "/etc/hub");
  const args = ["--simulate", "--stdout", "--record", "/etc/hub", "--metrics", "9100"];
  const child = inside.spawn(process.execPath, [hubCand, ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  child.stdout!.resume();
  const read = async (name: string): Promise<number> => {
    const asked = get({ socketPath: inside.socket(9100), path: "/metrics" });
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of answer) text += chunk;
    return Number(new RegExp(`^${name}\\{.*\\} (\\d+)$`, "m").exec(text)![1]);
  };
  await until(() => stderr.includes("frames cannot be recorded"));
  expect(stderr).toMatch(
    /^warn frames cannot be recorded code=RECORDER_FAILED reason=ENOSPC folder=\/etc\/hub dropped=\d+$/m,
  );
  expect(await read("hub_can_frames_not_recorded_total")).toBeGreaterThan(0);
  expect(await read("hub_can_frames_recorded_total")).toBeGreaterThan(0);
  const before = await read("hub_can_messages_total");
  while ((await read("hub_can_messages_total")) < before + 100);
  for (const name of readdirSync(inside.file("/etc/hub")))
    expect(gunzipSync(readFileSync(inside.file(`/etc/hub/${name}`))).toString()).toMatch(/\n$/);
  child.kill("SIGTERM");
  expect((await once(child, "close"))[0]).toBe(0);
});
