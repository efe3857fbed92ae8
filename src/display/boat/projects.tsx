/** Projects: make, copy, rename, delete, protect, download, upload; and the history of what was deployed. */
import { useState } from "preact/hooks";
import * as api from "./api.ts";
import {
  attempt,
  backupDifferences,
  backups,
  change,
  choose,
  chosen,
  isDeployed,
  projects,
  restoreBackup,
} from "./state.ts";

/** Saves text as a file of the browser's. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const isId = (text: string): boolean => /^[a-zA-Z0-9-]{1,63}$/.test(text);

/** A field and a button, for actions that need a name or a password. */
function Ask(props: {
  readonly label: string;
  readonly action: string;
  readonly isValid: (text: string) => boolean;
  readonly secret?: boolean;
  readonly onDone: (text: string) => void;
  readonly onCancel: () => void;
}) {
  const [text, setText] = useState("");
  const [isShown, setShown] = useState(!props.secret);
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (props.isValid(text)) props.onDone(text);
      }}
    >
      <label class="form-field">
        <span>{props.label}</span>
        <input
          type={(isShown ? "text" : "password") as "text"}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {props.secret && (
        <label class="form-field check">
          <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.currentTarget.checked)} />
          <span>Show it</span>
        </label>
      )}
      <button type="submit" class="main-action" disabled={!props.isValid(text)}>
        {props.action}
      </button>
      <button type="button" onClick={props.onCancel}>
        Cancel
      </button>
    </form>
  );
}

type Question = "copy" | "rename" | "delete" | "password";

function Project({ summary }: { readonly summary: api.ProjectSummary }) {
  const { id, name, template, invalid } = summary;
  const [question, setQuestion] = useState<Question>();
  const ask = (one: Question) => () => setQuestion(question === one ? undefined : one);
  const act = (action: () => Promise<unknown>, sentence: string): void => {
    setQuestion(undefined);
    void change(action, sentence);
  };
  const isChosen = id === chosen.value;
  return (
    <li class={isChosen ? "chosen" : ""} data-id={`project-${id}`}>
      <p>
        <b>{name}</b> <small>{id}</small>
        {isDeployed(summary) && <small class="tag">deployed</small>}
        {isChosen && <small class="tag">edited here</small>}
        {template && <small class="tag">template</small>}
        {summary.protected && <small class="tag">password</small>}
        {invalid && <small class="tag bad">cannot be read</small>}
      </p>
      <div class="choices">
        {!isChosen && !template && !invalid && (
          <button type="button" onClick={() => void choose(id)}>
            Edit this one
          </button>
        )}
        <button type="button" onClick={ask("copy")}>
          Copy
        </button>
        <button
          type="button"
          onClick={() => void attempt(async () => download(`${id}.json`, await api.projectText(id)))}
        >
          Download
        </button>
        {!template && (
          <>
            <button type="button" onClick={ask("rename")}>
              Rename
            </button>
            <button type="button" onClick={ask("password")}>
              Password
            </button>
            <button type="button" onClick={ask("delete")}>
              Delete
            </button>
          </>
        )}
      </div>
      {question === "copy" && (
        <Ask
          label="Id of the copy: letters, digits, hyphens"
          action="Copy"
          isValid={isId}
          onDone={(newId) => act(() => api.copyProject(id, newId), `Copied to ${newId}.`)}
          onCancel={ask("copy")}
        />
      )}
      {question === "rename" && (
        <Ask
          label="New id: letters, digits, hyphens"
          action="Rename"
          isValid={isId}
          onDone={(newId) =>
            act(async () => {
              await api.renameProject(id, newId);
              if (chosen.peek() === id) chosen.value = newId;
            }, `Renamed to ${newId}.`)
          }
          onCancel={ask("rename")}
        />
      )}
      {question === "password" && (
        <Ask
          label="New password; empty: none"
          action="Set"
          secret
          isValid={() => true}
          onDone={(text) =>
            act(
              async () => {
                if (text === "") await api.deleteSetting(id, "password");
                else {
                  await api.putSetting(id, "password", { name: "password", hash: api.passwordHash(text) });
                  api.unlock(id, text);
                }
              },
              text === "" ? "Password removed." : "Password set.",
            )
          }
          onCancel={ask("password")}
        />
      )}
      {question === "delete" && (
        <div class="ask">
          <p>Delete {name} for good?</p>
          <button
            type="button"
            class="main-action"
            onClick={() => act(() => api.deleteProject(id), `Deleted ${name}.`)}
          >
            Delete
          </button>
          <button type="button" onClick={ask("delete")}>
            Keep it
          </button>
        </div>
      )}
    </li>
  );
}

/** A copy of what was deployed, with what it would change before the button that restores it. */
function BackupRow({ backup }: { readonly backup: api.Backup }) {
  const [sentences, setSentences] = useState<readonly string[]>();
  const look = (): Promise<boolean> => attempt(async () => setSentences(await backupDifferences(backup.name)));
  const [day, time] = backup.name.split("_");
  return (
    <li data-id={`backup-${backup.name}`}>
      <p>
        <b>{day}</b> {time!.replaceAll("-", ":")}
      </p>
      <div class="choices">
        <button type="button" aria-expanded={sentences !== undefined} onClick={() => void look()}>
          Compare
        </button>
        <button
          type="button"
          onClick={() =>
            void attempt(async () => download(`deploy-${backup.name}.json`, await api.backupText(backup.name)))
          }
        >
          Download
        </button>
      </div>
      {sentences !== undefined && (
        <div class="ask">
          {sentences.length === 0 ? (
            <p>The same as what is deployed.</p>
          ) : (
            <>
              <ul class="difference">
                {sentences.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
              <button type="button" class="main-action" onClick={() => void restoreBackup(backup.name)}>
                Restore this
              </button>
            </>
          )}
        </div>
      )}
    </li>
  );
}

export function BoatProjects() {
  const [isMaking, setMaking] = useState(false);
  const upload = async (file: File): Promise<void> => {
    const id =
      file.name
        .replace(/\.json$/, "")
        .replace(/[^a-zA-Z0-9-]/g, "-")
        .slice(0, 63) || "upload";
    const text = await file.text();
    const isThere = projects.peek()?.some((each) => each.id === id && !each.template);
    if (isThere && !confirm(`Replace the project ${id}?`)) return;
    await change(() => api.restoreProject(id, text), `Uploaded as ${id}.`);
  };
  return (
    <>
      <section>
        <h2>Projects</h2>
        <ul class="project-list">
          {projects.value?.map((summary) => (
            <Project key={summary.id} summary={summary} />
          ))}
        </ul>
        {isMaking ? (
          <Ask
            label="Id: letters, digits, hyphens"
            action="Make"
            isValid={isId}
            onDone={(id) => {
              setMaking(false);
              void change(async () => {
                if (projects.peek()?.some((each) => each.id === id)) throw new Error(`${id} is there already.`);
                await api.makeProject(id, id);
                chosen.value = id;
              }, `Made ${id}.`);
            }}
            onCancel={() => setMaking(false)}
          />
        ) : (
          <div class="choices">
            <button type="button" onClick={() => setMaking(true)}>
              New project
            </button>
            <label class="button">
              Upload
              <input
                type="file"
                accept=".json,application/json"
                class="spoken"
                onChange={(event) => {
                  const [file] = event.currentTarget.files ?? [];
                  event.currentTarget.value = "";
                  if (file !== undefined) void upload(file);
                }}
              />
            </label>
          </div>
        )}
      </section>
      <section>
        <h2>What was deployed</h2>
        {backups.value.length === 0 ? (
          <p class="hint">A copy is made each day on which something has changed; there is none yet.</p>
        ) : (
          <ul class="project-list">
            {backups.value.map((backup) => (
              <BackupRow key={backup.name} backup={backup} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
