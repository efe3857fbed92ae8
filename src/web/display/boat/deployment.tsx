/**
 * The bar below every page: the form that names a thing, the last action or failure, the question for a password, and
 * the changes that are not in force yet.
 */
import { useEffect, useState } from "preact/hooks";
import { secondTick } from "../data/frame-tick.ts";
import { isOutdated } from "../data/version.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { answer, decline, done, failure, forget, questions, undoable, waiting } from "./actions.ts";
import { barOf, changesText, isBarShown, isEditing } from "./deployment-bar.ts";
import { NamingForm } from "./naming.tsx";
import {
  deploy,
  discard,
  isDiscardable,
  isServed,
  notUnderstood,
  pending,
  pendingConnections,
  pendingOfBoat,
  restoreBackup,
  watch,
} from "./state.ts";

/** Interval of the checks for changes by others. */
const WATCH_MS = 10_000;

function Password() {
  const [text, setText] = useState("");
  const [question] = questions.value;
  if (question === undefined) return null;
  return (
    <Form
      class="ask"
      onSubmit={() => {
        setText("");
        void answer(text);
      }}
    >
      <label class="form-field">
        <span>{say("Password of {project}", { project: question.project })}</span>
        <input type="password" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <Button says="Unlock" type="submit" class="main-action" />
      <Button says="Cancel" onClick={decline} />
    </Form>
  );
}

const MOST_SENTENCES = 8;

/** The button that discards the changes, after a question. */
function Discarding() {
  const [isAsked, ask] = useState(false);
  return (
    <p data-id="discard">
      {isAsked && say("Discard these changes for good?")}
      <Button
        says="Discard changes"
        disabled={waiting.value > 0}
        onClick={() => (isAsked ? void discard() : ask(true))}
      />
      {isAsked && <Button says="Cancel" onClick={() => ask(false)} />}
    </p>
  );
}

function Pending({ sentences, isOpen }: { readonly sentences: readonly string[]; readonly isOpen: boolean }) {
  const [isShown, show] = useState(isOpen);
  if (sentences.length === 0) return null;
  return (
    <section class="pending" data-id="pending" aria-label={say("Changes")}>
      <p>
        <b>{changesText(sentences.length)}</b>
        <Button says={isShown ? "Hide" : "Show"} aria-expanded={isShown} onClick={() => show(!isShown)} />
        <Button says="Deploy" class="main-action" disabled={waiting.value > 0} onClick={() => void deploy()} />
      </p>
      {pendingConnections.value.length > 0 && (
        <p data-id="connections">
          {say("Deploy lets hub connect to {hosts}.", { hosts: pendingConnections.value.join(", ") })}
        </p>
      )}
      {notUnderstood.value.length > 0 && (
        <div class="complaints" role="alert" data-id="not-understood">
          <p>{say("Not understood by hub, and without effect:")}</p>
          <ul>
            {notUnderstood.value.slice(0, MOST_SENTENCES).map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
      {isShown && (
        <ul class="difference">
          {sentences.slice(0, MOST_SENTENCES).map((one) => (
            <li key={one}>{one}</li>
          ))}
          {sentences.length > MOST_SENTENCES && (
            <li>{say("and {others} more", { others: sentences.length - MOST_SENTENCES })}</li>
          )}
        </ul>
      )}
      {isShown && isDiscardable.value && <Discarding key={sentences.join("\n")} />}
    </section>
  );
}

/** Milliseconds for which a sentence stays; what it offers to undo is found among the copies of the projects. */
const TOLD_MS = 10_000;

/** Undoes the last deployment from here; where that would lose what others have done, the copies are shown. */
async function undo({ copy, etag }: NonNullable<typeof undoable.value>): Promise<void> {
  if (!(await restoreBackup(copy, { etag }))) location.hash = "#/boat/projects";
}

function Done({ page }: { readonly page: string }) {
  const last = undoable.value;
  const sentence = done.value;
  useEffect(() => {
    if (sentence === undefined) return undefined;
    const timer = setTimeout(() => {
      done.value = undefined;
    }, TOLD_MS);
    return () => clearTimeout(timer);
  }, [sentence, last]);
  // A message about the page before would cover the next one.
  useEffect(
    () => () => {
      done.value = undefined;
    },
    [page],
  );
  if (sentence === undefined) return null;
  return (
    <p class="done" role="status">
      {sentence}
      {last !== undefined && <Button says="Undo" onClick={() => void undo(last)} />}
    </p>
  );
}

export function Deployment({ page }: { readonly page: string }) {
  void secondTick.value;
  const served = isServed() || isEditing(page);
  // A change that is made here shows the bar here, for its Deploy; another page has the mark in the head.
  const isAction = waiting.value > 0 || done.value !== undefined;
  useEffect(() => {
    if (isAction) barOf.value = page;
  }, [isAction]);
  useEffect(() => {
    if (barOf.peek() !== page) barOf.value = undefined;
    // A failure would cover what the crew needs, such as the buttons of a person overboard.
    if (!isEditing(page)) failure.value = undefined;
  }, [page]);
  useEffect(() => {
    if (!served) return undefined;
    void watch();
    const timer = setInterval(() => void watch(), WATCH_MS);
    return () => clearInterval(timer);
  }, [served]);
  const isTold = done.value !== undefined || failure.value !== undefined;
  return (
    <div class="changes">
      {failure.value !== undefined && (
        <p class="failed" role="alert">
          {failure.value}
        </p>
      )}
      <Done page={page} />
      {waiting.value > 0 && (
        <p class="waiting" role="status">
          {say("Waiting for the configuration service")}
        </p>
      )}
      {isOutdated.value && (
        <p class="done" role="status">
          {say("A new version of the display is installed.")}
          <Button says="Reload" onClick={() => location.reload()} />
        </p>
      )}
      <Password />
      <NamingForm />
      {isBarShown(page) && (
        <Pending
          key={page}
          sentences={page === "boat" ? pending.value : pendingOfBoat.value}
          isOpen={isEditing(page)}
        />
      )}
      {isTold && (
        <button type="button" class="forget" aria-label={say("Close the message")} onClick={forget}>
          ×
        </button>
      )}
    </div>
  );
}
