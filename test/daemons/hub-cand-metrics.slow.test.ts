/** Monitoring of a running hub-cand: metrics on their port, log levels by signals. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { runHubCand, startHubCand, textOf } from "../support/hub-cand.ts";
import { until } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";

/** The answer of the page of metrics; empty while nothing listens. */
const read = (port: number): Promise<string> =>
  fetch(`http://127.0.0.1:${port}/metrics`).then(
    (response) => response.text(),
    () => "",
  );

test("--metrics serves the health of the moment, also beside 500 open connections; signals change the level of the log", async () => {
  const port = await freePort();
  const child = startHubCand(["--simulate", "--stdout", "-i", "can7", "--metrics", String(port)]);
  child.stdout!.resume();
  const stderr = textOf(child.stderr!);
  const frames = (text: string): number =>
    Number(/^hub_can_frames_total\{interface="can7"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  const readBeyond = async (least: number): Promise<string> => {
    for (;;) {
      const text = await read(port);
      if (frames(text) > least) return text;
    }
  };
  const text = await readBeyond(0);
  expect(text).toMatch(/^process_resident_memory_bytes\{interface="can7"\} \d{7,}$/m);
  const now = Date.now() / 1000;
  const sample = (name: string): number => Number(new RegExp(`^${name}\\{.*\\} (\\S+)$`, "m").exec(text)?.[1]);
  expect(sample("process_cpu_seconds_total")).toBeGreaterThan(0.01);
  expect(sample("process_start_time_seconds")).toBeGreaterThan(now - 60);
  expect(sample("process_start_time_seconds")).toBeLessThan(now);
  expect(text).toMatch(/^hub_can_build_info\{interface="can7",version="\d+\.\d+\.\d+[^"]*"\} 1$/m);
  const later = await readBeyond(frames(text));
  const start = /^process_start_time_seconds.*$/m;
  expect(start.exec(later)![0]).toBe(start.exec(text)![0]);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status).toBe(405);
  await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow();

  for (const sent of [
    "",
    "GET /metrics HTTP/1.1\r\nHost: local",
    "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  ]) {
    const held = Array.from({ length: 500 }, () => connect({ port, host: "127.0.0.1", allowHalfOpen: true }));
    onTestFinished(() => held.forEach((socket) => void socket.destroy()));
    for (const socket of held) socket.on("error", () => {}).write(sent);
    await Promise.all(held.map((socket) => once(socket, "connect")));
    expect(frames(await read(port)), sent).toBeGreaterThan(0);
  }

  for (const [signal, level] of [
    ["SIGUSR1", "debug"],
    ["SIGUSR2", "info"],
    ["SIGUSR2", "warn"],
  ] as const) {
    child.kill(signal);
    await until(() => stderr().includes(`info log level level=${level}\n`));
  }
  expect(stderr()).not.toMatch(/debugger/i);
  child.kill("SIGTERM");
  expect((await once(child, "close"))[0]).toBe(0);
  // The closing line is of a level that is left out by now.
  expect(stderr()).not.toContain("info counted");
});

test("--metrics on a port that is taken is a reason not to start", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await runHubCand(["--simulate", "--stdout", "--metrics", String(port)]);
  expect([code, stderr]).toEqual([
    1,
    `error --metrics: cannot listen on 127.0.0.1:${port}: EADDRINUSE code=START_FAILED\n`,
  ]);
});
