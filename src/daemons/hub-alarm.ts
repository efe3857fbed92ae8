#!/usr/bin/env -S node --optimize-for-size --max-semi-space-size=2 --v8-pool-size=1
/**
 * hub-alarm: runs the boat's own command while an alarm has no answer.
 *
 * Flags of the first line: as in hub-link.ts.
 *
 * Exit codes: 0 help, version, clean stop; 1 a bad option or value (of a service 64), a file that cannot be read. It continues without a
 * broker, without hub-cand, and after a command that fails.
 */
// Imported first, because it installs the signal handlers.
import "./program/stop.ts";
import { RepeatedCommand } from "../adapters/node/repeated-command.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { CommandOutlet } from "../services/link/command-outlet.ts";
import { Link } from "../services/link/link.ts";
import { type HubAlarmSettings, hubAlarmCommand } from "./hub-alarm-options.ts";
import { openSubscriber } from "./program/broker-subscriber.ts";
import { endWith, type Run, runProgram } from "./program/program.ts";
import { announceReady, whileTimersRun } from "./program/service-manager.ts";
import { stop } from "./program/stop.ts";

async function run(settings: HubAlarmSettings, { log, limitedLog, opened }: Run): Promise<void> {
  const { command, prefix, warnings } = settings;
  const runner = new RepeatedCommand({ command, environment: process.env, clock: systemClock, log: limitedLog });
  const outlet = opened.add(new CommandOutlet(runner, systemClock, { warnings }));
  const link = new Link({ prefix, outlets: [outlet], clock: systemClock, log: limitedLog });
  opened.add(await openSubscriber("hub-alarm", settings, link, log));
  opened.add(await announceReady(whileTimersRun, log));
  await stop.asked;
}

endWith(runProgram("hub-alarm", hubAlarmCommand(process.argv.slice(2)), run));
