#!/usr/bin/env node
/**
 * hub-config-backup: keeps the latest 30 versions of the deployed configuration. Arguments other than its options are
 * ignored.
 *
 * Exit codes: 0 help, version, copied, nothing to do, nothing deployed; 1 a failure, with one line on stderr.
 */
import { setTimeout as wait } from "node:timers/promises";
import { keepBackups } from "../adapters/node/files/deploy-backup.ts";
import { hubConfigBackupCommand } from "./hub-config-backup-options.ts";
import { version } from "./program/version.ts";

const source = "/etc/hub/deploy.json";
const folder = "/etc/hub/backup";
const beside = "/etc/hub/deployments";

async function main(): Promise<void> {
  const command = hubConfigBackupCommand(process.argv.slice(2));
  if (command.kind === "help") {
    process.stdout.write(command.text);
    return;
  }
  if (command.kind === "version") {
    process.stdout.write(`hub-config-backup ${version}\n`);
    return;
  }
  await keepBackups({ source, folder, beside }, { wall: Date.now, wait }, (copy) => {
    process.stdout.write(`Backup created: ${copy}\n`);
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`hub-config-backup: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
