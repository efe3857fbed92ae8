/** --serve-frames: what another hub-cand, canboatjs and Prometheus see of the bus that is served. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { FromPgn } from "@canboat/canboatjs";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { tcpStandIn } from "../formats/gateway/stand-ins.ts";
import { variants } from "../formats/recording/writing.ts";
import { linesOf, runHubCand, startHubCand, textOf } from "../support/hub-cand.ts";
import { until } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { type Voyage, voyage, writeRecording } from "../support/recordings.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let boat: Voyage;
beforeAll(async () => {
  folder = temporaryFolder("cand-serve-frames");
  boat = await voyage(2000);
});

/** A daemon that serves; with `-` as recording it begins when it is written to. */
async function serve(...args: readonly string[]) {
  const port = await freePort();
  const child = startHubCand(["-i", "boat", "--stdout", "-l", "debug", "--serve-frames", String(port), ...args]);
  return { port, child, stdout: textOf(child.stdout), stderr: textOf(child.stderr) };
}

/** Topics and data of PGNs, without their times. */
const messagesOf = (stdout: string): string[] =>
  linesOf(stdout)
    .filter(({ topic }) => topic.includes("/pgn/"))
    .map(({ topic, payload }) => `${topic} ${JSON.stringify(payload.data)}`);

const ended = async (child: ChildProcess): Promise<number | null> =>
  ((await once(child, "close")) as [number | null])[0];

const formats = ["candump -L", "Actisense N2K ASCII"] as const;

test.each(formats)(
  "a recording in %s, served and read by another hub-cand, gives the same messages",
  async (format) => {
    const path = writeRecording(boat, variants.find((each) => each.format === format)!, folder);
    const { port, child, stdout, stderr } = await serve("--replay", "-", "--speed", "5");
    const reader = startHubCand(["-i", "boat", "--stdout", "--source", `yd-raw+tcp://127.0.0.1:${port}`]);
    const read = textOf(reader.stdout);
    reader.stderr!.resume();
    await until(() => stderr().includes("client connected"));
    child.stdin!.end(readFileSync(path));
    expect(await ended(child)).toBe(0);
    const served = messagesOf(stdout());
    expect(served.length).toBeGreaterThan(200);
    await until(() => messagesOf(read().slice(0, read().lastIndexOf("\n") + 1)).length >= served.length);
    reader.kill("SIGTERM");
    await ended(reader);
    expect(messagesOf(read())).toEqual(served);
  },
);

test("a gateway of whole messages is served as frames, which canboatjs reads as it does the frames of the bus", async () => {
  const ascii = variants.find(({ format }) => format === "Actisense N2K ASCII")!.write(boat.frames, boat.said);
  let begin = (): void => {};
  const gateway = await tcpStandIn((socket) => {
    begin = () => socket.write(ascii);
  });
  onTestFinished(() => gateway.close());
  const { port, child, stdout, stderr } = await serve("--source", `n2k-ascii+tcp://127.0.0.1:${gateway.port}`);
  await until(() => stdout().includes('"up":true'));
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const parser = new FromPgn({ useCamel: true });
  const failures: unknown[] = [];
  const seen: { pgn: number; src: number; fields: object; input: string[] }[] = [];
  parser.on("error", (pgn: unknown, error: unknown) => failures.push([pgn, error]));
  parser.on("pgn", (pgn: (typeof seen)[number]) => seen.push(pgn));
  const parse = (line: string): void => void parser.parseYDGW02(line, () => {});
  createInterface({ input: socket }).on("line", parse);
  await until(() => stderr().includes("client connected"));
  begin();
  await until(() => seen.length >= boat.said.length);
  expect(failures).toEqual([]);
  expect(seen.map(({ pgn, src }) => [pgn, src])).toEqual(boat.said.map(({ pgn, source }) => [pgn, source]));
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("clients show in health and metrics, also those that are dropped and what they send", async () => {
  const metricsPort = await freePort();
  const { port, child, stderr } = await serve("--simulate", "--metrics", String(metricsPort));
  child.stdout!.resume();
  await until(() => stderr().includes("PGNs read by an assumed layout"));
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.resume();
  await once(socket, "connect");
  socket.write("garbage\r\n");
  const sample = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  };
  while ((await sample('hub_can_frame_client_bytes_total\\{interface="boat"\\}')) !== 9);
  expect(await sample('hub_can_frame_clients\\{interface="boat"\\}')).toBe(1);
  expect(await sample('hub_can_frame_clients_dropped_total\\{interface="boat",reason="slow"\\}')).toBe(0);
  expect(await sample('hub_can_frames_not_served_total\\{interface="boat"\\}')).toBe(0);
  child.kill("SIGTERM");
  expect(await ended(child)).toBe(0);
});

test("an address that is taken is a reason not to start, and nothing is listened to elsewhere than said", async () => {
  const { port, close } = await tcpStandIn(() => {});
  onTestFinished(close);
  const { code, stderr } = await runHubCand(["--simulate", "--stdout", "--serve-frames", `127.0.0.1:${port}`]);
  expect([code, stderr]).toEqual([
    1,
    `error --serve-frames: cannot listen on 127.0.0.1:${port}: EADDRINUSE code=START_FAILED\n`,
  ]);
  const served = await serve("--simulate");
  served.child.stdout!.resume();
  await until(() => served.stderr().includes("PGNs read by an assumed layout"));
  const elsewhere = connect(served.port, "127.0.0.2");
  await expect(once(elsewhere, "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
