/** A real Mosquitto for tests: on a free loopback port, with its own configuration in a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { killed } from "./ends-with-test.ts";
import { connected, freePort } from "./ports.ts";
import { temporaryFolder } from "./temporary-folder.ts";

// Debian installs it where only root's PATH looks.
const path = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
const isInstalled = spawnSync("mosquitto", ["-h"], { env: { PATH: path } }).error === undefined;

/** Why tests with Mosquitto are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
export const withoutMosquitto: string | undefined =
  isInstalled || process.env.CI === "true" ? undefined : "mosquitto is not installed";

export interface MosquittoOptions {
  /**
   * Lines of mosquitto.conf that belong to the listener, for example `cafile …`; anonymous clients are let in without.
   */
  readonly listener?: readonly string[];
  /** Other lines; without, retained messages do not outlive the process. */
  readonly general?: readonly string[];
}

export interface Mosquitto {
  readonly port: number;
  readonly pid: number;
  /** A folder that goes with the broker. */
  readonly folder: string;
  /** Stops the process as the kernel would (SIGKILL), or in place (SIGSTOP, SIGCONT). */
  signal(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Starts it again on the same port, unless it runs. */
  restart(): Promise<void>;
  /** Ends the process and removes the folder. */
  stop(): Promise<void>;
}

export async function mosquitto({ listener = [], general = [] }: MosquittoOptions = {}): Promise<Mosquitto> {
  const folder = temporaryFolder("mosquitto");
  const port = await freePort();
  const configuration = [
    // Run by root it would become another user, who cannot read the folder.
    ...(process.getuid?.() === 0 ? ["user root"] : []),
    "persistence false",
    "max_queued_messages 0",
    ...general,
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    ...listener,
    "",
  ];
  writeFileSync(join(folder, "mosquitto.conf"), configuration.join("\n"));

  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn("mosquitto", ["-c", join(folder, "mosquitto.conf")], { env: { PATH: path }, stdio: "ignore" });
    await once(child, "spawn");
    await untilListening(port, child);
  };
  await start();

  return {
    port,
    folder,
    get pid() {
      return child.pid!;
    },
    async signal(signal) {
      const ended = signal === "SIGKILL" && child.exitCode === null ? once(child, "exit") : undefined;
      child.kill(signal);
      await ended;
    },
    async restart() {
      if (child.exitCode !== null || child.signalCode !== null) await start();
    },
    async stop() {
      await killed(child);
      rmSync(folder, { recursive: true });
    },
  };
}

export async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const socket = await connected(port, () => {
    if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}`);
  });
  socket.destroy();
}

/** A message as a subscriber gets it; `retain`: it was there before the subscriber. */
export interface ReceivedMessage {
  readonly topic: string;
  readonly payload: string;
  readonly qos: number;
  readonly retain: boolean;
}

export interface Subscriber {
  readonly messages: readonly ReceivedMessage[];
  /** Resolves with the first message, of those that came already or will come, that the test likes. */
  until(likes: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage>;
  clear(): void;
  readonly client: MqttClient;
  close(): Promise<void>;
}

/** Subscribes to everything; comes back by itself when the broker does. */
export async function subscriber(port: number, options: IClientOptions = {}, filter = "#"): Promise<Subscriber> {
  const client = await connectAsync({ host: "127.0.0.1", port, protocol: "mqtt", reconnectPeriod: 50, ...options });
  const messages: ReceivedMessage[] = [];
  let watchers: ((message: ReceivedMessage) => boolean)[] = [];
  client.on("message", (topic, bytes, { qos, retain }) => {
    const message = { topic, payload: bytes.toString(), qos, retain };
    messages.push(message);
    watchers = watchers.filter((watcher) => !watcher(message));
  });
  await client.subscribeAsync(filter, { qos: 1 });
  return {
    messages,
    client,
    until(likes) {
      const found = messages.find(likes);
      if (found) return Promise.resolve(found);
      return new Promise((resolve) => {
        watchers.push((message) => {
          if (likes(message)) resolve(message);
          return likes(message);
        });
      });
    },
    clear() {
      messages.length = 0;
    },
    close: () => client.endAsync(true),
  };
}

/** What a broker has kept, as a client gets it that subscribes now: all that comes before a mark of its own. */
export async function keptAt(port: number): Promise<readonly ReceivedMessage[]> {
  const late = await subscriber(port);
  late.client.publish("mark", "", { qos: 1 });
  await late.until(({ topic, retain }) => topic === "mark" && !retain);
  await late.close();
  return late.messages.filter(({ retain }) => retain);
}

/** Waits until something holds, which is asked every `periodMs`; the test's own time limit is the only one. */
export async function until(holds: () => boolean, periodMs = 20): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, periodMs));
}
