/** The state of the page Boat: the projects, the edited one, and the deployed configuration. */

import { batch, computed, effect, signal } from "@preact/signals";
import { polarOf } from "../../../core/nav/polar.ts";
import { networkSettings } from "../../../core/settings/networks.ts";
import { appTopics } from "../../../core/topics/topics.ts";
import { createExclusive } from "../../../core/util/exclusive.ts";
import { ALARMS, alarmSettings } from "../alarms/watched-distances.ts";
import { modelOfDevice, namesOf } from "../data/device-names.ts";
import { editedNames } from "../data/names.ts";
import { settings } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { stored } from "../data/stored.ts";
import { dayAndTime, zoneText } from "../instruments/moments.ts";
import { dayText } from "../languages/formats.ts";
import { say, spoken } from "../languages/say.ts";
import { polar } from "../sailing/polar.ts";
import { POLAR } from "../sailing/polar-entry.ts";
import { MAINTENANCE, maintenance, rowsOf } from "../systems/maintenance.ts";
import { asks, attempt, fail, undoable, waiting } from "./actions.ts";
import * as api from "./api.ts";
import { newConnections } from "./connections.ts";
import { differences } from "./difference.ts";
import { merged } from "./merge.ts";
import { namesIn } from "./named-things.ts";
import type { Ignored } from "./network-rows.ts";

export type Entry = Readonly<Record<string, unknown>> & { readonly name: string };

type Values = Readonly<Record<string, unknown>>;

export interface Document {
  readonly uid?: string;
  readonly settings?: readonly Entry[];
}

export const projects = signal<readonly api.ProjectSummary[]>();
export const backups = signal<readonly api.Backup[]>([]);
/** Id of the edited project; it changes together with the project that is shown. */
export const chosen = signal<string>();
const edited = signal<Document>();
/** The project that was chosen in this browser. */
const memory = stored("hub-display-project", (json) => (typeof json === "string" ? json : undefined));
const deployed = signal<Document>();
/** Entity tag of the deployed file last read. */
let deployedTag: string | null = null;
/** The reason why the projects could not be read. */
export const unread = signal<string>();

/** Name of a device: the configured one, or else `modelOf` its model and address, or else its NAME. */
function nameIn(
  document: Document | undefined,
  name: string,
  modelOf: (model: string, address: number) => string,
): string {
  const friendly = settingOf(document, "navigation").friendlyNames as Readonly<Record<string, string>> | undefined;
  const names = namesOf(name);
  const given = names.find((each) => friendly?.[each] !== undefined);
  if (given !== undefined) return friendly![given]!;
  for (const [address, { data }] of store.infos)
    if (data.name === names[0]) return modelOf(modelOfDevice(data), address);
  return name;
}

/** Name of a device for buttons. */
export const nameOfName = (name: string): string => nameIn(edited.value, name, (model) => model);

/** Name of a device for sentences about a change, which distinguishes two equal devices. */
const deployedName = (name: string): string =>
  nameIn(deployed.value, name, (model, address) => `${model} (${address})`);

/** Whether the edited project is not known, such as one whose password is missing. */
export const isUnread = computed(
  () => projects.value !== undefined && chosen.value !== undefined && edited.value === undefined,
);

/** The words for values of the settings, which are loaded with their schemas when something is to be told. */
const words = signal<typeof import("./stored-text.ts")>();
export const loadWords = (): Promise<void> =>
  import("./stored-text.ts").then(
    (module) => {
      words.value = module;
    },
    () => {},
  );

/** The changes from one document to another in words. */
export const changesBetween = (before: Document, after: Document): readonly string[] =>
  differences(before, after, deployedName, words.value?.storedText(settings.value.units), words.value?.limitRowText);

/** Whether deploying the edited project would change something, and what. */
const plainPending = computed(() => {
  void spoken.value;
  return edited.value === undefined ? [] : differences(deployed.value ?? {}, edited.value, deployedName);
});

/** The changes that deploying the edited project would make, with units. */
export const pending = computed(() =>
  plainPending.value.length === 0 ? plainPending.value : changesBetween(deployed.value ?? {}, edited.value!),
);

effect(() => {
  if (plainPending.value.length > 0 && words.peek() === undefined) void loadWords();
});

/** The members of the edited project that hub-cand would ignore, once there are changes to deploy. */
export const notUnderstood = computed(() =>
  plainPending.value.length === 0 ? [] : (words.value?.complaintsAbout(entryOf) ?? []),
);

/** A part of the deployed settings that hub-cand cannot use, in the words of the forms once they are loaded. */
export const ignoredText = ({ entry, path, problem = "", reason }: Ignored): readonly [string, string] =>
  words.value === undefined
    ? [entry, reason]
    : [
        words.value.entryTitle(entry),
        path ? words.value.complaintText({ path, problem }, deployedEntryOf(entry)) : reason,
      ];

/** The connections that deploying the edited project would add. */
export const pendingConnections = computed(() =>
  edited.value === undefined
    ? []
    : newConnections(settingOf(deployed.value, networkSettings.name), settingOf(edited.value, networkSettings.name)),
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

/** The project chosen since the page was opened. */
let wanted: string | undefined;

/** The project chosen in this browser; undefined without a choice. */
const chosenHere = (): string | undefined => wanted ?? memory.read();

/** Chooses the project that is edited here from the next reading on, also after the next start of the display. */
export function setChosen(id: string): void {
  wanted = id;
  memory.write(id);
}

/** The project with a uid; of several, as a copy by download and upload has the same, the edited one. */
function idWith(uid: string | undefined, list = projects.value ?? []): string | undefined {
  const ids = list.filter((each) => uid !== undefined && each.uid === uid && !each.template).map(({ id }) => id);
  return ids.find((id) => id === chosen.value) ?? ids[0];
}

/** Whether nothing is configured: the page Boat then shows the steps to do. */
export const isUnconfigured = computed(
  () => projects.value !== undefined && (deployed.value?.settings ?? []).length === 0,
);

export const isDeployed = ({ id }: api.ProjectSummary): boolean => idWith(deployed.value?.uid) === id;

/** An entry of the settings of a document; only its name when there is none. */
const settingOf = (document: Document | undefined, name: string): Entry =>
  document?.settings?.find((entry) => entry.name === name) ?? { name };

export const deployedEntryOf = (name: string): Entry => settingOf(deployed.value, name);

effect(() => {
  polar.value = polarOf(deployedEntryOf(POLAR).curves);
});

effect(() => {
  maintenance.value = rowsOf(deployedEntryOf(MAINTENANCE).rows);
});

effect(() => {
  alarmSettings.value = projects.value && deployedEntryOf(ALARMS);
});

export const entryOf = (name: string): Entry => settingOf(edited.value, name);

const parse = (text: string): Document => JSON.parse(text) as Document;

/** Reads the deployed file unless it has not changed since: it may have many megabytes of media. */
async function readDeployed(): Promise<void> {
  const file = await api.deployedFile(deployedTag);
  if (file === "unchanged") return;
  deployedTag = file?.tag ?? null;
  deployed.value = file && parse(file.text);
  // A later deployment of another screen is not undone with it.
  if (undoable.peek()?.etag !== digestOf(deployedTag)) undoable.value = undefined;
}

/** The digest in an entity tag, which a proxy that compresses makes a weak one. */
const digestOf = (tag: string | null): string | undefined => tag?.replace(/^W\/|"/g, "");

/** The edited project without media, before it was last read: what is changed meanwhile is seen at the next check. */
let outline = "";

async function read(): Promise<void> {
  const list = await api.listProjects();
  await readDeployed();
  backups.value = await api.listBackups();
  const usable = list.filter(({ invalid, template }) => !invalid && !template);
  const before = chosenHere() ?? chosen.peek();
  const stays = usable.find(({ id }) => id === before)?.id;
  const id = stays ?? idWith(deployed.value?.uid, usable) ?? usable[0]?.id;
  const show = (document: Document | undefined): void =>
    batch(() => {
      chosen.value = id;
      edited.value = document;
      // With it the forms are shown: text typed earlier would be overwritten.
      projects.value = list;
    });
  try {
    outline = id === undefined ? "" : await api.projectOutline(id);
    show(id === undefined ? undefined : parse(await api.projectText(id)));
    unread.value = undefined;
  } catch (error) {
    // A project that was read before stays shown, so that its forms keep unsaved text. Other projects can be used, and
    // the next check reads this one again.
    outline = "";
    show(id === chosen.peek() ? edited.peek() : undefined);
    throw error;
  }
}

const exclusive = createExclusive();

/** Reads everything, one reading after the other: an answer for the project chosen before could come last. */
const refresh = (): Promise<void> => exclusive(read);

/** Reads everything, and asks for a missing password. */
export async function load(): Promise<void> {
  try {
    await refresh();
  } catch (error) {
    if (!asks(error, load)) unread.value = (error as Error).message;
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
  } catch (error) {
    // The next action shows other failures.
    if ((error as api.ApiError).status === api.NOT_FOUND) await load();
  }
}

/** Runs a change and reads everything again; the change was made, whether or not that succeeds. */
export const change = (action: () => Promise<unknown>, sentence: string): Promise<boolean> =>
  attempt(async () => {
    await action();
    await load();
  }, sentence);

export const choose = (id: string): Promise<boolean> =>
  attempt(async () => {
    setChosen(id);
    await refresh();
  });

/** Makes an empty project, never in place of one that another screen has made meanwhile. */
export async function makeProject(id: string, name: string): Promise<void> {
  if ((await api.listProjects()).some((each) => each.id === id))
    throw new Error(say("{project} is there already.", { project: id }));
  await api.makeProject(id, name);
}

/** Makes the first project, unless there is one by now; resolves to its id. */
async function firstProject(): Promise<string> {
  await refresh();
  const present = chosen.peek();
  if (present !== undefined) return present;
  // A project that cannot be read keeps its id.
  const taken = new Set(projects.peek()?.map(({ id }) => id));
  const id = ["boat", "boat-2", "boat-3"].find((each) => !taken.has(each)) ?? `boat-${Date.now()}`;
  await makeProject(id, "Boat");
  setChosen(id);
  return id;
}

/**
 * Changes an entry of the project that is edited now and makes the project when there is none. `edit` gets the present
 * entry, because others edit too; it may throw an Error with a sentence.
 */
export function saveEntry(name: string, edit: (entry: Entry) => object, sentence: string): Promise<boolean> {
  const shown = chosen.peek();
  return change(async () => {
    const id = shown ?? (await firstProject());
    const document = parse(await api.projectText(id));
    await api.putSetting(id, name, edit(settingOf(document, name)));
  }, sentence);
}

/** Why the next save would replace what another screen has saved; undefined: it would not. */
function replacing(now: Values, before: Values, after: Values): string | undefined {
  const settingsOf = (entry: Values): Document => ({ settings: [entry as Entry] });
  // The two differ where both have changed the same.
  const changes = changesBetween(settingsOf(merged(now, before, after)), settingsOf(merged(after, before, now)));
  if (changes.length === 0) return undefined;
  return say("Another screen has saved something else meanwhile, yours → theirs: {changes}. Save to keep yours.", {
    changes: changes.join("; "),
  });
}

/** Tells where a draft of an entry and what another screen has saved since it was begun are changes of the same. */
export function tellReplacing(now: Values, before: Values, after: Values): void {
  const why = replacing(now, before, after);
  if (why !== undefined) fail(why);
}

/** Saves the changes of a form from `before` to `after`, both with their name; what it would replace is told first. */
export function saveForm(before: Entry, after: Entry, sentence: string): Promise<boolean> {
  let isReplacing = false;
  const saved = saveEntry(
    before.name,
    (entry) => {
      const why = replacing(entry, before, after);
      isReplacing = why !== undefined;
      if (why !== undefined) throw new Error(why);
      return merged(entry, before, after);
    },
    sentence,
  );
  // The form then goes on from what the other screen has saved.
  return saved.then(async (isSaved) => {
    if (isReplacing) await load();
    return isSaved;
  });
}

/** Reads everything, and throws if the changes that are shown are no longer the ones to be deployed. */
async function refreshAsShown(id: string, shown: string): Promise<void> {
  await refresh();
  if (chosen.peek() !== id || JSON.stringify(plainPending.peek()) !== shown)
    throw new Error(say("Others have changed the project meanwhile: look at the changes once more."));
}

/** Deploys the shown changes; if others have changed the project since, shows their changes and deploys nothing. */
export async function deploy(): Promise<boolean> {
  let before: Document | undefined;
  let etag = "";
  const id = chosen.peek()!;
  const shown = JSON.stringify(plainPending.peek());
  const isDone = await change(async () => {
    await refreshAsShown(id, shown);
    before = deployed.peek();
    etag = await api.deployProject(id);
  }, say("Deployed. hub-cand takes it over within two seconds."));
  const copy = isDone && before !== undefined ? await copyOf(before).catch(() => undefined) : undefined;
  if (copy !== undefined && digestOf(deployedTag) === etag) undoable.value = { copy, etag };
  return isDone;
}

/** Whether the shown changes are changes to the deployed project, which then can be as it was deployed. */
export const isDiscardable = computed(
  () => edited.value?.uid !== undefined && edited.value.uid === deployed.value?.uid,
);

/** Makes the edited project what is deployed; if others have changed it since, shows their changes first. */
export function discard(): Promise<boolean> {
  const id = chosen.peek()!;
  const shown = JSON.stringify(plainPending.peek());
  return change(async () => {
    await refreshAsShown(id, shown);
    const file = await api.deployedFile(null);
    if (file !== undefined && file !== "unchanged") await api.restoreProject(id, file.text);
  }, say("Discarded: the project is as it was deployed."));
}

/** The name of a copy of this document among the latest: of the deployment before, or of a day. */
async function copyOf(document: Document): Promise<string | undefined> {
  for (const { name } of backups.peek().slice(1, 4))
    if (JSON.stringify(parse(await api.backupText(name))) === JSON.stringify(document)) return name;
  return undefined;
}

/** A former configuration, with the words for what it has changed. */
export async function backupDocument(name: string): Promise<Document> {
  if (words.peek() === undefined) await loadWords();
  return parse(await api.backupText(name));
}

/** The same, to be compared with what is deployed now. */
export async function comparedBackup(name: string): Promise<Document> {
  await readDeployed();
  return backupDocument(name);
}

/** The changes that deploying a document in place of what is deployed now would make. */
export const changesTo = (document: Document): readonly string[] => changesBetween(deployed.value ?? {}, document);

/** Day and time of a copy in the time zone of the display, or as its name `2026-11-26_21-45-34` has them. */
export function backupMoment({ name, at }: api.Backup): readonly [day: string, time: string] {
  if (at === undefined) {
    const [day = name, time = ""] = name.split("_");
    return [day, time.replaceAll("-", ":")];
  }
  const [day, time] = dayAndTime(at);
  return [dayText(day), `${time} ${zoneText()}`];
}

/** Changes that restoring a copy in a project would lose: to what is deployed, or of another project to the copy. */
async function lostIn(id: string, copy: Document): Promise<readonly string[]> {
  if (words.peek() === undefined) await loadWords();
  const document = parse(await api.projectText(id));
  return changesBetween(document.uid === deployed.peek()?.uid ? deployed.peek()! : copy, document);
}

interface Restoring {
  /** The changes that the crew has agreed to lose. */
  readonly lost?: readonly string[];
  /** Called with the changes that would be lost, if these are others; nothing is restored then. */
  readonly ask?: (lost: readonly string[]) => void;
  /** The digest of what has to be deployed still. */
  readonly etag?: string;
}

/** Puts a former configuration in force: into its own project, or into one named after it. */
export const restoreBackup = (name: string, { lost = [], ask, etag }: Restoring = {}): Promise<boolean> => {
  const backup = backups.peek().find((each) => each.name === name) ?? { name, bytes: 0 };
  return change(
    async () => {
      await readDeployed();
      if (etag !== undefined && digestOf(deployedTag) !== etag)
        throw new Error(say("Another screen has deployed meanwhile: nothing is undone. These are the copies."));
      const text = await api.backupText(name);
      const copy = parse(text);
      const present = idWith(copy.uid);
      const losing = present === undefined ? [] : await lostIn(present, copy);
      if (losing.length > 0 && JSON.stringify(losing) !== JSON.stringify(lost)) {
        ask?.(losing);
        throw new Error(say("Nothing is restored yet: changes that are not in force would be lost."));
      }
      const id = present ?? `restored-${name}`.replace(/[^a-zA-Z0-9-]/g, "-");
      await api.restoreProject(id, text);
      await api.deployProject(id);
      setChosen(id);
    },
    say("The configuration of {moment} is in force again.", { moment: backupMoment(backup).join(" ") }),
  );
};
