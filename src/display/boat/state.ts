/** The state of the page Boat: the projects, the edited one, and the deployed configuration. */
import { computed, effect, signal } from "@preact/signals";
import { polarOf } from "../../nav/polar.ts";
import { appTopics } from "../../topics/topics.ts";
import { ALARMS, alarmSettings } from "../alarms/watched-distances.ts";
import { store } from "../data/store.ts";
import { editedNames } from "../names.ts";
import { polar } from "../sailing/polar.ts";
import { POLAR } from "../sailing/polar-entry.ts";
import { MAINTENANCE, maintenance, rowsOf } from "../systems/maintenance.ts";
import * as api from "./api.ts";
import { differences } from "./difference.ts";
import { namesIn } from "./named-things.ts";

export type Entry = Readonly<Record<string, unknown>> & { readonly name: string };

interface Document {
  readonly uid?: string;
  readonly settings?: readonly Entry[];
}

export const projects = signal<readonly api.ProjectSummary[]>();
export const backups = signal<readonly api.Backup[]>([]);
/** Id of the edited project. */
export const chosen = signal<string>();
/** The project that was chosen in this browser. */
const STORAGE_KEY = "hub-display-project";
const edited = signal<Document>();
const deployed = signal<Document>();
/** Entity tag of the deployed file last read. */
let deployedTag: string | null = null;
/** The reason why the projects could not be read. */
export const unread = signal<string>();
/** The last failure of an action, and the last success. */
export const failure = signal<string>();
export const done = signal<string>();
/** The copy of the configuration that was in force before the last deployment from here. */
export const undoable = signal<string>();
/** The project whose password is asked for, and the action to repeat with it. */
export const locked = signal<{ readonly project: string; readonly again: () => Promise<unknown> }>();
/** Number of actions that the service has not answered yet. */
export const waiting = signal(0);

/** Name of a device: the configured one, or else `modelOf` its model and address, or else its NAME. */
function nameIn(
  document: Document | undefined,
  name: string,
  modelOf: (model: string, address: number) => string,
): string {
  const friendly = settingOf(document, "navigation").friendlyNames as Readonly<Record<string, string>> | undefined;
  if (friendly?.[name] !== undefined) return friendly[name];
  for (const [address, { data }] of store.infos)
    if (data.name === name)
      return modelOf(data.productInfo?.modelId || `${data.functionName}, ${data.manufacturer}`, address);
  return name;
}

/** Name of a device for buttons. */
export const nameOfName = (name: string): string => nameIn(edited.value, name, (model) => model);

/** Name of a device for sentences about a change, which distinguishes two equal devices. */
const deployedName = (name: string): string =>
  nameIn(deployed.value, name, (model, address) => `${model} at ${address}`);

/** The changes that deploying the edited project would make. */
export const pending = computed(() =>
  edited.value === undefined ? [] : differences(deployed.value ?? {}, edited.value, deployedName),
);

/**
 * Whether the edited project is that of the boat: the deployed one, or one chosen here. Other projects may be years
 * old.
 */
const isOfBoat = computed(() => {
  const { uid } = deployed.value ?? {};
  return edited.value !== undefined && (uid === undefined || uid === edited.value.uid || chosen.value === chosenHere());
});

/** The changes that the bar of every page shows. */
export const pendingOfBoat = computed(() => (isOfBoat.value ? pending.value : []));

effect(() => {
  editedNames.value = isOfBoat.value ? namesIn(entryOf("names")) : undefined;
});

/** The project chosen here; undefined without a choice or without storage in the browser. */
function chosenHere(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Chooses the project that is edited here, also after the next start of the display. */
export function setChosen(id: string): void {
  chosen.value = id;
  try {
    localStorage.setItem(STORAGE_KEY, id);
  } catch {
    // Storage may be forbidden; the choice lasts until the page is closed.
  }
}

/**
 * Ids of the projects that may be the deployed one: a copy by download and upload has the same uid. The edited one
 * comes first.
 */
const deployedIds = (list: readonly api.ProjectSummary[]): readonly string[] => {
  const { uid } = deployed.value ?? {};
  const ids = list.filter((each) => uid !== undefined && each.uid === uid).map(({ id }) => id);
  return [...ids.filter((id) => id === chosen.value), ...ids];
};

/** Whether nothing is configured: the page Boat then shows the steps to do. */
export const isUnconfigured = computed(
  () => projects.value !== undefined && (deployed.value?.settings ?? []).length === 0,
);

export const isDeployed = ({ id }: api.ProjectSummary): boolean => deployedIds(projects.value ?? [])[0] === id;

/** An entry of the settings of a document; only its name when there is none. */
const settingOf = (document: Document | undefined, name: string): Entry =>
  document?.settings?.find((entry) => entry.name === name) ?? { name };

/** The entry in force. */
export const deployedEntryOf = (name: string): Entry => settingOf(deployed.value, name);

effect(() => {
  polar.value = polarOf(deployedEntryOf(POLAR).curves);
});

effect(() => {
  maintenance.value = rowsOf(deployedEntryOf(MAINTENANCE).rows);
});

effect(() => {
  alarmSettings.value = deployedEntryOf(ALARMS);
});

export const entryOf = (name: string): Entry => settingOf(edited.value, name);

const parse = (text: string): Document => JSON.parse(text) as Document;

/** The action before the next one. */
let acting: Promise<unknown> = Promise.resolve();

/**
 * Runs an action when those before it have ended: of two at once, the second would save what it had read before the
 * first. A failure is shown, and a missing password is asked for. False for a failure.
 */
export function attempt(action: () => Promise<void>, sentence = ""): Promise<boolean> {
  waiting.value++;
  const next = acting.then(() => act(action, sentence));
  acting = next;
  return next;
}

async function act(action: () => Promise<void>, sentence: string): Promise<boolean> {
  failure.value = done.value = undoable.value = undefined;
  try {
    await action();
    done.value = sentence || undefined;
    return true;
  } catch (error) {
    const { status, message } = error as api.ApiError;
    const project = chosen.peek();
    if (status === 401 && project !== undefined) {
      if (api.lock(project)) failure.value = "The password is wrong.";
      locked.value = { project, again: () => attempt(action, sentence) };
    } else failure.value = message;
    return false;
  } finally {
    waiting.value--;
  }
}

/** Reads the deployed file unless it has not changed since: it may have many megabytes of media. */
async function readDeployed(): Promise<void> {
  const file = await api.deployedFile(deployedTag);
  if (file === "unchanged") return;
  deployedTag = file?.tag ?? null;
  deployed.value = file && parse(file.text);
}

/** The edited project without media, before it was last read: what is changed meanwhile is seen at the next check. */
let outline = "";

async function read(): Promise<void> {
  const list = await api.listProjects();
  await readDeployed();
  backups.value = await api.listBackups();
  const usable = list.filter(({ invalid, template }) => !invalid && !template);
  const before = chosen.peek() ?? chosenHere();
  const stays = usable.find(({ id }) => id === before)?.id;
  chosen.value = stays ?? deployedIds(usable)[0] ?? usable[0]?.id;
  const id = chosen.value;
  try {
    outline = id === undefined ? "" : await api.projectOutline(id);
    edited.value = id === undefined ? undefined : parse(await api.projectText(id));
  } catch (error) {
    // Without the password of this project the others can still be used.
    edited.value = undefined;
    throw error;
  } finally {
    // The list is set last, because the forms are shown with it: text typed earlier would be overwritten.
    projects.value = list;
  }
}

let reading = Promise.resolve();

/** Reads everything, one reading after the other: an answer for the project chosen before could come last. */
function refresh(): Promise<void> {
  const next = reading.then(read);
  reading = next.catch(() => {});
  return next;
}

/** Reads everything, and asks for a missing password. */
export async function load(): Promise<void> {
  try {
    await refresh();
    unread.value = undefined;
  } catch (error) {
    const { status, message } = error as api.ApiError;
    const project = chosen.peek();
    if (status === 401 && project !== undefined) locked.value = { project, again: load };
    else unread.value = message;
  }
}

/** Whether hub-configd runs, by its identity at the broker; if the broker has none, whether it has answered. */
export const isServed = (): boolean =>
  store.identities.get(appTopics.configInfo)?.online ?? projects.peek() !== undefined;

/**
 * Notices changes and deployments by others while the page is visible. A failure is not shown before the next action of
 * the user: without the service there is nothing to change.
 */
export async function watch(): Promise<void> {
  if (document.hidden || waiting.peek() > 0) return;
  try {
    if (projects.peek() === undefined) return await refresh();
    await readDeployed();
    const id = chosen.peek();
    if (id !== undefined && (await api.projectOutline(id)) !== outline) await refresh();
  } catch {
    // The next action shows the failure.
  }
}

/** Runs a change and reads everything again. */
export const change = (action: () => Promise<unknown>, sentence: string): Promise<boolean> =>
  attempt(async () => {
    await action();
    await refresh();
  }, sentence);

export const choose = (id: string): Promise<boolean> =>
  attempt(async () => {
    setChosen(id);
    await refresh();
  });

/**
 * Changes an entry of the edited project and makes the project when there is none. `edit` gets the present entry,
 * because others edit too; it may throw an Error with a sentence.
 */
export const saveEntry = (name: string, edit: (entry: Entry) => object, sentence: string): Promise<boolean> =>
  change(async () => {
    await refresh();
    if (chosen.peek() === undefined) {
      // A project that cannot be read keeps its id.
      const taken = new Set(projects.peek()?.map(({ id }) => id));
      const id = ["boat", "boat-2", "boat-3"].find((each) => !taken.has(each)) ?? `boat-${Date.now()}`;
      await api.makeProject(id, "Boat");
      setChosen(id);
    }
    await api.putSetting(chosen.peek()!, name, edit(entryOf(name)));
  }, sentence);

/** Deploys the shown changes; if others have changed the project since, shows their changes and deploys nothing. */
export async function deploy(): Promise<boolean> {
  const before = deployed.peek();
  const shown = JSON.stringify(pending.peek());
  const isDone = await change(async () => {
    await refresh();
    if (JSON.stringify(pending.peek()) !== shown)
      throw new Error(
        "Others have changed the project meanwhile: look at the changes once more, and deploy them then.",
      );
    await api.deployProject(chosen.peek()!);
  }, "Deployed. hub-cand takes it over within two seconds.");
  if (isDone && before !== undefined) undoable.value = await copyOf(before).catch(() => undefined);
  return isDone;
}

/** The name of the latest copy, if it has this document. */
async function copyOf(document: Document): Promise<string | undefined> {
  const [, copy] = backups.peek();
  if (copy === undefined) return undefined;
  return JSON.stringify(parse(await api.backupText(copy.name))) === JSON.stringify(document) ? copy.name : undefined;
}

/** The changes that restoring a former configuration would make. */
export async function backupDifferences(name: string): Promise<readonly string[]> {
  await readDeployed();
  return differences(deployed.value ?? {}, parse(await api.backupText(name)), deployedName);
}

/** Day and time of a copy, from its name `2026-11-26_21-45-34`. */
export function backupMoment(name: string): readonly [day: string, time: string] {
  const [day = name, time = ""] = name.split("_");
  return [day, time.replaceAll("-", ":")];
}

/** Puts a former configuration in force: into its own project, or into one named after it. */
export const restoreBackup = (name: string): Promise<boolean> =>
  change(
    async () => {
      const text = await api.backupText(name);
      const { uid } = parse(text);
      const own = projects.peek()?.find((summary) => summary.uid !== null && summary.uid === uid && !summary.template);
      const id = own?.id ?? `restored-${name}`.replace(/[^a-zA-Z0-9-]/g, "-");
      await api.restoreProject(id, text);
      await api.deployProject(id);
      setChosen(id);
    },
    `The configuration of ${backupMoment(name).join(" ")} is in force again.`,
  );
