#!/usr/bin/env node
/**
 * hub-config-backup: keeps the latest 30 versions of the deployed configuration. Takes no options.
 *
 * Exit codes: 0 copied, nothing to do, nothing deployed; 1 a failure, with one line on stderr.
 */
import { setTimeout as wait } from "node:timers/promises";
import { keepBackups } from "../adapters/node/deploy-backup.ts";

const source = "/etc/hub/deploy.json";
const folder = "/etc/hub/backup";

async function main(): Promise<void> {
  await keepBackups({ source, folder }, { wall: Date.now, wait }, (copy) => {
    process.stdout.write(`Backup created: ${copy}\n`);
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`hub-config-backup: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
