/** Actions of the page Boat: one after the other, what became of them, and the passwords that they lack. */
import { signal } from "@preact/signals";
import { type ApiError, lock, unlock } from "./api.ts";

const UNAUTHORIZED = 401;

/** The failure of the last actions, and the last success. */
export const failure = signal<string>();
export const done = signal<string>();
/** The copy of the configuration that was in force before the last deployment from here. */
export const undoable = signal<string>();
/** Number of actions that have not ended yet. */
export const waiting = signal(0);

interface Question {
  readonly project: string;
  /** What was refused without the password, and is done again with it. */
  readonly again: () => Promise<unknown>;
}

/** The passwords that are asked for, the first one now. */
export const questions = signal<readonly Question[]>([]);

/** Whether an error is the lack of a password, which then is asked for. */
export function asks(error: unknown, again: Question["again"]): boolean {
  const { status, project } = error as ApiError;
  if (status !== UNAUTHORIZED || project === undefined) return false;
  if (lock(project)) fail("The password is wrong.");
  const isAsked = questions.peek().some((each) => each.project === project && each.again === again);
  if (!isAsked) questions.value = [...questions.peek(), { project, again }];
  return true;
}

/** Drops the first question and the others for its project, and returns what they wait for. */
function takeQuestion(): readonly Question[] {
  const all = questions.peek();
  const isTaken = ({ project }: Question): boolean => project === all[0]?.project;
  questions.value = all.filter((each) => !isTaken(each));
  return all.filter(isTaken);
}

/** Does what was refused without the password. */
export async function answer(password: string): Promise<void> {
  for (const { project, again } of takeQuestion()) {
    unlock(project, password);
    await again();
  }
}

/** Does without what was refused. */
export const decline = (): void => void takeQuestion();

function fail(message: string): void {
  const before = failure.peek();
  failure.value = before === undefined || before === message ? message : `${before} ${message}`;
}

/** Forgets what became of the actions before. */
export const forget = (): void => {
  done.value = failure.value = undoable.value = undefined;
};

/** The action before the next one. */
let acting: Promise<unknown> = Promise.resolve();

/**
 * Runs an action when those before it have ended: of two at once, the second would save what it had read before the
 * first. A failure is shown, and a missing password is asked for. False for both.
 */
export function attempt(action: () => Promise<void>, sentence?: string): Promise<boolean> {
  // What became of an action that has not ended is not known yet.
  if (waiting.peek() === 0) forget();
  waiting.value++;
  const next = acting.then(() => act(action, sentence));
  acting = next;
  return next;
}

async function act(action: () => Promise<void>, sentence: string | undefined): Promise<boolean> {
  try {
    await action();
    if (sentence !== undefined) done.value = sentence;
    return true;
  } catch (error) {
    if (!asks(error, () => attempt(action, sentence))) fail((error as Error).message);
    return false;
  } finally {
    waiting.value--;
  }
}
