#!/usr/bin/env -S node --max-semi-space-size=2 --v8-pool-size=1 --max-inlined-bytecode-size-cumulative=300
/**
 * hub-cand: from a CAN bus, a recording or a simulated voyage to MQTT or standard output.
 *
 * The first line says how it is started: with a young generation of 2 MB a half in place of 16, of which a bridge has no use;
 * with one helper thread of V8, each of which keeps memory of its own; and with a third of what V8 would put into a function
 * of those it calls, since making machine code of a bridge then takes half the time, and what is made is not slower.
 *
 * Exit codes: 0 help, version, clean stop, end of a replay; 1 a bad option or value, a file that cannot be read, an addon
 * that does not load, a port of --metrics that is taken. Nothing else is a reason to end: no interface, no broker, malformed frames.
 */
import { hostname } from "node:os";
import { AddonError, type BusStatus, type CanBusSource, openCanBus } from "../adapters/node/can-bus.ts";
import { consoleLog } from "../adapters/node/console-log.ts";
import { readCredentials } from "../adapters/node/credentials.ts";
import { deployedSettingsFile } from "../adapters/node/deployed-settings.ts";
import type { FrameRecorder } from "../adapters/node/frame-recorder.ts";
import { interfaceMonitor } from "../adapters/node/interface-monitor.ts";
import { worldMagneticModel } from "../adapters/node/magnetic-model.ts";
import { mqttPublisher } from "../adapters/node/mqtt-publisher.ts";
import { reassembled } from "../adapters/node/reassembled.ts";
import { RecordingError, RecordingFile } from "../adapters/node/recording-file.ts";
import { stdoutPublisher } from "../adapters/node/stdout-publisher.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { readTlsFiles } from "../adapters/node/tls-files.ts";
import { uniqueNumber } from "../adapters/node/unique-number.ts";
import { Bridge } from "../bridge/bridge.ts";
import type { MachineVitals } from "../bridge/health.ts";
import { identityPayload, identityTopic } from "../bridge/identity.ts";
import { metricsAnswerer, metricsText } from "../bridge/metrics.ts";
import { createTally } from "../bridge/tally.ts";
import type { Log } from "../ports/log.ts";
import type { PacketSource } from "../ports/packet-source.ts";
import type { Publisher } from "../ports/publisher.ts";
import { simulatedFrames } from "../simulation/delivery.ts";
import { type HubCandSettings, hubCandCommand } from "./hub-cand-options.ts";
import { builtAt, version } from "./version.ts";

/** How often time passes for the bridge while nothing arrives, milliseconds. */
const TICK = 50;
/** Time for what has been read already to be passed on once told to stop, milliseconds. */
const LAST_BATCH = 200;
/** From being told to stop to the end, at most, milliseconds. */
const LONGEST_GOODBYE = 1600;
/** How often the deployed configuration is looked at, milliseconds. */
const SETTINGS_CHECK = 2000;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    systemClock.after(milliseconds, resolve);
  });

async function openPublisher({ target, interface: name }: HubCandSettings, log: Log): Promise<Publisher> {
  if (target.kind === "stdout") {
    const onGone = (code: string): never => {
      if (code !== "EPIPE") log.error("standard output is gone", { code });
      process.exit(code === "EPIPE" ? 0 : 1);
    };
    return stdoutPublisher(process.stdout, { onGone });
  }
  const { broker, credentials, tls } = target;
  return mqttPublisher({
    broker,
    clientId: `hub-cand-${name}`,
    identity: {
      topic: identityTopic(name),
      payload: (online) => identityPayload({ version, hostname: hostname(), online, wall: systemClock.wall() }),
    },
    ...(credentials !== undefined && {
      credentials: await readCredentials(credentials, process.env.CREDENTIALS_DIRECTORY),
    }),
    ...(broker.secure && { secureContext: await readTlsFiles(tls) }),
    clock: systemClock,
    log,
  });
}

/** Listens to the bus, and takes part in it when that was asked for. */
function openBus(
  settings: HubCandSettings,
  bridge: Bridge,
  log: Log,
  tick: () => void,
  recorder: FrameRecorder | undefined,
): CanBusSource {
  const { interface: name, node: transmit } = settings;
  const bus = openCanBus(name, bridge.framing, {
    transmit,
    ...(recorder && { onFrames: (frames, lost) => recorder.take(frames, lost) }),
    onStatus(status) {
      sayStatus(name, status, log);
      bridge.busChanged(status.state === "up", systemClock.monotonic());
      tick();
    },
    onNotice() {
      bridge.noticeInterface();
      tick();
    },
  });
  if (transmit) bridge.join(bus, { uniqueNumber: uniqueNumber(name), softwareVersion: version });
  return bus;
}

function openSource(
  settings: HubCandSettings,
  bridge: Bridge,
  log: Log,
  tick: () => void,
  recorder: FrameRecorder | undefined,
): PacketSource {
  const { source } = settings;
  const { framing } = bridge;
  switch (source.kind) {
    case "bus":
      return openBus(settings, bridge, log, tick, recorder);
    case "simulation": {
      const simulation = simulatedFrames(systemClock);
      return reassembled(simulation.batches(), {
        framing,
        close: () => simulation.close(),
        onFrames: recorder && ((frames) => recorder.take(frames)),
      });
    }
    case "replay": {
      const file = new RecordingFile(source.file, { clock: systemClock, log, speed: source.speed });
      return reassembled(file.batches(), { framing, malformed: () => file.malformed, close: () => file.close() });
    }
  }
}

function sayStatus(name: string, { state, errno }: BusStatus, log: Log): void {
  if (state === "up") log.info("listening", { interface: name });
  else if (state === "down") log.warn("the interface is down, waiting for it", { interface: name, errno });
  else if (state === "absent") log.warn("no such interface, looking for it every second", { interface: name });
}

function machineVitals(publisher: Publisher, recorder: FrameRecorder | undefined): MachineVitals {
  const { dropped, backlog } = publisher.counters();
  return { dropped, backlogBytes: backlog, memoryBytes: process.memoryUsage.rss(), ...recorder?.counters() };
}

/** It cannot begin as it was asked to; the message is a sentence for the user. */
class StartError extends Error {}

async function openRecorder(
  { record, interface: name }: HubCandSettings,
  log: Log,
): Promise<FrameRecorder | undefined> {
  if (record === undefined) return undefined;
  const { openFrameRecorder } = await import("../adapters/node/frame-recorder.ts");
  return openFrameRecorder({ ...record, interface: name, clock: systemClock, log }).catch((error: Error) => {
    throw new StartError(`--record: ${error.message}`);
  });
}

/** Serves what Prometheus asks for; the returned function ends that. */
async function openMetrics(port: number, text: () => string): Promise<() => void> {
  const { serveHttp } = await import("../adapters/node/http-server.ts");
  try {
    const server = await serveHttp(port, metricsAnswerer(text));
    return () => void server.close(0);
  } catch (error) {
    throw new StartError(`--metrics: cannot listen on 127.0.0.1:${port}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function run(settings: HubCandSettings, log: Log): Promise<void> {
  const { source: kind, prefix, maxRate, publishUnknown: unknown } = settings;
  // From the very beginning, so that being told to stop early is a clean end too.
  const stopped = new Promise<void>((resolve) => {
    process.on("SIGINT", resolve);
    process.on("SIGTERM", resolve);
  });
  // Before anything that would have to be ended again: the folder may be read-only, the port taken.
  const recorder = await openRecorder(settings, log);
  let metrics = (): string => "";
  const closeMetrics = settings.metrics === undefined ? () => {} : await openMetrics(settings.metrics, () => metrics());
  const publisher = await openPublisher(settings, log).catch((error: Error) => {
    throw new StartError(error.message);
  });
  const magneticModel = await worldMagneticModel();
  const bridge = new Bridge({
    prefix,
    publisher,
    log,
    interface: kind.kind === "bus" ? interfaceMonitor(settings.interface) : kind.kind,
    maxRate,
    unknown,
    magneticModel,
    notBefore: builtAt,
    ...(settings.homeAssistant !== undefined && {
      homeAssistant: { prefix: settings.homeAssistant, interface: settings.interface, version },
    }),
  });
  const deployed = deployedSettingsFile(settings.config, log);
  const configure = async (): Promise<boolean> => {
    const entries = await deployed.refresh();
    if (entries !== undefined) bridge.configure(entries);
    return entries !== undefined;
  };
  await configure();
  log.info("PGNs read by a layout that is assumed, since no public source has it", { pgns: bridge.assumed });
  const tick = (): void => {
    const now = systemClock.monotonic();
    bridge.advance(now, systemClock.wall());
    tally.advance(now);
    publisher.flush();
  };
  const source = openSource(settings, bridge, log, tick, recorder);
  const tally = createTally({ source, bridge, publisher, log });

  // As fast as possible, the recording's clock is the only one, and whoever takes the messages sets the pace.
  const atFullSpeed = kind.kind === "replay" && kind.speed === 0;
  bridge.watch({
    bus: () => source.counters(),
    ...(!atFullSpeed && { machine: () => machineVitals(publisher, recorder) }),
  });
  metrics = () => metricsText(bridge.health(systemClock.monotonic())!, settings.interface);
  void stopped.then(() => source.close());
  /** Once told to stop, nobody is waited for any longer than this: neither a broker nor a reader of the pipe. */
  const patience = stopped.then(() => pause(LONGEST_GOODBYE));

  const reconfigure = async (): Promise<void> => {
    if (await configure()) source.setFraming(bridge.framing);
  };
  const timers = atFullSpeed ? [] : [systemClock.every(TICK, tick), systemClock.every(SETTINGS_CHECK, reconfigure)];
  // Not a race with `stopped`, which would remember each of them to the end.
  let isStopped = false;
  let waitNoLonger = (): void => {};
  void stopped.then(() => {
    isStopped = true;
    waitNoLonger();
  });
  const taken = (): Promise<void> =>
    new Promise((resolve) => {
      if (isStopped) return resolve();
      waitNoLonger = resolve;
      void publisher.drained().then(resolve);
    });
  const passAllOn = async (): Promise<void> => {
    if (atFullSpeed) await taken();
    for await (const batch of source.batches()) {
      bridge.take(batch);
      publisher.flush();
      if (atFullSpeed) await taken();
    }
    bridge.finish();
  };
  try {
    // A pipe that says nothing would hold up the end.
    await Promise.race([passAllOn(), stopped.then(() => pause(LAST_BATCH))]);
  } finally {
    for (const callOff of timers) callOff();
    closeMetrics();
    source.close();
    await Promise.race([Promise.all([publisher.close(), recorder?.close()]), patience]);
  }
  tally.finish();
}

/** Prints what is on a topic: `127250`, `navigation`. */
async function printSchema(topic: string): Promise<number> {
  const { topicSchemas } = await import("../bridge/topic-schemas.ts");
  const found = topicSchemas.find(({ id }) => id === topic || id === `pgn-${topic}`);
  if (found === undefined) {
    process.stderr.write(`hub-cand: --schema ${topic}: neither a PGN that is published nor a report\n`);
    return 1;
  }
  process.stdout.write(`${JSON.stringify(found.schema, null, 2)}\n`);
  return 0;
}

async function main(): Promise<number> {
  const command = hubCandCommand(process.argv.slice(2));
  switch (command.kind) {
    case "help":
      process.stdout.write(command.text);
      return 0;
    case "version":
      process.stdout.write(`hub-cand ${version}\n`);
      return 0;
    case "schema":
      return printSchema(command.topic);
    case "refused":
      process.stderr.write(`hub-cand: ${command.message}\n`);
      return 1;
  }
  const log = consoleLog({
    level: command.settings.logLevel,
    journal: process.env.JOURNAL_STREAM !== undefined,
    write: (line) => process.stderr.write(line),
  });
  // SIGUSR1 would start the inspector of Node if nobody listened.
  process.on("SIGUSR1", () => log.turn(1));
  process.on("SIGUSR2", () => log.turn(-1));
  try {
    await run(command.settings, log);
    return 0;
  } catch (error) {
    if (error instanceof RecordingError || error instanceof AddonError || error instanceof StartError) {
      log.error(error.message);
      return 1;
    }
    throw error;
  }
}

process.exit(await main());
