/** Runs the actions of the page Boat one after the other, shows their results, and asks for missing passwords. */
import { signal } from "@preact/signals";
import { createExclusive } from "../../../core/util/exclusive.ts";
import { say } from "../languages/say.ts";
import { type ApiError, lock, unlock } from "./api.ts";

const UNAUTHORIZED = 401;

/** The failure of the last actions, and the last success. */
export const failure = signal<string>();
export const done = signal<string>();
/** The copy of what was in force before the last deployment from here, and the digest of what that has deployed. */
export const undoable = signal<{ readonly copy: string; readonly etag: string }>();
/** Number of actions that have not ended yet. */
export const waiting = signal(0);

interface Question {
  readonly project: string;
  /** Repeats the action or the reading that the service refused without the password. */
  readonly again: () => Promise<unknown>;
}

/** The passwords that are asked for, the first one now. */
export const questions = signal<readonly Question[]>([]);

/** Whether an error is the lack of a password, which then is asked for. */
export function asks(error: unknown, again: Question["again"]): boolean {
  const { status, project } = error as ApiError;
  if (status !== UNAUTHORIZED || project === undefined) return false;
  if (lock(project)) fail(say("The password is wrong."));
  const isAsked = questions.peek().some((each) => each.project === project && each.again === again);
  if (!isAsked) questions.value = [...questions.peek(), { project, again }];
  return true;
}

/** Removes the first question and the others for its project, and returns them. */
function takeQuestion(): readonly Question[] {
  const all = questions.peek();
  const isTaken = ({ project }: Question): boolean => project === all[0]?.project;
  questions.value = all.filter((each) => !isTaken(each));
  return all.filter(isTaken);
}

/** Repeats, with a password for the first question's project, what was refused. */
export async function answer(password: string): Promise<void> {
  for (const { project, again } of takeQuestion()) {
    unlock(project, password);
    await again();
  }
}

/** Drops the first question's project with what was refused for it. */
export const decline = (): void => void takeQuestion();

/** Shows a failure beside those of the same press. */
export function fail(message: string): void {
  const before = failure.peek();
  failure.value = before === undefined || before === message ? message : `${before} ${message}`;
}

/** Removes the messages about earlier actions. */
export const forget = (): void => {
  done.value = failure.value = undoable.value = undefined;
};

const exclusive = createExclusive();

/**
 * Runs an action when those before it have ended: of two at once, the second would save what it had read before the
 * first. A failure is shown, and a missing password is asked for. False for both.
 */
export function attempt(action: () => Promise<void>, sentence?: string): Promise<boolean> {
  // The result of an action that still runs has to be shown too.
  if (waiting.peek() === 0) forget();
  waiting.value++;
  return exclusive(() => act(action, sentence));
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
