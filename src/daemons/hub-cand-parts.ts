/** The parts of hub-cand, each opened as the settings say. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { BusSource } from "../adapters/node/can/bus-source.ts";
import { ReassembledSource } from "../adapters/node/can/reassembled-source.ts";
import { DiskWatch } from "../adapters/node/files/disk-space.ts";
import { uniqueNumber } from "../adapters/node/machine-id.ts";
import { worldMagneticModel } from "../adapters/node/magnetic-model.ts";
import { mqttPublisher } from "../adapters/node/mqtt/publisher.ts";
import type { FrameRecorder } from "../adapters/node/recording/frame-recorder.ts";
import { RecordingFile } from "../adapters/node/recording/recording-file.ts";
import { StdoutPublisher } from "../adapters/node/stdout-publisher.ts";
import type { FrameServer } from "../adapters/node/streams/frame-server.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { MAX_BASELINE_BYTES } from "../core/findings/baseline.ts";
import { type PublicPgns, publicPgns } from "../core/n2k/public-pgns.ts";
import { hashOf } from "../core/n2k/stand-in.ts";
import type { Log } from "../core/ports/log.ts";
import type { PacketSource } from "../core/ports/packet-source.ts";
import type { Publisher } from "../core/ports/publisher.ts";
import { isOwnTopic } from "../core/sensors/topic-filter.ts";
import type { Health } from "../core/topics/health.ts";
import { identityPayload } from "../core/topics/identity.ts";
import { receivedFilters, topics } from "../core/topics/topics.ts";
import type { FrameBatch } from "../formats/recording/frame-batch.ts";
import { type Bridge, createBridge } from "../services/bridge/bridge.ts";
import { metricsText, type ProcessVitals } from "../services/bridge/health/metrics.ts";
import { passingPublisher } from "../services/bridge/passing-publisher.ts";
import { busStatusLog } from "./bus-status-log.ts";
import { gatewayStatusLog } from "./gateway-status-log.ts";
import { isBesideLive } from "./hub-cand-beside.ts";
import type { NetworkSource } from "./hub-cand-networks.ts";
import type { BrokerTarget, HubCandSettings, NetworkAddress, SensorsSource } from "./hub-cand-options.ts";
import { readBrokerFiles } from "./program/broker-files.ts";
import { StartupError, started } from "./program/errors.ts";
import { orTaken } from "./program/listening.ts";
import type { Stop } from "./program/stop.ts";
import { builtAt, version } from "./program/version.ts";

/**
 * If standard output cannot be written, the daemon ends; a reader that has gone is not an error. From a broker the
 * bridge gets commands as soon as it exists.
 */
export async function openPublisher(
  settings: HubCandSettings,
  stop: Stop,
  log: Log,
  receiver: Promise<Bridge>,
): Promise<Publisher> {
  const { target, source, prefix } = settings;
  if (target.kind === "broker" && isLive(settings)) return openBroker(target, settings, log, receiver);
  if (target.kind === "broker") {
    if (await isBesideLive(target, settings)) {
      const reason = `another hub-cand publishes below ${prefix} at this broker`;
      throw new StartupError(`${reason}: --interface replay has topics of its own`);
    }
    const mayReconnect = async (): Promise<boolean> => {
      if (!(await isBesideLive(target, settings))) return true;
      log.error("another hub-cand publishes at these topics now", { code: "BESIDE_LIVE", prefix });
      stop.ask(1);
      return false;
    };
    const publisher = await openBroker(target, settings, log, receiver, { mayReconnect });
    return passingPublisher(publisher, prefix, systemClock);
  }
  return new StdoutPublisher(process.stdout, {
    isWaitedFor: source.kind === "replay" && source.speed === 0,
    onGone(reason) {
      if (reason !== "EPIPE") log.error("standard output cannot be written", { code: "STDOUT_GONE", reason });
      stop.ask(reason === "EPIPE" ? 0 : 1);
    },
  });
}

async function openBroker(
  target: BrokerTarget,
  settings: HubCandSettings,
  log: Log,
  receiver: Promise<Bridge>,
  replay?: { readonly mayReconnect: () => Promise<boolean> },
): Promise<Publisher> {
  const { interface: name, prefix } = settings;
  const filters = receivedFilters(prefix, name, replay === undefined);
  const files = await started(readBrokerFiles(target));
  return mqttPublisher({
    broker: target.broker,
    clientId: `hub-cand-${name}`,
    identity: {
      topic: topics.info.name({ interface: name }),
      payload: (online) => identityPayload({ version, hostname: hostname(), online, wall: systemClock.wall() }),
    },
    subscription: { filters, maxPayloadBytes: MAX_BASELINE_BYTES, receiver, ignoresRetained: replay !== undefined },
    ...replay,
    ...files,
    clock: systemClock,
    log,
  });
}

export async function openRecorder(settings: HubCandSettings, log: Log): Promise<FrameRecorder | undefined> {
  const { record, interface: name } = settings;
  if (record === undefined) return undefined;
  const { openFrameRecorder } = await import("../adapters/node/recording/frame-recorder.ts");
  return openFrameRecorder({ ...record, interface: name, clock: systemClock, log }).catch((error: Error) => {
    throw new StartupError(`--record: ${error.message}`);
  });
}

export async function openFrameServer(
  { serveFrames }: HubCandSettings,
  limitedLog: Log,
): Promise<FrameServer | undefined> {
  if (serveFrames === undefined) return undefined;
  const { openFrameServer: open } = await import("../adapters/node/streams/frame-server.ts");
  return orTaken("serve-frames", serveFrames, open({ ...serveFrames, clock: systemClock, log: limitedLog }));
}

/** Consumers of the frames of the source in addition to the bridge. */
export interface FrameConsumers {
  readonly recorder: FrameRecorder | undefined;
  readonly frameServer: FrameServer | undefined;
}

/** The listener to frames; undefined without consumers, so that frames cost nothing. */
function frameListener({ recorder, frameServer }: FrameConsumers) {
  if (recorder === undefined && frameServer === undefined) return undefined;
  return (frames: FrameBatch, lost?: number): void => {
    recorder?.take(frames, lost);
    frameServer?.take(frames, lost);
  };
}

/** The source of packets, not yet open. Throws `AddonError`. */
export async function createSource(
  settings: HubCandSettings,
  consumers: FrameConsumers,
  log: Log,
): Promise<PacketSource> {
  const { source, interface: name, node: transmit } = settings;
  if ("unopened" in source && source.unopened !== undefined)
    log.info("the interface is not opened, its name is used in topics only", {
      interface: source.unopened,
      source: source.kind,
    });
  const onFrames = frameListener(consumers);
  const onMessageFrames = frameListener({ ...consumers, recorder: undefined });
  switch (source.kind) {
    case "bus":
      return new BusSource({ interface: name, transmit, onStatus: busStatusLog(name, log), onFrames });
    case "gateway": {
      const { GatewaySource } = await import("../adapters/node/gateways/source.ts");
      return new GatewaySource({
        name,
        transmit,
        address: source.address,
        clock: systemClock,
        onStatus: gatewayStatusLog(source.address.url, log),
        onFrames,
        onMessageFrames,
      });
    }
    case "simulation": {
      const { simulatedFrames } = await import("../services/simulation/delivery.ts");
      const simulation = simulatedFrames(systemClock, source.from);
      return new ReassembledSource({
        name: "simulation",
        batches: simulation.batches(),
        close: () => simulation.close(),
        onFrames,
      });
    }
    case "replay": {
      const file = new RecordingFile(source.file, { clock: systemClock, log, speed: source.speed });
      return new ReassembledSource({
        name: "replay",
        batches: file.batches(),
        malformed: () => file.malformed,
        unusedTransducers: file.unusedTransducers,
        times: () => file.times,
        close: () => file.close(),
        atFullSpeed: source.speed === 0,
        onFrames,
        onMessageFrames,
      });
    }
  }
}

/** The source of a network in addition to the first, not yet open. Throws `AddonError`. */
export async function createFurtherSource(
  network: NetworkAddress,
  settings: HubCandSettings,
  log: Log,
): Promise<NetworkSource> {
  const { name } = network;
  if (network.kind === "sensors") return createSensorSource(network, settings, log);
  if (network.kind === "bus")
    return new BusSource({ interface: name, transmit: false, onStatus: busStatusLog(name, log) });
  if (network.kind === "j1939") {
    const { J1939Source } = await import("../adapters/node/can/j1939-source.ts");
    const { of, firstEngine } = network;
    return new J1939Source(await createFurtherSource(of, settings, log), { network: name, firstEngine });
  }
  const { GatewaySource } = await import("../adapters/node/gateways/source.ts");
  const { address } = network;
  return new GatewaySource({
    name,
    address,
    transmit: false,
    clock: systemClock,
    onStatus: gatewayStatusLog(name, log),
  });
}

async function createSensorSource(
  { name, broker: other }: SensorsSource & { readonly name: string },
  { target, interface: ofBus, prefix }: HubCandSettings,
  log: Log,
): Promise<NetworkSource> {
  if (other === undefined && target.kind !== "broker") throw new Error("there is no broker");
  const { SensorSource } = await import("../adapters/node/mqtt/sensor-source.ts");
  const own = target.kind === "broker" && other === undefined ? target : undefined;
  return new SensorSource({
    name,
    broker: own?.broker ?? other!,
    // Of the connections to one broker, each has an id of its own.
    clientId: `hub-cand-${ofBus}-${hashOf(name).toString(16)}`,
    ...(own && (await readBrokerFiles(own))),
    isOwn: (topic) => isOwnTopic(topic, prefix),
    clock: systemClock,
    log,
  });
}

/** Whether the time on the bus is the present one: a recording and a simulated voyage have their own. */
export const isLive = ({ source: { kind } }: HubCandSettings): boolean => kind === "bus" || kind === "gateway";

export interface BridgeParts extends FrameConsumers {
  readonly source: PacketSource;
  readonly publisher: Publisher;
  readonly disks: DiskWatch | undefined;
  readonly log: Log;
}

/** Watches the disks of the folders to which hub's daemons write: its own, and those of the broker and the log. */
export async function openDiskWatch(
  { config, record }: HubCandSettings,
  source: PacketSource,
): Promise<DiskWatch | undefined> {
  // The output of a full-speed replay is the same on every machine.
  if (source.atFullSpeed) return undefined;
  const folders = [dirname(config), ...(record === undefined ? [] : [record.folder])];
  const disks = new DiskWatch(folders, ["/var/lib", "/var/log"], systemClock);
  await disks.measure();
  return disks;
}

export async function openBridge(settings: HubCandSettings, parts: BridgeParts): Promise<Bridge> {
  const { prefix, maxRate, lanes, allPgns, publishUnknown: unknown, homeAssistant, interface: name } = settings;
  const { source, publisher, recorder, frameServer, disks, log } = parts;
  const { monitor, sender } = source;
  const machine = (): Partial<Health> => {
    const { refused: publishRefused, dropped, backlog } = publisher.counters();
    const memoryBytes = process.memoryUsage.rss();
    return {
      publishRefused,
      dropped,
      backlogBytes: backlog,
      memoryBytes,
      ...recorder?.counters(),
      ...frameServer?.counters(),
    };
  };
  return createBridge({
    prefix,
    interface: name,
    publisher,
    log,
    monitor,
    maxRate,
    lanes,
    unknown,
    allPgns,
    publicPgns: () => readPublicPgns(log),
    disk: disks && (() => disks.least),
    layouts: !source.atFullSpeed,
    // Periods and rates of a replay at another pace are not those of the bus.
    findings: !(settings.source.kind === "replay" && settings.source.speed !== 1),
    magneticModel: await worldMagneticModel(),
    notBefore: isLive(settings) ? builtAt : undefined,
    vitals: { bus: () => source.counters(), ...(!source.atFullSpeed && { machine }) },
    ...(sender && { node: { sender, uniqueNumber: uniqueNumber(name), softwareVersion: version } }),
    ...(homeAssistant !== undefined && {
      homeAssistant: { prefix: homeAssistant, interface: name, version, hostname: hostname() },
    }),
  });
}

let publicTable: PublicPgns | undefined;

/** The table that the build writes beside the daemon, read once. */
export function readPublicPgns(log: Log): PublicPgns | undefined {
  try {
    publicTable ??= publicPgns(readFileSync(new URL("public-pgns.txt", import.meta.url), "latin1"));
  } catch (error) {
    log.error("the table of public PGNs cannot be read", { code: "PUBLIC_PGNS_UNREADABLE", reason: String(error) });
  }
  return publicTable;
}

function processVitals(): ProcessVitals {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, startTimeSeconds: Math.round(performance.timeOrigin) / 1000, version };
}

/** Serves the health of the bridge to Prometheus; undefined without the option. */
export async function openMetrics(
  { metrics: port, interface: name, source: { kind } }: HubCandSettings,
  { monitor }: PacketSource,
  bridge: Bridge,
  log: Log,
): Promise<{ close(): void } | undefined> {
  if (port === undefined) return undefined;
  const { serveHttp } = await import("../adapters/node/http/server.ts");
  const { metricsApp } = await import("./metrics-app.ts");
  const text = (): string => {
    const status = kind === "gateway" ? monitor.read().status : undefined;
    const { health, findings, interface: known } = bridge.boat;
    const networksUp = new Map(known.networks.map((network) => [network.interface, network.up === true]));
    const now = systemClock.monotonic();
    return metricsText(
      { health: health.at(now)!, status, findings: findings.latest, networksUp },
      name,
      processVitals(),
    );
  };
  const opening = serveHttp(port, metricsApp({ text, hostname }).fetch, log);
  const server = await orTaken("metrics", { host: "127.0.0.1", port }, opening);
  return { close: () => void server.close(0) };
}
