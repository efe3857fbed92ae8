/**
 * State that hub-config-fetch keeps from run to run. A release is recorded before it is deployed, so that after a crash
 * at any step the next run continues with it, and never takes an older one.
 */
import { join } from "node:path";
import * as z from "zod";
import { nodeFiles, replaceFile, sweep } from "../adapters/node/files/durable-files.ts";
import { readRegularFile } from "../adapters/node/files/regular-file.ts";
import { FetchFailure } from "../adapters/node/http/fetch-failure.ts";
import { type FetchReport, parseFetchReport } from "../core/report/config-fetch.ts";
import { jsonIn } from "../core/util/json-in.ts";

const version = z.int().min(1);
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** A version that was deployed, with the SHA-256 of its project as hub-configd stored it. */
const deployedVersion = z.strictObject({ version, digest: sha256Hex, passwordHash: z.string().optional() });

/** The state of a channel, so that a boat that changes its channel and returns does not take an older version. */
const fetchState = z.strictObject({
  /** The newest accepted release, and the SHA-256 of its signed text. */
  version,
  digest: sha256Hex,
  /** Validator of the file that was deployed, at its address. */
  validator: z.strictObject({ url: z.string(), etag: z.string() }).optional(),
  /** Deployed versions whose projects are kept, the newest first. */
  deployed: z.array(deployedVersion),
});

export type DeployedVersion = z.infer<typeof deployedVersion>;
export type FetchState = z.infer<typeof fetchState>;

export const isDeployed = ({ version, deployed }: FetchState): boolean => deployed[0]?.version === version;

const MAX_STATE_BYTES = 64 << 10;

const textOf = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);

/** The files of the state's folder. Its methods throw FetchFailure. */
export class FetchRecord {
  readonly #folder: string;
  readonly #channel: string;
  readonly #state: string;
  readonly #report: string;

  constructor(folder: string, channel: string) {
    this.#folder = folder;
    this.#channel = channel;
    this.#report = join(folder, "report.json");
    this.#state = join(folder, `state-${channel}.json`);
  }

  /** Undefined before the first release of the channel. */
  async read(): Promise<FetchState | undefined> {
    const bytes = await withFailure("refused", readRegularFile(this.#state, { maxBytes: MAX_STATE_BYTES }));
    if (bytes === undefined) return undefined;
    const state = parsedState(new TextDecoder().decode(bytes));
    // Without the state an older release could not be distinguished from a newer one.
    if (state === undefined) throw new FetchFailure("refused", `${this.#state}: not the state of hub-config-fetch`);
    return state;
  }

  /**
   * The state with which a run begins: where a release of another channel was deployed since, as while a boat is tried
   * with another one, that of this channel counts as not deployed yet.
   */
  async current(): Promise<FetchState | undefined> {
    const state = await this.read();
    if (state === undefined || !(await this.#isLeft())) return state;
    const { version, digest, deployed } = state;
    const left = { version, digest, deployed: deployed.filter((each) => each.version !== version) };
    await this.write(left);
    return left;
  }

  /** Whether the last run was for another channel, of which a release is deployed. */
  async #isLeft(): Promise<boolean> {
    const report = await this.#lastReport();
    return report?.version !== undefined && report.channel !== this.#channel;
  }

  /** The version that the last run has reported; undefined if that was for another channel. */
  async reportedVersion(): Promise<number | undefined> {
    const report = await this.#lastReport();
    return report?.channel === this.#channel ? report.version : undefined;
  }

  async #lastReport(): Promise<FetchReport | undefined> {
    const bytes = await readRegularFile(this.#report, { maxBytes: MAX_STATE_BYTES }).catch(() => undefined);
    return bytes && parseFetchReport(new TextDecoder().decode(bytes));
  }

  async write(state: FetchState): Promise<void> {
    await withFailure("failed", replaceFile(nodeFiles, this.#state, textOf(state)));
  }

  /** Writes the report, which hub-configd serves, and removes files of interrupted runs. */
  report(report: FetchReport): Promise<void> {
    const writing = replaceFile(nodeFiles, this.#report, textOf(report));
    return withFailure(
      "failed",
      writing.then(() => sweep(nodeFiles, this.#folder)),
    );
  }
}

const withFailure = <Value>(kind: FetchFailure["kind"], work: Promise<Value>): Promise<Value> =>
  work.catch((cause: Error) => {
    throw new FetchFailure(kind, cause.message, { cause });
  });

const parsedState = (text: string): FetchState | undefined => fetchState.safeParse(jsonIn(text)).data;
