#!/usr/bin/env node
/**
 * hub-config-backup: keeps the latest 30 versions of the deployed configuration. Its only option is `--help`; other arguments are
 * ignored.
 *
 * Exit codes: 0 help, copied, nothing to do, nothing deployed; 1 a failure, with one line on stderr.
 */
import { setTimeout as wait } from "node:timers/promises";
import { keepBackups } from "../adapters/node/deploy-backup.ts";

const source = "/etc/hub/deploy.json";
const folder = "/etc/hub/backup";

const help = `Usage: hub-config-backup
Copies ${source} to ${folder} if it differs from the newest copy, and keeps the newest 30.
  -h, --help  print this help and exit
`;

async function main(): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === "-h" || argument === "--help")) {
    process.stdout.write(help);
    return;
  }
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
