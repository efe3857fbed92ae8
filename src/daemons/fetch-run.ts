/**
 * A run of hub-config-fetch: asks the server for the release of the boat's channel, verifies it, and deploys its
 * project through hub-configd. Every version is a project of its own, so that no project is overwritten, and the
 * deployed configuration changes only in the atomic step of hub-configd.
 */
import { createHash, type KeyObject } from "node:crypto";
import type { SecureContext } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { type Download, download } from "../adapters/node/http/download.ts";
import { FetchFailure } from "../adapters/node/http/fetch-failure.ts";
import type { ProjectClient, ProjectReference } from "../adapters/node/http/project-client.ts";
import { openRelease, type Release } from "../adapters/node/http/signed-release.ts";
import type { Log } from "../core/ports/log.ts";
import { examine } from "../services/api/stored-project.ts";
import { type DeployedVersion, type FetchRecord, type FetchState, isDeployed } from "./fetch-state.ts";

/** The largest body that nginx, as packaged, passes to hub-configd. */
const MAX_RELEASE_BYTES = 50 << 20;
/** Versions that are kept: the deployed one, and the one before it, to which the crew may go back. */
const KEPT_VERSIONS = 2;

export interface ConfigFetchOptions {
  readonly url: URL;
  readonly channel: string;
  readonly keys: readonly KeyObject[];
  readonly secureContext: SecureContext;
  readonly timeoutMs: number;
  readonly client: ProjectClient;
  readonly record: FetchRecord;
  /** With which the run begins, from `record`. */
  readonly state: FetchState | undefined;
  readonly log: Log;
}

/** Deploys the newest release unless it is deployed; throws FetchFailure. */
export async function fetchConfiguration(options: ConfigFetchOptions): Promise<"deployed" | "unchanged"> {
  const { url, channel, keys, record, state } = options;
  const file = await downloadChanged(options, state);
  if (file === undefined) return "unchanged";
  const release = openRelease(file.bytes, keys);
  checkVersion(release, channel, state);
  const { version, digest } = release;
  const isNew = state === undefined || version > state.version || !isDeployed(state);
  const deployed = isNew ? await deployRelease(options, release, state) : state.deployed;
  const validator = file.etag === undefined ? {} : { validator: { url: url.href, etag: file.etag } };
  await record.write({ version, digest, ...validator, deployed });
  return isNew ? "deployed" : "unchanged";
}

function downloadChanged(
  { url, timeoutMs, secureContext }: ConfigFetchOptions,
  state: FetchState | undefined,
): Promise<Download> {
  const etag = state?.validator?.url === url.href ? state.validator.etag : undefined;
  return download({ url, etag, timeoutMs, secureContext, maxBytes: MAX_RELEASE_BYTES });
}

function checkVersion({ channel, version, digest }: Release, own: string, state: FetchState | undefined): void {
  if (channel !== own) throw new FetchFailure("refused", `it is for the channel ${channel}, not for ${own}`);
  if (state === undefined || version > state.version) return;
  if (version < state.version)
    throw new FetchFailure("refused", `version ${version} is older than ${state.version}, which was here before`);
  if (digest !== state.digest) throw new FetchFailure("refused", `version ${version} had another content before`);
}

const referenceTo = (
  channel: string,
  { version, passwordHash }: Pick<DeployedVersion, "version" | "passwordHash">,
): ProjectReference => ({ id: `fetched-${channel}-${version}`, passwordHash });

/** Stores the project of a release and deploys it; returns the versions that are kept. */
async function deployRelease(
  options: ConfigFetchOptions,
  { version, digest, project }: Release,
  state: FetchState | undefined,
): Promise<DeployedVersion[]> {
  const { channel, client, record, log } = options;
  const { secret } = examine({ template: false, bytes: [project] });
  const entry = { version, ...(typeof secret === "object" && { passwordHash: secret.hash }) };
  const reference = referenceTo(channel, entry);
  const before = state?.deployed ?? [];
  const present = await client.read(reference);
  // Where the state was lost or a run was interrupted, the project of the release itself may be there.
  if (present !== undefined && !(present instanceof Uint8Array && isStoredAs(present, project)))
    throw new FetchFailure("refused", `there is a project ${reference.id} already, which was not fetched`);
  // The validator is left out, so that a release that is not deployed is downloaded again.
  if (state?.version !== version) await record.write({ version, digest, deployed: before });
  await client.restore(reference, project);
  const stored = await client.deploy(reference);
  log.info("configuration deployed", { project: reference.id });
  const deployed = [{ ...entry, digest: stored }, ...before];
  // Recorded first, so that no failure below deploys it again, over what the crew has deployed meanwhile.
  await record.write({ version, digest, deployed });
  return [...deployed.slice(0, KEPT_VERSIONS), ...(await removeOld(deployed.slice(KEPT_VERSIONS), options))];
}

/** Removes the projects of versions, except those that the crew has changed; returns those that cannot be removed. */
async function removeOld(
  versions: readonly DeployedVersion[],
  { channel, client, log }: ConfigFetchOptions,
): Promise<DeployedVersion[]> {
  const left: DeployedVersion[] = [];
  for (const version of versions) {
    const reference = referenceTo(channel, version);
    try {
      const stored = await client.read(reference);
      if (stored instanceof Uint8Array && sha256Hex(stored) === version.digest) await client.remove(reference);
      else if (stored !== undefined)
        log.info("a fetched project that was changed on board stays", { project: reference.id });
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      left.push(version);
      const fields = { project: reference.id, reason: error.message };
      log.warn("an old project cannot be removed", { code: "PROJECT_NOT_REMOVED", ...fields });
    }
  }
  return left;
}

/** Whether hub-configd stores a project as these bytes: it adds an uid and a name to one without. */
function isStoredAs(stored: Uint8Array, project: Uint8Array): boolean {
  try {
    const [there, given] = [stored, project].map((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
    return isDeepStrictEqual(there, { uid: there.uid, name: there.name, ...given });
  } catch {
    return false;
  }
}

const sha256Hex = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
