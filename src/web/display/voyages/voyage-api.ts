/** The voyages that hub-history keeps, on the origin of the page. */
import { signal } from "@preact/signals";
import type { Polar } from "../../../core/voyages/polar.ts";
import type { ListedVoyage, Voyage } from "../../../core/voyages/voyage.ts";
import { said, say } from "../languages/say.ts";

const BASE = "/api/voyages";
const TIMEOUT_MS = 60_000;
/** From this status on the web server has not reached the program behind it. */
const NOT_REACHED = 502;
/** The reason that hub-history gives. */
const GONE = "There is no such voyage.";

export interface VoyageList {
  readonly voyages: readonly ListedVoyage[];
  /** Name of the voyage that lasts. */
  readonly open: string | null;
  readonly picturesLeft: { readonly count: number; readonly bytes: number };
}

interface AddedTracks {
  readonly names: readonly string[];
  /** Tracks that were voyages already. */
  readonly known: number;
  readonly leftOut: number;
}

/** Of what was read before: why it could not be read again. */
interface Past {
  readonly failure?: string;
}

interface ShownVoyage extends Past {
  readonly name: string;
  readonly voyage: Voyage;
}

/** The state of the page: undefined while it is requested, a text for the reason why there is none. */
export const list = signal<(VoyageList & Past) | string | undefined>(undefined);
export const shown = signal<ShownVoyage | string | undefined>(undefined);

/** Undefined while it is asked for. */
export const polar = signal<Polar | "none" | undefined>(undefined);

async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(`${BASE}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {});
  if (response === undefined || response.status >= NOT_REACHED)
    throw new Error(say("{program} does not answer", { program: "hub-history" }));
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  const answer: unknown = isJson ? await response.json() : undefined;
  if (response.ok && isJson) return answer;
  if (response.status === 409) throw new Error(say("The entry was corrected meanwhile."));
  const reason = (answer as { readonly error?: unknown } | undefined)?.error;
  // Another display has removed it.
  if (reason === GONE && init.method === "DELETE") return answer;
  throw new Error(typeof reason === "string" ? said(reason) : "");
}

/** The reason of a failure as text; without one, the voyages are not kept here. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : "");

export async function loadList(): Promise<void> {
  try {
    list.value = (await ask("")) as VoyageList;
  } catch (error) {
    list.value = orKept(list.peek(), error);
  }
}

/** Data that was read stays on the page after a failure, with the text that the crew types there. */
const orKept = <Known extends object>(known: Known | string | undefined, error: unknown): (Known & Past) | string =>
  typeof known === "object"
    ? { ...known, failure: reasonOf(error) || say("The voyage cannot be read now.") }
    : reasonOf(error);

/** Without an answer there is no polar to show. */
export async function loadPolar(): Promise<void> {
  polar.value = (await ask("/polar.json").catch(() => "none")) as Polar | "none";
}

export async function loadVoyage(name: string): Promise<Voyage | undefined> {
  try {
    const voyage = (await ask(`/${encodeURIComponent(name)}.json`)) as Voyage;
    shown.value = { name, voyage };
    return voyage;
  } catch (error) {
    const known = shown.peek();
    shown.value = orKept(typeof known === "object" && known.name !== name ? undefined : known, error);
    return undefined;
  }
}

/** Asks for a change, and puts the answer or the failure into words. */
async function change(path: string, init: RequestInit, wordsOf = (_answer: unknown): string => ""): Promise<string> {
  try {
    return wordsOf(await ask(path, init));
  } catch (error) {
    return reasonOf(error) || say("not sent");
  }
}

const posted = (body: string | Blob, type = "application/json"): RequestInit => ({
  ...{ method: "POST", headers: { "Content-Type": type }, body },
});

/** The failure as text; empty: done. */
const send = (path: string, body: string | Blob, type?: string): Promise<string> => change(path, posted(body, type));

export const writeEntry = (name: string, kind: string, text: string, author: string): Promise<string> =>
  send(`/${name}/entries`, JSON.stringify({ kind, text, ...(author !== "" && { author }) }));

/** `seen`: corrections that the author has seen, so that those of another display are not replaced unseen. */
export const correctEntry = (
  name: string,
  entry: number,
  text: string,
  author: string,
  seen: number,
): Promise<string> =>
  send(`/${name}/entries/${entry}/edits`, JSON.stringify({ text, seen, ...(author !== "" && { author }) }));

export const addPicture = (name: string, entry: number, picture: Blob, author: string): Promise<string> =>
  send(
    `/${name}/entries/${entry}/pictures${author === "" ? "" : `?${new URLSearchParams({ author })}`}`,
    picture,
    picture.type,
  );

export const pictureHref = (name: string, picture: number): string => `${BASE}/${name}/pictures/${picture}`;

function addedText(answer: unknown): string {
  const { names, known, leftOut } = answer as AddedTracks;
  const parts = [
    ...(names.length > 0 ? [say("Voyages added: {count}", { count: names.length })] : []),
    ...(known > 0 ? [say("There already: {count}", { count: known })] : []),
    ...(names.length + known === 0 ? [say("The file has no track with times.")] : []),
    ...(leftOut > 0 ? [say("Points left out: {count}", { count: leftOut })] : []),
  ];
  return parts.join(" ");
}

/** Sends a file of tracks; resolves with how many voyages were added, or with the failure, as text. */
export const addTracks = (file: File): Promise<string> => change("", posted(file, "application/gpx+xml"), addedText);

/** The failure as text; empty: done. */
export const removeVoyage = (name: string): Promise<string> => change(`/${name}`, { method: "DELETE" });

export const POLAR_HREF = `${BASE}/polar.csv`;

export const fileHref = (name: string, ending: string): string => `${BASE}/${name}.${ending}`;
