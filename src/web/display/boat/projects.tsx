/** Projects: make, copy, rename, delete, protect, download, upload; and the copies of deployed configurations. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { attempt } from "./actions.ts";
import * as api from "./api.ts";
import {
  backupDifferences,
  backupMoment,
  backups,
  change,
  choose,
  chosen,
  isDeployed,
  makeProject,
  projects,
  restoreBackup,
  setChosen,
} from "./state.ts";
import { UploadButton } from "./upload-button.tsx";

/** Saves text as a download of the browser. */
function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const MAX_ID = 63;

/** The reason why a text cannot be the id of a new project; undefined: it can. */
function complaintAboutId(text: string): string | undefined {
  if (text === "") return "Type an id.";
  if (/\s/.test(text)) return "An id has no spaces; use a hyphen.";
  if (!/^[a-zA-Z0-9-]+$/.test(text)) return "An id has letters a to z, digits and hyphens only.";
  if (text.length > MAX_ID) return `An id has ${MAX_ID} characters at most.`;
  return projects.value?.some(({ id }) => id === text) ? `${text} is there already.` : undefined;
}

/** A field and a button, for actions that need a name or a password. */
function Ask(props: {
  readonly label: string;
  readonly action: string;
  /** The reason why the text cannot be used; undefined: it can. */
  readonly complaint: (text: string) => string | undefined;
  readonly secret?: boolean;
  readonly children?: ComponentChildren;
  readonly onDone: (text: string) => void;
  readonly onCancel: () => void;
}) {
  const [text, setText] = useState("");
  const [isShown, setShown] = useState(!props.secret);
  const why = props.complaint(text);
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === undefined) props.onDone(text);
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
      {props.children}
      {why !== undefined && <p class="hint">{why}</p>}
      <button type="submit" class="main-action" disabled={why !== undefined}>
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
          complaint={complaintAboutId}
          onDone={(newId) => act(() => api.copyProject(id, newId), `Copied to ${newId}.`)}
          onCancel={ask("copy")}
        />
      )}
      {question === "rename" && (
        <Ask
          label="New id: letters, digits, hyphens"
          action="Rename"
          complaint={complaintAboutId}
          onDone={(newId) =>
            act(async () => {
              await api.renameProject(id, newId);
              if (chosen.peek() === id) setChosen(newId);
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
          complaint={() => undefined}
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

/** A copy of a deployed configuration, with the changes that it would make before the button that restores it. */
function BackupRow({ backup }: { readonly backup: api.Backup }) {
  const [sentences, setSentences] = useState<readonly string[]>();
  const look = (): Promise<boolean> => attempt(async () => setSentences(await backupDifferences(backup.name)));
  const [day, time] = backupMoment(backup);
  return (
    <li data-id={`backup-${backup.name}`}>
      <p>
        <b>{day}</b> {time}
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

/** Asks for a new project: an empty one, or a copy of a template. */
function NewProject({ onDone }: { readonly onDone: () => void }) {
  const [from, setFrom] = useState("");
  const templates = (projects.value ?? []).filter(({ template }) => template);
  const make = async (id: string): Promise<void> => {
    await (from === "" ? makeProject(id, id) : api.copyProject(from, id));
    setChosen(id);
  };
  return (
    <Ask
      label="Id: letters, digits, hyphens"
      action="Make"
      complaint={complaintAboutId}
      onDone={(id) => {
        onDone();
        void change(() => make(id), `Made ${id}.`);
      }}
      onCancel={onDone}
    >
      {templates.length > 0 && (
        <label class="form-field">
          <span>Begin with</span>
          <select value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
            <option value="">nothing</option>
            {templates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </Ask>
  );
}

/** Writes a file as a project with its name. */
async function upload(file: File): Promise<void> {
  const id =
    file.name
      .replace(/\.json$/, "")
      .replace(/[^a-zA-Z0-9-]/g, "-")
      .slice(0, MAX_ID) || "upload";
  // Another screen may have made one with this id.
  const list = await api.listProjects().catch(() => projects.peek() ?? []);
  const isThere = list.some((each) => each.id === id && !each.template);
  if (isThere && !confirm(`Replace the project ${id}?`)) return;
  const refused = (why: string): Error =>
    new Error(`${file.name} is not uploaded: ${why}. Choose a project that was saved with Download.`);
  await change(async () => {
    const text = await file.text();
    try {
      JSON.parse(text);
    } catch {
      throw refused("it is no JSON");
    }
    await api.restoreProject(id, text).catch((error: unknown) => {
      if (error instanceof api.ApiError && error.status === 400) throw refused(error.message);
      throw error;
    });
  }, `Uploaded as ${id}.`);
}

export function BoatProjects() {
  const [isMaking, setMaking] = useState(false);
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
          <NewProject onDone={() => setMaking(false)} />
        ) : (
          <div class="choices">
            <button type="button" onClick={() => setMaking(true)}>
              New project
            </button>
            <UploadButton accept=".json,application/json" onFile={upload}>
              Upload
            </UploadButton>
          </div>
        )}
      </section>
      <section>
        <h2>What was deployed</h2>
        {backups.value.length === 0 ? (
          <p class="hint">Each deployment is kept, the latest thirty, and a copy a day; there is none yet.</p>
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
