/** The endpoints inside a project, and transactions of them: read, run on a draft, written if something changed. */
import * as z from "zod";
import type { Answer } from "../ports/exchange.ts";
import { type Draft, newDraft, type Project } from "../project/document.ts";
import type { Json } from "../project/json.ts";
import { checkBody, type Operation, type Outcome } from "../project/operation.ts";
import { Refusal } from "../project/refusal.ts";
import type { Router } from "../project/router.ts";
import { runTransaction, type StepResult } from "../project/transaction.ts";
import { bytesAnswer, inBytes, jsonAnswer } from "./answers.ts";
import { quoted, unlessKnown } from "./caching.ts";
import { type Context, type Endpoint, endpoint } from "./endpoint.ts";
import { refusalAnswer } from "./errors.ts";
import { openProject, openToChange, saveProject } from "./open-project.ts";
import { remembering } from "./remembering.ts";

/** An operation as an endpoint of its own. */
export const sectionEndpoint = (context: Context, operation: Operation): Endpoint => ({
  ...operation,
  handle: operation.method === "GET" ? reading(context, operation) : changing(context, operation),
});

function reading(context: Context, operation: Operation): Endpoint["handle"] {
  const answer = async (
    project: Project,
    params: Readonly<Record<string, unknown>>,
    ifNoneMatch: string | undefined,
  ): Promise<Answer> =>
    answerOf(await operation.run(newDraft(project), params, undefined), operation.success, ifNoneMatch);
  // What names nothing inside the project has one answer, as long as the project is the same.
  const isOfWhole = !operation.path.replace("{id}", "").includes("{");
  const ofWhole = remembering(async (project: Project) => inBytes(await answer(project, {}, undefined)));
  return async (params, _body, header) => {
    const { project } = await openProject(context, params.id as string, header("authorization"));
    return isOfWhole ? ofWhole(project) : answer(project, params, header("if-none-match"));
  };
}

const changing =
  (context: Context, operation: Operation): Endpoint["handle"] =>
  (params, sent, header) =>
    context.turns(async () => {
      const id = params.id as string;
      const { project, bytes } = await openToChange(context, id, header("authorization"));
      const body = checkBody(operation.body, sent);
      const draft = newDraft(project);
      const outcome = await operation.run(draft, params, body);
      await save(context, id, draft, bytes);
      return answerOf(outcome, operation.success, undefined);
    });

async function save(context: Context, id: string, draft: Draft, before: Uint8Array): Promise<void> {
  await saveProject(context, id, draft.project, before);
  for (const note of draft.notes) context.log.debug(note);
}

function answerOf(outcome: Outcome, status: number, ifNoneMatch: string | undefined): Answer {
  if ("json" in outcome) return jsonAnswer(status, outcome.json);
  const etag = quoted(outcome.etag);
  const answer = bytesAnswer(outcome.bytes, {
    ...(etag !== undefined && { ETag: etag }),
    "Content-Type": outcome.contentType,
    "Cache-Control": "max-age=60, no-cache",
    // An uploaded picture or page must not act in the name of the boat's own pages.
    "Content-Security-Policy": "sandbox",
  });
  return unlessKnown(answer, ifNoneMatch);
}

const step = z.looseObject({
  url: z.string().optional(),
  method: z.string().optional(),
  data: z.unknown().optional(),
});

/** The schema is for readers: a step that is anything else is skipped. */
const steps = z.array(z.union([step, z.unknown()])) as unknown as z.ZodType<readonly Json[]>;

export const transaction = (context: Context, find: () => Router<Operation>): Endpoint =>
  endpoint({
    feature: "transaction",
    method: "POST",
    path: "/project/{id}/transaction",
    summary: "Run steps on the project and save once, or not at all",
    success: 200,
    body: { schema: steps },
    answer: z.array(z.object({ url: z.string(), method: z.string(), code: z.int() })),
    handle: ({ params: { id }, body, header }) =>
      context.turns(async () => {
        const { project, bytes } = await openToChange(context, id, header("authorization"));
        const sent = body();
        const draft = newDraft(project);
        const { steps, refused, writes } = await runTransaction(find(), draft, sent);
        const answer = await (async () => {
          if (refused) {
            const { number, code, error } = refused;
            return jsonAnswer(500, { error: `step ${number} failed: ${code} ${error}` });
          }
          try {
            if (writes) await save(context, id, draft, bytes);
          } catch (error) {
            if (error instanceof Refusal) return refusalAnswer(error, context.log);
            throw error;
          }
          return jsonAnswer(
            200,
            steps.map(({ url, method, code }) => ({ url, method, code })),
          );
        })();
        return { ...answer, headers: { ...answer.headers, ...stepHeaders(steps) } };
      }),
  });

function stepHeaders(results: readonly StepResult[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { number, url, method, code } of results) {
    headers[`X-Step-URL-${number}`] = headerText(url);
    headers[`X-Step-Method-${number}`] = headerText(method);
    headers[`X-Step-Code-${number}`] = String(code);
  }
  return headers;
}

const encoder = new TextEncoder();

const percentEncoded = (text: string): string =>
  [...encoder.encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

/** A text as it can stand in a header; the body has it whole. */
const headerText = (text: string): string =>
  text
    .slice(0, 256)
    .replace(/[^\x20-\x7e]+/g, percentEncoded)
    .slice(0, 256);
