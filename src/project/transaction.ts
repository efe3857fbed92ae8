/**
 * Transactions: an array of steps, each what a request to one endpoint would have been, run in order on one draft. A draft
 * that one step has refused is dropped whole; the caller writes only what came through.
 */
import type { Draft } from "./document.ts";
import { isObject, type Json, own } from "./json.ts";
import { checkBody, type Operation } from "./operation.ts";
import { Refusal } from "./refusal.ts";
import type { Router } from "./router.ts";
import { splitPath } from "./segments.ts";

/** What became of one step; `number` is its place in the array, from 1. */
export interface StepResult {
  readonly number: number;
  readonly url: string;
  readonly method: string;
  readonly code: number;
  /** Why it was refused. */
  readonly error?: string;
}

export interface TransactionResult {
  /** The steps that ran. Those that were skipped leave gaps, those after a refused one are missing. */
  readonly steps: readonly StepResult[];
  readonly refused?: StepResult;
  /** Whether a step was run that may have changed the draft. */
  readonly writes: boolean;
}

/** Runs the steps against the operations that `find` knows, up to the first that is refused. */
export async function runTransaction(
  find: Router<Operation>,
  draft: Draft,
  sent: readonly Json[],
): Promise<TransactionResult> {
  const steps: StepResult[] = [];
  let writes = false;
  for (const [place, step] of sent.entries()) {
    const url = isObject(step) ? own(step, "url") : undefined;
    const method = isObject(step) ? own(step, "method") : undefined;
    if (typeof url !== "string" || typeof method !== "string") continue;
    const name = method.toUpperCase();
    const result = { number: place + 1, url, method: name, ...(await runStep(find, draft, url, name, step as object)) };
    steps.push(result);
    if (result.error !== undefined) return { steps, refused: result, writes };
    writes ||= name !== "GET";
  }
  return { steps, writes };
}

async function runStep(
  find: Router<Operation>,
  draft: Draft,
  url: string,
  method: string,
  step: { readonly data?: Json },
): Promise<Pick<StepResult, "code" | "error">> {
  try {
    const match = find(method, splitPath(pathOf(url)));
    if (match === undefined) throw new Refusal(404, "no such route");
    const { endpoint } = match;
    // The step works on the transaction's own project, whatever its path says.
    const params = match.params(["id"]);
    const body = checkBody(endpoint.body, Object.hasOwn(step, "data") ? step.data : undefined);
    await endpoint.run(draft, params, body);
    return { code: endpoint.success };
  } catch (error) {
    if (error instanceof Refusal) return { code: error.status, error: error.message };
    throw error;
  }
}

/** A step may carry the path as the reverse proxy knows it. */
const pathOf = (url: string): string => url.replace(/^\/api\/config(?=\/)/, "").replace(/\?.*$/s, "");
