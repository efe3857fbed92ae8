/** Above the forms: what was done or has failed, the password that is asked for, and the changes that are not in force yet. */
import { useState } from "preact/hooks";
import { unlock } from "./api.ts";
import { chosen, deploy, done, failure, locked, pending, projects, waiting } from "./state.ts";

function Password() {
  const [text, setText] = useState("");
  const request = locked.value;
  if (request === undefined) return null;
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        unlock(request.project, text);
        locked.value = undefined;
        setText("");
        void request.again();
      }}
    >
      <label class="form-field">
        <span>Password of {request.project}</span>
        <input type="password" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main-action">
        Unlock
      </button>
    </form>
  );
}

const MOST_SENTENCES = 8;

function Pending() {
  const sentences = pending.value;
  if (sentences.length === 0) return <p class="in-force">{chosen.value && "Everything is deployed."}</p>;
  return (
    <section class="pending" data-id="pending">
      <h2>Not deployed yet</h2>
      <ul class="difference">
        {sentences.slice(0, MOST_SENTENCES).map((one) => (
          <li key={one}>{one}</li>
        ))}
        {sentences.length > MOST_SENTENCES && <li>and {sentences.length - MOST_SENTENCES} more</li>}
      </ul>
      <button type="button" class="main-action" onClick={() => void deploy()}>
        Deploy
      </button>
    </section>
  );
}

export function Deployment() {
  return (
    <>
      {failure.value !== undefined && (
        <p class="failed" role="alert">
          {failure.value}
        </p>
      )}
      {done.value !== undefined && (
        <p class="done" role="status">
          {done.value}
        </p>
      )}
      {waiting.value > 0 && (
        <p class="waiting" role="status">
          Waiting for the configuration service
        </p>
      )}
      <Password />
      {projects.value !== undefined && <Pending />}
    </>
  );
}
