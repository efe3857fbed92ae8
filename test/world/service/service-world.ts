/**
 * hub-configd's application on a real folder, several clients at once, restarts, an editor, a failing disk and power
 * cuts, from one seed. After each round some order of the requests has to explain all answers and all files.
 */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { nodeBlobStore, sweepBlobs } from "../../../src/adapters/node/files/blob-store.ts";
import { nodeProjectStore, sweepProjects } from "../../../src/adapters/node/files/project-store.ts";
import type { Json, JsonObject } from "../../../src/core/project/json.ts";
import { type App, newApp } from "../../services/api/harness.ts";
import { type Random, randomOf } from "../random.ts";
import { Disk, type Misfortune } from "./disk.ts";
import { layOut, type Tree } from "./lost-effects.ts";
import { documentOf, type Project, type Request, requests, type State, type Step, sorted, steps } from "./model.ts";

/** Symbols of the model and the identifiers that the service chose for them. */
type Uids = ReadonlyMap<string, string>;

interface Answer {
  readonly status: number;
  readonly body: Json;
}

const ids = ["one", "two", "three", "four", "five", "template"];
const hashes = ["a".repeat(64), "b".repeat(64)];
/** Folders of copies, which the model leaves to their own tests. */
const copies = ["deployments", "backup"];
const MAX_AT_ONCE = 4;

const permutations = <Item>(list: readonly Item[]): readonly (readonly Item[])[] =>
  list.length <= 1
    ? [list]
    : list.flatMap((item, at) => permutations(list.toSpliced(at, 1)).map((rest) => [item, ...rest]));

/** A stored document in the form of `documentOf`. */
function simplified({ device = [], media = [], energy, "button-mapping": _, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    device: (device as readonly JsonObject[]).map(({ function: _f, instance: _i, legend: _l, parameters, ...own }) => ({
      ...own,
      parameters: sorted(parameters as unknown as readonly { readonly name: string }[]) as unknown as Json,
    })),
    media: (media as readonly JsonObject[]).map(({ name, data }) => ({
      name: name!,
      content: Buffer.from(data as string, "base64").toString(),
    })),
  };
}

/** The symbols with those of a document, if it is the one of the project; undefined if it is not. */
function explained(project: Project, stored: JsonObject, uids: Uids): Uids | undefined {
  const known = new Map(uids);
  const same = (symbol: string | undefined, uid: Json | undefined): boolean => {
    if (symbol === undefined || typeof uid !== "string") return symbol === uid;
    if (known.has(symbol)) return known.get(symbol) === uid;
    if ([...known.values()].includes(uid)) return false;
    known.set(symbol, uid);
    return true;
  };
  const { uid, duplicateFrom, ...document } = documentOf(project) as JsonObject;
  const { uid: storedUid, duplicateFrom: storedFrom, ...rest } = simplified(stored);
  if (!same(uid as string, storedUid) || !same(duplicateFrom as string | undefined, storedFrom)) return undefined;
  return isDeepStrictEqual(document, rest) ? known : undefined;
}

export class ServiceWorld {
  readonly #random: Random;
  readonly #disk: Disk;
  readonly #templates = mkdtempSync(join(tmpdir(), "hub-templates-"));
  #folder = mkdtempSync(join(tmpdir(), "hub-service-"));
  #app: App;
  #state: State = { projects: new Map(), templates: new Map(), deployed: undefined, apps: new Map() };
  #uids: Uids = new Map();
  /** What clients have kept, as the model and the service see it. */
  #backups: (readonly [Project, Json])[] = [];
  #serial = 0;
  readonly counts = { requests: 0, done: 0, failed: 0, cut: 0, restarts: 0, edits: 0 };

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#disk = new Disk(this.#random);
    this.#app = this.#start();
  }

  /** Does a round; throws with what nothing explains. */
  async round(): Promise<void> {
    const random = this.#random;
    if (random.chance(0.03)) await this.#restart();
    if (random.chance(0.05)) await this.#keepBackup();
    if (random.chance(0.03)) this.#edit();
    if (this.#state.templates.size === 0 && random.chance(0.05)) this.#addTemplate();
    const misfortune: Misfortune | undefined = random.chance(0.12)
      ? { is: random.pick(["one call fails", "disk full", "power cut"] as const), at: random.integer(1, 14) }
      : undefined;
    if (misfortune?.is === "power cut") this.#disk.begin(this.#folder, treeOf(this.#folder));
    this.#disk.expect(misfortune);
    const count = random.pick([1, 1, 1, 2, 3, MAX_AT_ONCE]);
    const asked = Array.from({ length: count }, () => this.#request());
    const answers = await Promise.all(asked.map((request) => this.#ask(request)));
    const hasFailed = this.#disk.hasFailed;
    if (misfortune?.is === "power cut") await this.#cutPower();
    this.#disk.expect(undefined);
    if (hasFailed) this.counts.failed++;
    this.#explain(asked, answers, hasFailed, misfortune?.is === "power cut");
    if (misfortune === undefined) this.#refuseRemains();
  }

  close(): void {
    for (const folder of [this.#folder, this.#templates]) rmSync(folder, { recursive: true });
  }

  #start(): App {
    const { files } = this.#disk;
    return newApp({
      projects: nodeProjectStore({ folder: this.#folder, templates: this.#templates }, files),
      blobStore: nodeBlobStore(join(this.#folder, "apps"), files),
    });
  }

  async #restart(): Promise<void> {
    this.counts.restarts++;
    await sweepProjects(this.#folder);
    await sweepBlobs(join(this.#folder, "apps"));
    this.#app = this.#start();
  }

  /** The service starts again on what the medium has kept. */
  async #cutPower(): Promise<void> {
    this.counts.cut++;
    const before = this.#folder;
    this.#folder = mkdtempSync(join(tmpdir(), "hub-service-"));
    layOut(this.#disk.afterCut(), this.#folder);
    for (const name of copies)
      if (statSync(join(before, name), { throwIfNoEntry: false }))
        renameSync(join(before, name), join(this.#folder, name));
    rmSync(before, { recursive: true });
    await this.#restart();
  }

  async #ask({ method, path, body, hash }: Request): Promise<Answer> {
    const headers = hash === undefined ? {} : { Authorization: `Bearer ${hash}` };
    const [status, answer] = await this.#app.json(method, path, body as Json, headers);
    this.counts.requests++;
    if (status < 300) this.counts.done++;
    return { status, body: answer };
  }

  /** Finds an order of the requests that explains the answers and the files; the state is the one after it. */
  #explain(asked: readonly Request[], answers: readonly Answer[], hasFailed: boolean, isCut: boolean): void {
    const stored = this.#stored();
    for (const order of permutations(asked.map((_, at) => at))) {
      let ends: readonly End[] = [{ seen: this.#state, kept: this.#state, uids: this.#uids }];
      for (const at of order)
        ends = ends.flatMap((end) => endsAfter(end, asked[at]!, answers[at]!, hasFailed ? { isCut } : undefined));
      for (const { kept, uids } of ends) {
        const known = this.#fits(kept, stored, uids);
        if (known === undefined) continue;
        this.#state = kept;
        this.#uids = known;
        return;
      }
    }
    const told = asked.map(
      ({ method, path, body }, at) =>
        `${method} ${path} ${shown(body)}: ${answers[at]!.status} ${shown(answers[at]!.body)}`,
    );
    const expected = [...this.#state.projects].map(([id, project]) => `${id}: ${shown(documentOf(project))}`);
    const found = [...stored.projects].map(([id, document]) => `${id}: ${shown(simplified(document))}`);
    const disk = hasFailed ? "the disk failed" : "no fault";
    throw new Error([`nothing explains this (${disk})`, ...told, "before", ...expected, "now", ...found].join("\n"));
  }

  #fits(state: State, { projects, deployed, apps }: Stored, uids: Uids): Uids | undefined {
    if (!isDeepStrictEqual([...projects.keys()].sort(), [...state.projects.keys()].sort())) return undefined;
    if (!isDeepStrictEqual(apps, new Map([...state.apps].sort()))) return undefined;
    let known: Uids | undefined = uids;
    for (const [id, project] of state.projects) known = known && explained(project, projects.get(id)!, known);
    if (state.deployed === undefined || deployed === undefined) return state.deployed === deployed ? known : undefined;
    return known && explained(state.deployed, deployed, known);
  }

  /** What the files say. */
  #stored(): Stored {
    const projects = new Map<string, JsonObject>();
    for (const file of filesIn(join(this.#folder, "configuration")))
      if (/^[a-z]+\.json$/.test(file))
        projects.set(basename(file, ".json"), read(join(this.#folder, "configuration", file)));
    const apps = filesIn(join(this.#folder, "apps")).filter((name) => !name.startsWith("."));
    const deployed = join(this.#folder, "deploy.json");
    return {
      projects,
      deployed: statSync(deployed, { throwIfNoEntry: false }) && read(deployed),
      apps: new Map(apps.sort().map((name) => [name, readFileSync(join(this.#folder, "apps", name), "utf8")])),
    };
  }

  /** No temporary file is left by requests that went well. */
  #refuseRemains(): void {
    const left = [".", "configuration", "apps"].flatMap((folder) => filesIn(join(this.#folder, folder)));
    const remains = left.filter((name) => name.startsWith(".") || name.endsWith(".tmp"));
    if (remains.length > 0 && this.counts.failed === 0) throw new Error(`left behind: ${remains.join()}`);
  }

  /** A client keeps what it reads. */
  async #keepBackup(): Promise<void> {
    const [id, project] = this.#random.pick([...this.#state.projects, [undefined, undefined] as const]);
    if (id === undefined) return;
    const { status, body } = await this.#ask(requests.backup(id, this.#hashOf(id)));
    if (status === 200) this.#backups = [...this.#backups, [project, body] as const].slice(-5);
  }

  /** Somebody writes a file with an editor, in place or as another file. */
  #edit(): void {
    const [project, document] = this.#random.pick([...this.#backups, [undefined, undefined] as const]);
    if (project === undefined || this.#state.projects.size === 0) return;
    this.counts.edits++;
    const id = this.#random.pick([...this.#state.projects.keys()]);
    const file = join(this.#folder, "configuration", `${id}.json`);
    const text = JSON.stringify(document);
    if (this.#random.chance(0.5)) writeFileSync(file, text);
    else {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    }
    this.#state = { ...this.#state, projects: new Map(this.#state.projects).set(id, project) };
  }

  #addTemplate(): void {
    const [project, document] = this.#random.pick([...this.#backups, [undefined, undefined] as const]);
    if (project === undefined) return;
    writeFileSync(join(this.#templates, "template.json"), JSON.stringify(document));
    this.#state = { ...this.#state, templates: new Map([["template", project]]) };
  }

  /** The password of a project, nearly always. */
  #hashOf(id: string): string | undefined {
    if (this.#random.chance(0.1)) return this.#random.pick([undefined, ...hashes]);
    const project = this.#state.projects.get(id) ?? this.#state.templates.get(id);
    return project?.settings.find(({ name }) => name === "password")?.hash as string | undefined;
  }

  #value(): Json {
    const n = this.#serial++;
    return this.#random.pick<Json>([n, `v${n}`, null, true, { a: n }, [n], 0, "", 0.1]);
  }

  /** Of a content: some are empty. */
  #length(): number {
    return this.#random.chance(0.1) ? 0 : this.#random.integer(1, 200_000);
  }

  #list<Item>(most: number, make: () => Item): readonly Item[] {
    return Array.from({ length: this.#random.integer(0, most) }, make);
  }

  #parameter = () => ({
    name: this.#random.pick(["out.1.mode", "p", "q"]),
    value: this.#value(),
    ...(this.#random.chance(0.2) && { unit: "V" }),
  });

  #rule() {
    const rule = () => this.#random.pick(["A", "B", "C"]);
    return {
      option: this.#random.pick(["fitted", "none"]),
      muxing: this.#random.pick<string | readonly string[]>([rule(), [rule()], [rule(), rule()], []]),
    };
  }

  #step(): Step {
    const random = this.#random;
    const id = random.pick([0, 4095]);
    const name = random.pick(["x", "y"]);
    const parameter = random.pick(["out.1.mode", "p", "q"]);
    const group = random.pick(["g", "h"]);
    const rule = random.pick(["A", "B", "C"]);
    const config = () =>
      this.#list(2, () => ({
        deviceId: random.pick([0, 4095]),
        parameters: this.#list(2, this.#parameter).map(({ name, value }) => ({ name, value })),
      }));
    return random.pick<() => Step>([
      () =>
        steps.putDevice(id, { ...(random.chance(0.3) && { label: name }), parameters: this.#list(3, this.#parameter) }),
      () => steps.putDevice(id, {}),
      () => steps.deleteDevice(id),
      () => steps.putParameter(id, parameter, { value: this.#value() }),
      () => steps.putParameters(id, this.#list(3, this.#parameter)),
      () => steps.deleteParameter(id, parameter),
      () => steps.deleteParameters(id, [parameter, "q"]),
      () => steps.putMuxing(rule, random.chance(0.9) ? { config: config() } : {}),
      () => steps.putMuxing(rule, { config: config() }),
      () => steps.deleteMuxing(rule),
      () =>
        steps.putGroup(
          group,
          this.#list(3, () => this.#rule()),
        ),
      () => steps.deleteGroup(group),
      () => steps.appendRule(group, this.#rule()),
      () => steps.deleteRule(group, random.integer(0, 2)),
      () => steps.putView(name, { body: this.#value() }),
      () => steps.renameView(name, random.pick(["x", "y"])),
      () => steps.enableView(name, random.chance(0.5)),
      () => steps.putSensor(name, { n: this.#value() }),
      () => steps.deleteSensor(name),
      () => steps.putSynapse(random.pick(["1", "12"]), { label: this.#value() }),
      () => steps.deleteSynapse(random.pick(["1", "12"])),
      () => steps.putPassword(random.pick(hashes)),
      () => steps.deletePassword(),
    ])();
  }

  #request(): Request {
    const random = this.#random;
    const known = [...this.#state.projects.keys()];
    const id = random.pick(random.chance(0.15) || known.length === 0 ? ids : known);
    const hash = this.#hashOf(id);
    if (random.chance(0.5)) return requests.step(id, this.#step(), hash);
    const [project, document] = random.pick([...this.#backups, [undefined, undefined] as const]);
    const answers = random.chance(0.3)
      ? { commissioning: { [random.pick(["g", "h"])]: random.pick(["fitted", "none"]) } }
      : {};
    return random.pick<() => Request>([
      () => requests.transaction(id, [this.#step(), ...this.#list(3, () => this.#step())], hash),
      () => requests.transaction(id, [this.#step(), ...this.#list(3, () => this.#step())], hash),
      () => requests.putMedia(id, random.pick(["logo", "plan"]), "m".repeat(this.#length()), hash),
      () => requests.backup(id, hash),
      () => requests.create(id, random.chance(0.5) ? `Hull ${this.#serial++}` : undefined, hash),
      () => (project === undefined ? requests.create(id) : requests.restore(id, project, document, hash)),
      () => requests.remove(id, hash),
      () => requests.rename(id, random.pick(ids), hash),
      () => requests.duplicate(id, random.pick(ids), { ...(random.chance(0.3) && { name: "Copy" }), ...answers }, hash),
      () => requests.deploy(id, hash),
      () => requests.deploy(id, hash),
      () => requests.putApp(random.pick(["notes", "plans"]), `${this.#serial++} `.repeat(this.#length() / 10)),
      () => requests.removeApp(random.pick(["notes", "plans"])),
    ])();
  }
}

interface Stored {
  readonly projects: ReadonlyMap<string, JsonObject>;
  readonly deployed: JsonObject | undefined;
  readonly apps: ReadonlyMap<string, string>;
}

/** Where requests may have led: the state that others see, and what a power cut has left of it. */
interface End {
  readonly seen: State;
  readonly kept: State;
  readonly uids: Uids;
}

/** Where a request with this answer may lead; none if nothing explains the answer. */
function endsAfter(
  { seen, kept, uids }: End,
  request: Request,
  { status, body }: Answer,
  failure: { readonly isCut: boolean } | undefined,
): readonly End[] {
  const outcome = request.of(seen);
  if (outcome.status === status) {
    const { shows, state } = outcome;
    const isShown = shows !== undefined && status === 200 && failure === undefined;
    const known = isShown ? explained(shows, body as JsonObject, uids) : uids;
    return known === undefined
      ? []
      : [{ seen: state, kept: state === seen ? kept : request.of(kept).state, uids: known }];
  }
  if (failure === undefined || status !== 500) return [];
  // What is told as failed may be done: the name was there, and its sync failed. A power cut may take it back.
  const done = { seen: outcome.state, kept: outcome.state, uids };
  return [{ seen, kept, uids }, done, ...(failure.isCut ? [{ ...done, kept }] : [])];
}

/** A value in a message, without long contents. */
const shown = (value: unknown): string =>
  value instanceof Uint8Array
    ? `${value.length} bytes`
    : JSON.stringify(value, (_, member) => (typeof member === "string" ? member.slice(0, 40) : member));

const read = (path: string): JsonObject => JSON.parse(readFileSync(path, "utf8")) as JsonObject;

const filesIn = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false }) === undefined
    ? []
    : readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

/** What lies in the folder, without the copies. */
function treeOf(folder: string): Tree {
  const folders = ["configuration", "apps"].filter((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  const files = ["", ...folders].flatMap((name) => filesIn(join(folder, name)).map((file) => join(name, file)));
  return {
    folders,
    files: new Map(files.map((file) => [file, Uint8Array.from(readFileSync(join(folder, file)))])),
    links: new Map(),
  };
}
