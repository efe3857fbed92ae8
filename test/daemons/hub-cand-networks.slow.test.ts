/** hub-cand on several networks: gateways, an interface that is not there, those of the settings; one prefix. */
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { type StandIn, tcpStandIn } from "../formats/gateway/stand-ins.ts";
import { killed } from "../support/ends-with-test.ts";
import { startHubCand } from "../support/hub-cand.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Message {
  readonly topic: string;
  readonly payload: { readonly data: Readonly<Record<string, unknown>> };
}

/** A gateway that sends a frame again and again: a heading of so many steps of 0.0001 rad, from address 5. */
async function gateway(steps: number): Promise<StandIn & { readonly url: string }> {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(steps);
  const line = `00:00:00.000 R 09F11205 FF ${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ")} FF 7F FF 7F FD\r\n`;
  const timers = new Set<NodeJS.Timeout>();
  const standIn = await tcpStandIn((socket: Socket) => {
    const timer = setInterval(() => socket.write(line), 20);
    timers.add(timer);
    socket.on("error", () => {});
    socket.on("close", () => clearInterval(timer));
  });
  onTestFinished(() => {
    for (const timer of timers) clearInterval(timer);
    return standIn.close();
  });
  return { ...standIn, url: `yd-raw+tcp://127.0.0.1:${standIn.port}` };
}

/** Runs hub-cand, whose messages a test waits for. */
function start(args: readonly string[]): {
  child: ChildProcess;
  heard: (is: (message: Message) => boolean) => Promise<Message>;
} {
  const child = startHubCand([...args, "--stdout"]);
  child.stderr!.resume();
  const waiting = new Set<{ is: (message: Message) => boolean; found: (message: Message) => void }>();
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    for (const each of waiting) {
      if (!each.is(message)) continue;
      waiting.delete(each);
      each.found(message);
    }
  });
  return { child, heard: (is) => new Promise((found) => waiting.add({ is, found })) };
}

const headingAt =
  (address: number) =>
  ({ topic }: Message): boolean =>
    topic === `can/boat/device/${address}/pgn/127250`;

type Network = {
  readonly interface: string;
  readonly firstAddr: number;
  readonly up?: boolean;
  readonly gateway?: object;
};
const networksOf = ({ topic, payload }: Message): readonly Network[] =>
  topic === "can/boat/interface" ? ((payload.data.networks ?? []) as readonly Network[]) : [];

describe("hub-cand on several networks", () => {
  test("publishes all of them below one prefix; one that is away does not touch the others", async () => {
    const [first, second] = [await gateway(1000), await gateway(2000)];
    const absent = `yd-raw+tcp://127.0.0.1:${await freePort()}`;
    const args = ["-i", "boat", "-s", first.url, "--also", absent, "--also", second.url, "--also", "nocan9"];
    const port = await freePort();
    const { child, heard } = start([...args, "--metrics", `${port}`]);
    const [ofFirst, ofSecond, status] = await Promise.all([
      heard(headingAt(5)),
      heard(headingAt(517)),
      heard(
        (message) =>
          message.payload.data.up === true &&
          networksOf(message)[1]?.up === true &&
          /refused/.test(JSON.stringify(networksOf(message)[0])),
      ),
    ]);
    expect([ofFirst.payload.data.headingDeg, ofSecond.payload.data.headingDeg]).toEqual([5.73, 11.459]);
    expect(status.payload.data).toMatchObject({ interface: "boat", up: true, gateway: { source: first.url } });
    expect(networksOf(status)).toMatchObject([
      { interface: absent, firstAddr: 256, up: false, gateway: { reason: "connection refused" } },
      { interface: second.url, firstAddr: 512, up: true, gateway: { source: second.url } },
      { interface: "nocan9", firstAddr: 768, up: false },
    ]);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain(`hub_can_network_up{interface="boat",network="${second.url}"} 1\n`);
    expect(metrics).toContain(`hub_can_network_up{interface="boat",network="${absent}"} 0\n`);
    expect(metrics).toMatch(/hub_can_network_frames_total\{interface="boat",network="yd-raw[^"]*"\} [1-9]/);
    // The first network ends, and the further one is heard all the same.
    await first.close();
    await heard(({ topic, payload }) => topic === "can/boat/interface" && payload.data.up === false);
    await heard(headingAt(517));
    expect(await killed(child, "SIGTERM")).toBe(0);
  });

  test("opens and closes those of the settings when they change; one that cannot be understood is reported", async () => {
    const folder = temporaryFolder("cand-networks");
    const config = join(folder, "deploy.json");
    const deploy = (also: unknown): void =>
      writeFileSync(config, JSON.stringify({ settings: [{ name: "networks", also }] }));
    const [first, second, third] = [await gateway(1000), await gateway(2000), await gateway(3000)];
    deploy([second.url, "nonsense://x", first.url]);
    const { heard } = start(["-i", "boat", "-s", first.url, "-c", config]);
    const [message, health] = await Promise.all([
      heard(headingAt(261)),
      heard(({ topic }) => topic === "can/boat/health"),
    ]);
    expect(message.payload.data.headingDeg).toBe(11.459);
    expect(health.payload.data.ignoredSettings).toMatchObject([
      { entry: "networks", reason: expect.stringContaining("nonsense://x") },
      { entry: "networks", reason: expect.stringContaining("already") },
    ]);
    deploy([third.url]);
    await heard((each) => headingAt(261)(each) && each.payload.data.headingDeg === 17.189);
    deploy([]);
    const without = await heard(
      ({ topic, payload }) => topic === "can/boat/interface" && payload.data.networks === undefined,
    );
    expect(without.payload.data.up).toBe(true);
  });
});
