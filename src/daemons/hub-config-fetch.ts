#!/usr/bin/env node
/**
 * hub-config-fetch: deploys the releases that the fleet has signed for this boat. A timer runs it; it is off by
 * default.
 *
 * Exit codes: 0 help, version, deployed, unchanged; 1 a bad option or value, a file that cannot be read, a release that
 * is refused; 75 (EX_TEMPFAIL) the server or hub-configd is away, or the state cannot be written.
 */
// Imported first, because it installs the signal handlers.
import "./program/stop.ts";
import { FetchFailure } from "../adapters/node/http/fetch-failure.ts";
import { ProjectClient } from "../adapters/node/http/project-client.ts";
import { readPublicKeys } from "../adapters/node/http/signed-release.ts";
import { readTlsFiles } from "../adapters/node/tls-files.ts";
import type { Log } from "../core/ports/log.ts";
import type { FetchReport } from "../core/report/config-fetch.ts";
import { fetchConfiguration } from "./fetch-run.ts";
import { FetchRecord } from "./fetch-state.ts";
import { type HubConfigFetchSettings, hubConfigFetchCommand } from "./hub-config-fetch-options.ts";
import { StartupError, started } from "./program/errors.ts";
import { endWith, type Run, runProgram } from "./program/program.ts";
import { stop } from "./program/stop.ts";

/** Exit code for a temporary failure, from sysexits.h. */
const EX_TEMPFAIL = 75;
/** hub-configd takes seconds for the largest projects. */
const API_TIMEOUT_MS = 60_000;

type Result = Pick<FetchReport, "result" | "reason">;

async function fetchOnce(settings: HubConfigFetchSettings, record: FetchRecord, log: Log): Promise<Result> {
  const { url, channel, publicKey, tls, timeoutMs, api } = settings;
  // First, because the report of a failure replaces that of the channel that the boat has left.
  const state = await record.current();
  const keys = await started(readPublicKeys(publicKey));
  const secureContext = await started(readTlsFiles(tls));
  const client = new ProjectClient({ api, timeoutMs: API_TIMEOUT_MS });
  return {
    result: await fetchConfiguration({ url, channel, keys, secureContext, timeoutMs, client, record, state, log }),
  };
}

/** Logs a failure and sets the exit code. */
function failed({ kind, message: reason }: FetchFailure, url: URL, log: Log): Result {
  const fields = { url: url.origin + url.pathname, reason };
  if (kind === "refused") log.warn("a release is refused", { code: "FETCH_REFUSED", ...fields });
  else log.warn("the release cannot be fetched and deployed now", { code: "FETCH_FAILED", ...fields });
  stop.ask(kind === "refused" ? 1 : EX_TEMPFAIL);
  return { result: kind, reason };
}

async function run(settings: HubConfigFetchSettings, { log }: Run): Promise<void> {
  const { channel, state: folder, url } = settings;
  const record = new FetchRecord(folder, channel);
  const report = async (result: Result): Promise<void> => {
    // A run that fails deploys nothing: what is deployed may be of the channel that the boat has left.
    const isDone = result.reason === undefined;
    const version = isDone ? (await record.read())?.deployed[0]?.version : await record.reportedVersion();
    const checkedAt = new Date().toISOString();
    await record.report({ channel, ...result, ...(version !== undefined && { version }), checkedAt });
  };
  try {
    await report(await fetchOnce(settings, record, log));
  } catch (error) {
    if (error instanceof StartupError) await report({ result: "failed", reason: error.message }).catch(() => {});
    if (!(error instanceof FetchFailure)) throw error;
    await report(failed(error, url, log)).catch((unwritten: FetchFailure) => failed(unwritten, url, log));
  }
}

endWith(runProgram("hub-config-fetch", hubConfigFetchCommand(process.argv.slice(2)), run));
