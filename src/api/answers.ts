/** Answers as the service gives them: JSON, bytes, or nothing, with the headers they all have. */
import type { Answer } from "../ports/exchange.ts";
import { type Json, print } from "../project/json.ts";

/** Passwords and drafts have no place in caches. */
const uncached = { "Cache-Control": "no-store" };

/** An uploaded page must not be taken for something else than its type says. */
const always = { "X-Content-Type-Options": "nosniff" };

export const jsonAnswer = (
  status: number,
  value: Json,
  headers: Readonly<Record<string, string>> = uncached,
): Answer => ({
  status,
  headers: { "Content-Type": "application/json", ...always, ...headers },
  body: print(value),
});

export const bytesAnswer = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): Answer => ({
  status: 200,
  headers: { ...always, ...headers },
  body: bytes,
});

const utf8 = new TextEncoder();

/** For an answer that is given again and again: a text would be encoded each time. */
export const inBytes = (answer: Answer): Answer =>
  typeof answer.body === "string" ? { ...answer, body: utf8.encode(answer.body) } : answer;

export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = uncached): Answer => ({
  status,
  headers: { ...always, ...headers },
});
