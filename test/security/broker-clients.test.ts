/** What the daemons tell a broker when they connect, as docs/security.md says it. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { IConnectPacket } from "mqtt-packet";
import { expect, onTestFinished, test } from "vitest";
import { scriptedBroker, subscriptionsOf } from "../adapters/node/mqtt/scripted-broker.ts";
import { until } from "../support/mosquitto.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("hub-cand limits packets to 67 kB and subscribes with QoS 0; the ids of readers cannot be guessed", async () => {
  const broker = await scriptedBroker();
  const folder = temporaryFolder("clients");
  const start = (daemon: string, ...args: readonly string[]) => {
    const program = resolve(`dist/${daemon}.mjs`);
    const target = ["--broker", `mqtt://127.0.0.1:${broker.port}`];
    const child = spawn(process.execPath, [program, ...target, ...args], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
  };
  start("hub-cand", "-i", "nocan9");
  for (const _ of [1, 2]) start("hub-link", "--nmea0183-udp", "127.0.0.1:9");
  start("hub-history", "--queue", folder);
  start("hub-alarm", "--command", "true");
  const connects = () =>
    broker.sessions.flatMap((session) => {
      const connect = session.packets.find(({ cmd }) => cmd === "connect") as IConnectPacket | undefined;
      return connect === undefined ? [] : [{ ...connect, session }];
    });
  await until(() => connects().length === 5);
  const ids = connects().map(({ clientId }) => clientId);
  const random = ids.map((id) => /^hub-(?:link|history|alarm)-([0-9a-f]{12})$/.exec(id)?.[1]).filter(Boolean);
  expect(new Set(random).size).toBe(4);
  const cand = connects().find(({ clientId }) => clientId === "hub-cand-nocan9")!;
  expect(cand.protocolVersion).toBe(5);
  expect(cand.properties?.maximumPacketSize).toBeGreaterThan(64 << 10);
  expect(cand.properties?.maximumPacketSize).toBeLessThanOrEqual(67_000);
  await until(() => subscriptionsOf(cand.session).length > 0);
  for (const subscription of subscriptionsOf(cand.session)) expect(subscription).toMatchObject([expect.any(String), 0]);
});
