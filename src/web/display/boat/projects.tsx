/** Projects: make, copy, rename, delete, protect, download, upload; and the copies of deployed configurations. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { jsonIn } from "../../../core/util/json-in.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { UploadButton } from "../parts/upload-button.tsx";
import { attempt } from "./actions.ts";
import * as api from "./api.ts";
import {
  backupDocument,
  backupMoment,
  backups,
  change,
  changesBetween,
  changesTo,
  choose,
  chosen,
  comparedBackup,
  type Document,
  isDeployed,
  makeProject,
  projects,
  restoreBackup,
  setChosen,
} from "./state.ts";

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
  if (text === "") return say("Type an id.");
  if (/\s/.test(text)) return say("An id has no spaces; use a hyphen.");
  if (!/^[a-zA-Z0-9-]+$/.test(text)) return say("An id has letters a to z, digits and hyphens only.");
  if (text.length > MAX_ID) return say("An id has {most} characters at most.", { most: MAX_ID });
  return projects.value?.some(({ id }) => id === text)
    ? say("{project} is there already.", { project: text })
    : undefined;
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
    <Form
      class="ask"
      onSubmit={() => {
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
          <span>{say("Show")}</span>
        </label>
      )}
      {props.children}
      {why !== undefined && <p class="hint">{why}</p>}
      <button type="submit" class="main-action" disabled={why !== undefined}>
        {props.action}
      </button>
      <Button says="Cancel" onClick={props.onCancel} />
    </Form>
  );
}

type Question = "copy" | "rename" | "delete" | "password";

function Project({ summary }: { readonly summary: api.ProjectSummary }) {
  const { id, name, template, invalid } = summary;
  const [question, setQuestion] = useState<Question>();
  const ask = (one: Question) => () => setQuestion(question === one ? undefined : one);
  const isChosen = id === chosen.value;
  return (
    <li class={isChosen ? "chosen" : ""} data-id={`project-${id}`}>
      <p>
        <b>{name}</b> <small>{id}</small>
        {isDeployed(summary) && <small class="tag">{say("deployed")}</small>}
        {isChosen && <small class="tag">{say("edited here")}</small>}
        {template && <small class="tag">{say("template")}</small>}
        {summary.protected && <small class="tag">{say("password")}</small>}
        {invalid && <small class="tag bad">{say("cannot be read")}</small>}
      </p>
      <div class="choices">
        {!isChosen && !template && !invalid && <Button says="Edit this one" onClick={() => void choose(id)} />}
        <Button says="Copy" onClick={ask("copy")} />
        <Button
          says="Download"
          onClick={() => void attempt(async () => download(`${id}.json`, await api.projectText(id)))}
        />
        {!template && (
          <>
            <Button says="Rename" onClick={ask("rename")} />
            <Button says="Password" onClick={ask("password")} />
            <Button says="Delete" onClick={ask("delete")} />
          </>
        )}
      </div>
      {question !== undefined && (
        <Asked key={question} question={question} project={summary} close={() => setQuestion(undefined)} />
      )}
    </li>
  );
}

interface AskedProps {
  readonly question: Question;
  readonly project: api.ProjectSummary;
  readonly close: () => void;
}

const passwordSaid = (text: string): string =>
  say(text === "" ? "{name}: removed from the project." : "{name}: saved in the project.", { name: say("Password") });

/** The form that asks for a name or password before a project is copied, renamed, deleted or protected. */
function Asked({ question, project: { id, name }, close }: AskedProps) {
  const act = (action: () => Promise<unknown>, sentence: string): void => {
    close();
    void change(action, sentence);
  };
  switch (question) {
    case "copy":
    case "rename": {
      const isCopy = question === "copy";
      return (
        <Ask
          label={say("Id: letters, digits, hyphens")}
          action={say(isCopy ? "Copy" : "Rename")}
          complaint={complaintAboutId}
          onDone={(newId) =>
            act(
              () => (isCopy ? api.copyProject(id, newId) : rename(id, newId)),
              say(isCopy ? "Copied to {project}." : "Renamed to {project}.", { project: newId }),
            )
          }
          onCancel={close}
        />
      );
    }
    case "password":
      return (
        <Ask
          label={say("New password; empty: none")}
          action={say("Save")}
          secret
          complaint={() => undefined}
          onDone={(text) => act(() => protect(id, text), passwordSaid(text))}
          onCancel={close}
        />
      );
    case "delete":
      return (
        <div class="ask">
          <p>{say("Delete {name} for good?", { name })}</p>
          <Button
            says="Delete"
            class="main-action"
            onClick={() => act(() => api.deleteProject(id), say("Deleted {project}.", { project: name }))}
          />
          <Button says="Keep it" onClick={close} />
        </div>
      );
  }
}

async function rename(id: string, newId: string): Promise<void> {
  await api.renameProject(id, newId);
  if (chosen.peek() === id) setChosen(newId);
}

/** An empty password is none. */
async function protect(id: string, password: string): Promise<void> {
  if (password === "") await api.deleteSetting(id, "password");
  else {
    await api.putSetting(id, "password", { name: "password", hash: api.passwordHash(password) });
    api.unlock(id, password);
  }
}

/** Bytes of a copy that is read to say what has changed with it; those with media are larger. */
const MOST_READ_BYTES = 300_000;

interface ReadCopy {
  readonly isDeployed: boolean;
  /** The differences from the copy before; undefined while that is not read, and for the oldest copy. */
  readonly changes?: readonly string[];
}

/** Copies by name; they are read one after the other, the latest first. */
function useRead(copies: readonly api.Backup[]): ReadonlyMap<string, ReadCopy> {
  const [told, setTold] = useState<ReadonlyMap<string, ReadCopy>>(new Map());
  const names = copies.map(({ name }) => name).join();
  useEffect(() => {
    let isShown = true;
    const read = async (): Promise<void> => {
      let newer: { readonly name: string; readonly document: Document; readonly isDeployed: boolean } | undefined;
      for (const { name, bytes } of copies) {
        const document = bytes > MOST_READ_BYTES ? undefined : await backupDocument(name).catch(() => undefined);
        if (!isShown) return;
        if (document === undefined) {
          newer = undefined;
          continue;
        }
        const isDeployed = changesTo(document).length === 0;
        const news: [string, ReadCopy][] = [[name, { isDeployed }]];
        if (newer !== undefined)
          news.push([newer.name, { isDeployed: newer.isDeployed, changes: changesBetween(document, newer.document) }]);
        setTold((before) => new Map([...before, ...news]));
        newer = { name, document, isDeployed };
      }
    };
    void read();
    return () => {
      isShown = false;
    };
  }, [names]);
  return told;
}

const MOST_CHANGES = 2;

/** The changes of a copy in words; an unchanged copy is that of a day. */
function changesText(sentences: readonly string[]): string {
  if (sentences.length === 0) return say("nothing changed");
  const others = sentences.length - MOST_CHANGES;
  return [
    sentences.slice(0, MOST_CHANGES).join("; "),
    ...(others > 0 ? [say("and {others} more", { others })] : []),
  ].join(" ");
}

const Sentences = ({ of }: { readonly of: readonly string[] }) => (
  <ul class="difference">
    {of.map((one) => (
      <li key={one}>{one}</li>
    ))}
  </ul>
);

interface BackupProps extends Partial<ReadCopy> {
  readonly backup: api.Backup;
}

/** A copy of a deployed configuration, with the changes that it would make before the button that restores it. */
function BackupRow({ backup, changes, isDeployed = false }: BackupProps) {
  const [document, setDocument] = useState<Document>();
  const sentences = isDeployed ? undefined : document && changesTo(document);
  // The changes that restoring the copy would lose, after the first attempt.
  const [lost, setLost] = useState<readonly string[]>([]);
  const look = (): Promise<boolean> => attempt(async () => setDocument(await comparedBackup(backup.name)));
  const [day, time] = backupMoment(backup);
  return (
    <li data-id={`backup-${backup.name}`}>
      <p>
        <b>{day}</b> {time}
        {changes !== undefined && <small class="copy-changes">{changesText(changes)}</small>}
      </p>
      <div class="choices">
        {isDeployed ? (
          <small>{say("The same as what is deployed.")}</small>
        ) : (
          <Button says="Compare" aria-expanded={sentences !== undefined} onClick={() => void look()} />
        )}
        <Button
          says="Download"
          onClick={() =>
            void attempt(async () => download(`deploy-${backup.name}.json`, await api.backupText(backup.name)))
          }
        />
      </div>
      {sentences !== undefined && (
        <div class="ask">
          {sentences.length === 0 ? (
            <p>{say("The same as what is deployed.")}</p>
          ) : (
            <>
              <Sentences of={sentences} />
              {lost.length > 0 && (
                <>
                  <p>{say("These changes are not in force, and would be lost:")}</p>
                  <Sentences of={lost} />
                </>
              )}
              <Button
                says={lost.length > 0 ? "Restore this, and lose these" : "Restore this"}
                class="main-action"
                onClick={() => void restoreBackup(backup.name, { lost, ask: setLost })}
              />
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
      label={say("Id: letters, digits, hyphens")}
      action={say("Make")}
      complaint={complaintAboutId}
      onDone={(id) => {
        onDone();
        void change(() => make(id), say("Made {project}.", { project: id }));
      }}
      onCancel={onDone}
    >
      {templates.length > 0 && (
        <label class="form-field">
          <span>{say("Begin with")}</span>
          <select value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
            <option value="">{say("none")}</option>
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
  if (isThere && !confirm(say("Replace the project {project}?", { project: id }))) return;
  const refused = (why: string): Error =>
    new Error(
      say("{file} is not uploaded: {why}. Choose a project that was saved with Download.", { file: file.name, why }),
    );
  await change(
    async () => {
      const text = await file.text();
      if (jsonIn(text) === undefined) throw refused(say("it is no JSON"));
      await api.restoreProject(id, text).catch((error: unknown) => {
        if (error instanceof api.ApiError && error.status === 400) throw refused(error.message);
        throw error;
      });
    },
    say("Uploaded as {project}.", { project: id }),
  );
}

export function BoatProjects() {
  const [isMaking, setMaking] = useState(false);
  const read = useRead(backups.value);
  return (
    <>
      <section>
        <h2>{say("Projects")}</h2>
        <ul class="project-list">
          {projects.value?.map((summary) => (
            <Project key={summary.id} summary={summary} />
          ))}
        </ul>
        {isMaking ? (
          <NewProject onDone={() => setMaking(false)} />
        ) : (
          <div class="choices">
            <Button says="New project" onClick={() => setMaking(true)} />
            <UploadButton accept=".json,application/json" onFile={upload}>
              {say("Upload")}
            </UploadButton>
          </div>
        )}
      </section>
      <section>
        <h2>{say("What was deployed")}</h2>
        {backups.value.length === 0 ? (
          <p class="hint">{say("Each deployment is kept, the latest thirty, and a copy a day; there is none yet.")}</p>
        ) : (
          <ul class="project-list">
            {backups.value.map((backup) => (
              <BackupRow key={backup.name} backup={backup} {...read.get(backup.name)} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
