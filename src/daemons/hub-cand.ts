#!/usr/bin/env -S node --max-semi-space-size=2 --heap-growing-percent=50 --no-allocation-site-pretenuring --v8-pool-size=1 --max-inlined-bytecode-size-cumulative=200
/**
 * hub-cand: from a CAN bus, a recording or a simulated voyage to MQTT or standard output.
 *
 * The first line sets V8 up: a young generation of 2 MB a half in place of 16, which a bridge does not need, and in
 * which every object begins (9 MB less after six million frames); an old one that is collected when it has grown by
 * half, because what is reported each second lives just long enough to get there (87 MB in place of 134 after five
 * million frames, for the same CPU time); one helper thread, because each keeps memory of its own; and a fifth of the
 * usual inlining, which halves the time for compiling a bridge and makes no slower code.
 *
 * Exit codes: 0 help, version, clean stop, end of a replay; 1 a bad option or value (of a service 64), a file that cannot be read, an
 * addon that does not load, a port of --metrics or --serve-frames that is taken. It continues without an interface,
 * without a broker, and after malformed frames.
 */
// Imported first, because it installs the signal handlers.
import "./program/stop.ts";
import { AddonError } from "../adapters/node/can/can-bus.ts";
import { deployedSettingsFile } from "../adapters/node/files/deployed-settings.ts";
import { RecordingError } from "../adapters/node/recording/recording-file.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import type { Log } from "../core/ports/log.ts";
import type { PacketSource } from "../core/ports/packet-source.ts";
import type { Publisher } from "../core/ports/publisher.ts";
import type { TopicDescription } from "../core/topics/async-api.ts";
import type { Bridge } from "../services/bridge/bridge.ts";
import { LossReporter } from "../services/bridge/health/loss-reporter.ts";
import { Networks } from "./hub-cand-networks.ts";
import { firstOrigins, type HubCandSettings, hubCandCommand } from "./hub-cand-options.ts";
import {
  createFurtherSource,
  createSource,
  isLive,
  openBridge,
  openDiskWatch,
  openFrameServer,
  openMetrics,
  openPublisher,
  openRecorder,
  readPublicPgns,
} from "./hub-cand-parts.ts";
import { endWith, logStartupError, type Run, runProgram, stderrLog } from "./program/program.ts";
import { announceReady } from "./program/service-manager.ts";
import { stop } from "./program/stop.ts";

/** Interval at which the bridge gets the time while no packet arrives. */
const TICK_MS = 50;
/** Interval at which the deployed configuration is checked. */
const SETTINGS_CHECK_MS = 2000;
/** Time after a request to stop for packets that have already been read. */
const LAST_BATCH_MS = 200;

async function run(settings: HubCandSettings, { log, limitedLog, opened, close }: Run): Promise<void> {
  if (settings.target.kind === "findings") {
    const consumers = { recorder: undefined, frameServer: undefined };
    const source = opened.add(await createSource(settings, consumers, log));
    void stop.asked.then(() => source.close());
    const { printFindings } = await import("./hub-cand-findings.ts");
    return printFindings(source, settings.target, log);
  }
  let bridgeIsThere = (_bridge: Bridge): void => {};
  const receiver = new Promise<Bridge>((resolve) => {
    bridgeIsThere = resolve;
  });
  const publisher = opened.add(await openPublisher(settings, stop, log, receiver));
  const recorder = opened.add(await openRecorder(settings, log));
  const frameServer = opened.add(await openFrameServer(settings, limitedLog));
  const source = opened.add(await createSource(settings, { recorder, frameServer }, log));
  const disks = opened.add(await openDiskWatch(settings, source));
  const bridge = await openBridge(settings, { source, publisher, recorder, frameServer, disks, log });
  bridgeIsThere(bridge);
  opened.add(await openMetrics(settings, source, bridge, log));
  const losses = new LossReporter({ source, bridge, publisher, log });

  const networks = opened.add(
    new Networks({
      also: settings.also,
      // A recording and a simulated voyage are not mixed with the boat of the settings.
      fromSettings: isLive(settings),
      taken: firstOrigins(settings),
      prefix: settings.prefix,
      bridge,
      open: (network) => createFurtherSource(network, settings, log),
      flush: () => publisher.flush(),
      monotonic: () => systemClock.monotonic(),
      log,
    }),
  );
  const deployed = deployedSettingsFile(settings.config, log);
  const configure = async (): Promise<void> => {
    const entries = await deployed.refresh();
    bridge.settingsFile(settings.config, deployed.fault);
    if (entries === undefined) return;
    bridge.configure(entries);
    source.setFastPacketTable(bridge.fastPacketTable);
    networks.setFastPacketTable(bridge.fastPacketTable);
    await networks.configure(entries);
  };
  let hasTicked = false;
  const tick = (): void => {
    const now = systemClock.monotonic();
    const wall = source.hasOwnClock ? bridge.packetClock(now) : undefined;
    if (isLive(settings)) bridge.compareClock(now, systemClock.wall());
    bridge.advance(now, wall ?? systemClock.wall());
    losses.advance(now);
    publisher.flush();
    hasTicked = true;
  };
  await networks.configure(new Map());
  await configure();
  log.info("PGNs read by an assumed layout, because no public source has one", { pgns: bridge.assumed });
  source.onState?.((state) => {
    bridge.sourceChanged(state, systemClock.monotonic());
    tick();
  });
  void stop.asked.then(() => {
    source.close();
    networks.close();
  });
  if (!source.atFullSpeed) {
    opened.add({ close: systemClock.every(TICK_MS, tick) });
    opened.add({ close: systemClock.every(SETTINGS_CHECK_MS, configure) });
  }
  const hasWorked = (): boolean => {
    const has = hasTicked || source.atFullSpeed === true;
    hasTicked = false;
    return has;
  };
  opened.add(await announceReady(hasWorked, log));
  // A pipe that delivers nothing would delay the end.
  await Promise.race([
    publishAll(source, bridge, publisher, { log, isReplay: settings.source.kind === "replay" }),
    stop.after(LAST_BATCH_MS),
  ]);
  await close();
  losses.finish();
}

/** Publishes all packets of a source; a source at full speed waits for the publisher. */
async function publishAll(
  source: PacketSource,
  bridge: Bridge,
  publisher: Publisher,
  { log, isReplay }: { readonly log: Log; readonly isReplay: boolean },
): Promise<void> {
  if (source.atFullSpeed) await stop.until(publisher.drained());
  let isEmpty = true;
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    isEmpty &&= batch.length === 0;
    bridge.take(batch);
    publisher.flush();
    if (source.atFullSpeed) await stop.until(publisher.drained());
  }
  if (isReplay && isEmpty && !stop.isAsked)
    log.warn("no message of the recording is left", { code: "RECORDING_EMPTY" });
  bridge.finish();
}

/** Prints the JSON Schema of a topic: `127250`, `navigation`. */
async function printSchema(topic: string, log: Log): Promise<number> {
  const { publicTopicSchema, publicTopicSchemas, topicSchemas } = await import("../core/topics/schemas.ts");
  const find = (topics: readonly TopicDescription[]) => topics.find(({ id }) => id === topic || id === `pgn-${topic}`);
  let found = find(topicSchemas);
  const others = found === undefined ? readPublicPgns(log) : undefined;
  if (others !== undefined) found = find(publicTopicSchemas(others)) ?? publicTopicSchema(others, Number(topic));
  if (found === undefined) {
    process.stderr.write(`hub-cand: --schema ${topic}: neither a PGN that is published nor a report\n`);
    return 1;
  }
  // `| head` closes the pipe before the end.
  process.stdout.on("error", () => {});
  process.stdout.write(`${JSON.stringify(found.schema, null, 2)}\n`);
  return 0;
}

function logFailure(error: unknown, log: Log): boolean {
  if (error instanceof RecordingError) log.error(error.message, { code: "RECORDING_UNREADABLE" });
  else if (error instanceof AddonError) log.error(error.message, { code: "START_FAILED" });
  else return logStartupError(error, log);
  return true;
}

const command = hubCandCommand(process.argv.slice(2));
endWith(
  command.kind === "schema"
    ? printSchema(command.topic, stderrLog("error"))
    : runProgram("hub-cand", command, run, logFailure),
);
