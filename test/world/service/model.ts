/**
 * What hub-configd promises of projects, as a model: requests are functions of the state, and answers are statuses.
 * Parameters have their base alone here; `documentOf` puts the muxing rules over them.
 */
import type { Json } from "../../../src/core/project/json.ts";

interface Parameter {
  readonly name: string;
  readonly value: Json;
  readonly unit?: string;
}

interface Device {
  readonly deviceId: number;
  readonly label?: string;
  readonly parameters: readonly Parameter[];
}

interface Muxing {
  readonly name: string;
  readonly config?: readonly { readonly deviceId: number; readonly parameters: readonly Parameter[] }[];
}

interface Rule {
  readonly option: string;
  readonly muxing: string | readonly string[];
}

interface Group {
  readonly groupId: string;
  readonly rules: readonly Rule[];
  readonly selected?: string;
}

interface Named {
  readonly name: string;
  readonly [member: string]: Json | undefined;
}

export interface Project {
  /** A symbol: the service chooses identifiers. */
  readonly uid: string;
  readonly name: string;
  readonly duplicateFrom?: string;
  readonly settings: readonly Named[];
  readonly device: readonly Device[];
  readonly sensor: readonly Named[];
  readonly synapse: Readonly<Record<string, Json>>;
  readonly muxing: readonly Muxing[];
  /** Contents by name. */
  readonly media: readonly (readonly [name: string, content: string])[];
  readonly view: readonly Named[];
  readonly commissioning: readonly Group[];
}

export interface State {
  readonly projects: ReadonlyMap<string, Project>;
  readonly templates: ReadonlyMap<string, Project>;
  readonly deployed: Project | undefined;
  readonly apps: ReadonlyMap<string, string>;
}

export interface Outcome {
  readonly status: number;
  readonly state: State;
  /** The project that the answer is, where it is one. */
  readonly shows?: Project;
}

/** A request of a client, who may know a password. */
export interface Request {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: Json | Uint8Array;
  readonly hash?: string;
  readonly of: (state: State) => Outcome;
}

/** A change of a project, and its status; undefined: the project stays. */
type Change = (project: Project) => readonly [status: number, changed?: Project | undefined];

/** A request of a section: alone, or a step of a transaction. */
export interface Step {
  readonly method: "PUT" | "DELETE";
  readonly path: string;
  readonly body?: Json;
  readonly change: Change;
}

let uids = 0;
const newUid = (): string => `uid ${uids++}`;

const blank = (name: string): Project => ({
  uid: newUid(),
  name,
  settings: [],
  device: [],
  sensor: [],
  synapse: {},
  muxing: [],
  media: [],
  view: [],
  commissioning: [],
});

/** A list with an entry in place of the one with its key, or at the end. */
function put<Entry>(list: readonly Entry[], entry: Entry, keyOf: (entry: Entry) => unknown): readonly Entry[] {
  const place = list.findIndex((each) => keyOf(each) === keyOf(entry));
  return place === -1 ? [...list, entry] : list.with(place, entry);
}

const nameOf = ({ name }: { readonly name: string }): string => name;
const putAll = <Entry extends { readonly name: string }>(list: readonly Entry[], entries: readonly Entry[]) =>
  entries.reduce((all, entry) => put(all, entry, nameOf), list);

/** The rules of a device's parameters by name, the last entry of muxing first in force, in the order of creation. */
function rulesOver({ muxing }: Project, deviceId: number): ReadonlyMap<string, { value: Json; muxing: string }> {
  const rules = new Map<string, { value: Json; muxing: string }>();
  for (const { name: rule, config = [] } of muxing)
    for (const each of config)
      if (each.deviceId === deviceId)
        for (const { name, value } of each.parameters) rules.set(name, { value, muxing: rule });
  return rules;
}

const has = (project: Project, device: Device, name: string): boolean =>
  device.parameters.some((each) => each.name === name) || rulesOver(project, device.deviceId).has(name);

/** In an order of their own: places of parameters that rules create follow from the past. */
export const sorted = <Entry extends { readonly name: string }>(list: readonly Entry[]): readonly Entry[] =>
  list.toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** The document as it is stored, with the members that the service computes in their simplest form. */
export function documentOf(project: Project): Json {
  const { device, media, synapse, ...others } = project;
  const devices = device.map(({ deviceId, parameters, ...own }) => {
    const rules = rulesOver(project, deviceId);
    const bases = parameters.map((base) => {
      const rule = rules.get(base.name);
      return rule === undefined ? base : { ...base, ...rule, base: base.value };
    });
    const created = [...rules].filter(([name]) => !parameters.some((base) => base.name === name));
    return {
      deviceId,
      ...own,
      parameters: sorted([...bases, ...created.map(([name, rule]) => ({ name, ...rule }))]),
    };
  });
  return {
    ...others,
    device: devices,
    media: media.map(([name, content]) => ({ name, content })),
    synapse,
  } as unknown as Json;
}

const device =
  (id: number, change: (device: Device, project: Project) => readonly [number, Device?]): Change =>
  (project) => {
    const stored = project.device.find(({ deviceId }) => deviceId === id);
    if (stored === undefined) return [404];
    const [status, changed] = change(stored, project);
    return [status, changed && { ...project, device: put(project.device, changed, ({ deviceId }) => deviceId) }];
  };

const group =
  (id: string, change: (group: Group) => readonly [number, Group?]): Change =>
  (project) => {
    const stored = project.commissioning.find(({ groupId }) => groupId === id);
    if (stored === undefined) return [404];
    const [status, changed] = change(stored);
    const changedList = changed && put(project.commissioning, changed, ({ groupId }) => groupId);
    return [status, changedList && { ...project, commissioning: changedList }];
  };

const namesIn = ({ muxing }: Rule): readonly string[] => (typeof muxing === "string" ? [muxing] : muxing);

/** Without a muxing entry; a commissioning rule whose last name is lost goes with it. */
function withoutMuxing(project: Project, name: string): Project {
  const left = (rule: Rule): readonly Rule[] => {
    const names = namesIn(rule);
    if (!names.includes(name)) return [rule];
    const rest = names.filter((other) => other !== name);
    return rest.length === 0 ? [] : [{ ...rule, muxing: rest }];
  };
  return {
    ...project,
    muxing: project.muxing.filter((entry) => entry.name !== name),
    commissioning: project.commissioning.map((each) => ({ ...each, rules: each.rules.flatMap(left) })),
  };
}

/** Removes the entry of a key, if it is there. */
const removal =
  <Name extends "device" | "muxing" | "commissioning" | "view" | "sensor" | "settings">(
    section: Name,
    is: (entry: Project[Name][number]) => boolean,
  ): Change =>
  (project) =>
    project[section].some((entry) => is(entry))
      ? [200, { ...project, [section]: (project[section] as readonly Project[Name][number][]).filter((e) => !is(e)) }]
      : [404];

const step = (method: Step["method"], path: string, body: Json | undefined, change: Change): Step => ({
  method,
  path,
  ...(body !== undefined && { body }),
  change,
});

export const steps = {
  putDevice: (id: number, body: { readonly label?: string; readonly parameters?: readonly Parameter[] }) =>
    step("PUT", `/device/${id}`, body as Json, (project) => {
      const { parameters = [], ...own } = body;
      const entry = { deviceId: id, ...own, parameters: putAll([], parameters) };
      return [201, { ...project, device: put(project.device, entry, ({ deviceId }) => deviceId) }];
    }),
  deleteDevice: (id: number) =>
    step(
      "DELETE",
      `/device/${id}`,
      undefined,
      removal("device", ({ deviceId }) => deviceId === id),
    ),
  putParameter: (id: number, name: string, body: Omit<Parameter, "name">) =>
    step(
      "PUT",
      `/device/${id}/parameter/${name}`,
      body as Json,
      device(id, (stored) => [201, { ...stored, parameters: put(stored.parameters, { name, ...body }, nameOf) }]),
    ),
  putParameters: (id: number, list: readonly Parameter[]) =>
    step(
      "PUT",
      `/device/${id}/parameters`,
      list as unknown as Json,
      device(id, (stored) => [201, { ...stored, parameters: putAll(stored.parameters, list) }]),
    ),
  deleteParameter: (id: number, name: string) =>
    step(
      "DELETE",
      `/device/${id}/parameter/${name}`,
      undefined,
      device(id, (stored, project) =>
        has(project, stored, name)
          ? [200, { ...stored, parameters: stored.parameters.filter((each) => each.name !== name) }]
          : [404],
      ),
    ),
  deleteParameters: (id: number, names: readonly string[]) =>
    step(
      "DELETE",
      `/device/${id}/parameters`,
      names as Json,
      device(id, (stored) => [
        200,
        { ...stored, parameters: stored.parameters.filter(({ name }) => !names.includes(name)) },
      ]),
    ),
  putMuxing: (name: string, body: Omit<Muxing, "name">) =>
    step("PUT", `/muxing/${name}`, body as unknown as Json, (project) => [
      201,
      { ...project, muxing: put(project.muxing, { name, ...body }, nameOf) },
    ]),
  deleteMuxing: (name: string) =>
    step("DELETE", `/muxing/${name}`, undefined, (project) =>
      project.muxing.some((entry) => entry.name === name) ? [200, withoutMuxing(project, name)] : [404],
    ),
  putGroup: (id: string, rules: readonly Rule[]) =>
    step("PUT", `/commissioning/${id}`, { rules } as unknown as Json, (project) => [
      201,
      { ...project, commissioning: put(project.commissioning, { groupId: id, rules }, ({ groupId }) => groupId) },
    ]),
  deleteGroup: (id: string) =>
    step(
      "DELETE",
      `/commissioning/${id}`,
      undefined,
      removal("commissioning", ({ groupId }) => groupId === id),
    ),
  appendRule: (id: string, rule: Rule) =>
    step(
      "PUT",
      `/commissioning/${id}/rules`,
      rule as unknown as Json,
      group(id, (stored) => [201, { ...stored, rules: [...stored.rules, rule] }]),
    ),
  deleteRule: (id: string, index: number) =>
    step(
      "DELETE",
      `/commissioning/${id}/rules/${index}`,
      undefined,
      group(id, (stored) =>
        index < stored.rules.length ? [201, { ...stored, rules: stored.rules.toSpliced(index, 1) }] : [400],
      ),
    ),
  putView: (name: string, body: Readonly<Record<string, Json>>) =>
    step("PUT", `/view/${name}`, body, (project) => [
      201,
      {
        ...project,
        view: put(project.view, { name, tags: [], enabled: true, settings: {}, texts: {}, ...body }, nameOf),
      },
    ]),
  renameView: (name: string, to: string) =>
    step("PUT", `/view/${name}/name`, { name: to }, (project) => {
      const place = project.view.findIndex((view) => view.name === name);
      if (place === -1) return [404];
      if (name === to) return [200];
      if (project.view.some((view) => view.name === to)) return [409];
      return [200, { ...project, view: project.view.with(place, { ...project.view[place]!, name: to }) }];
    }),
  enableView: (name: string, enabled: boolean) =>
    step("PUT", `/view/${name}/enabled`, enabled, (project) => {
      const stored = project.view.find((view) => view.name === name);
      if (stored === undefined) return [404];
      return [200, { ...project, view: put(project.view, { ...stored, enabled }, nameOf) }];
    }),
  putSensor: (name: string, body: Readonly<Record<string, Json>>) =>
    step("PUT", `/sensor/${name}`, body, (project) => [
      201,
      { ...project, sensor: put(project.sensor, { name, ...body }, nameOf) },
    ]),
  deleteSensor: (name: string) =>
    step(
      "DELETE",
      `/sensor/${name}`,
      undefined,
      removal("sensor", (entry) => entry.name === name),
    ),
  putSynapse: (id: string, body: Readonly<Record<string, Json>>) =>
    step("PUT", `/synapse/${id}`, body, (project) => [
      201,
      { ...project, synapse: { ...project.synapse, [id]: body } },
    ]),
  deleteSynapse: (id: string) =>
    step("DELETE", `/synapse/${id}`, undefined, (project) => {
      const { [id]: removed, ...rest } = project.synapse;
      return removed === undefined ? [404] : [200, { ...project, synapse: rest }];
    }),
  putPassword: (hash: string) =>
    step("PUT", "/settings/password", { hash }, (project) => [
      201,
      { ...project, settings: put(project.settings, { name: "password", hash }, nameOf) },
    ]),
  deletePassword: () =>
    step(
      "DELETE",
      "/settings/password",
      undefined,
      removal("settings", ({ name }) => name === "password"),
    ),
} as const;

const passwordOf = ({ settings }: Project): Json | undefined => settings.find(({ name }) => name === "password")?.hash;

const isRefused = (project: Project, hash: string | undefined): boolean => {
  const password = passwordOf(project);
  return password !== undefined && password !== hash;
};

const found = ({ projects, templates }: State, id: string): Project | undefined =>
  projects.get(id) ?? templates.get(id);

const stored = (state: State, id: string, project: Project): State => ({
  ...state,
  projects: new Map(state.projects).set(id, project),
});

/** An id that nobody has any more. */
function removed(state: State, id: string): State {
  const projects = new Map(state.projects);
  projects.delete(id);
  return { ...state, projects };
}

/** A request that opens a project of the client: 404 and 401 come first. */
const opening =
  (id: string, hash: string | undefined, toChange: boolean, work: (project: Project, state: State) => Outcome) =>
  (state: State): Outcome => {
    const project = toChange ? state.projects.get(id) : found(state, id);
    if (project === undefined) return { status: 404, state };
    return isRefused(project, hash) ? { status: 401, state } : work(project, state);
  };

/** A request that replaces what may be there. */
const replacing =
  (id: string, hash: string | undefined, work: (state: State) => Outcome) =>
  (state: State): Outcome => {
    const before = found(state, id);
    return before !== undefined && isRefused(before, hash) ? { status: 401, state } : work(state);
  };

/** An empty body counts as none, which is refused before the project is looked for. */
const withBody = (content: string, work: Request["of"]): Request["of"] =>
  content === "" ? (state) => ({ status: 400, state }) : work;

/** The project after answers to commissioning questions; undefined: an answer that nobody offers. */
function answered(project: Project, answers: Readonly<Record<string, string>>): Project | undefined {
  const decisions: { readonly id: string; readonly option: string; readonly dropped: ReadonlySet<string> }[] = [];
  for (const [id, option] of Object.entries(answers)) {
    const rules = project.commissioning.find(({ groupId }) => groupId === id)?.rules ?? [];
    const chosen = rules.filter((rule) => rule.option === option);
    if (chosen.length === 0) return undefined;
    const kept = new Set(chosen.flatMap(namesIn));
    decisions.push({ id, option, dropped: new Set(rules.flatMap(namesIn).filter((name) => !kept.has(name))) });
  }
  let now = project;
  for (const { id, option, dropped } of decisions) {
    const place = now.commissioning.findIndex(({ groupId }) => groupId === id);
    const commissioning = now.commissioning.with(place, { ...now.commissioning[place]!, selected: option });
    now = { ...now, commissioning };
    for (const name of dropped) if (now.muxing.some((entry) => entry.name === name)) now = withoutMuxing(now, name);
  }
  return now;
}

const withHash = (hash: string | undefined) => (hash === undefined ? {} : { hash });

export const requests = {
  step: (id: string, { method, path, body, change }: Step, hash?: string): Request => ({
    ...{ method, path: `/project/${id}${path}`, ...(body !== undefined && { body }), ...withHash(hash) },
    of: opening(id, hash, true, (project, state) => {
      const [status, changed] = change(project);
      return { status, state: changed === undefined ? state : stored(state, id, changed) };
    }),
  }),
  transaction: (id: string, list: readonly Step[], hash?: string): Request => ({
    method: "POST",
    path: `/project/${id}/transaction`,
    body: list.map(({ method, path, body }) => ({
      ...{ url: `/project/any${path}`, method },
      ...(body !== undefined && { data: body }),
    })),
    ...withHash(hash),
    of: opening(id, hash, true, (project, state) => {
      let now = project;
      for (const { change } of list) {
        const [status, changed = now] = change(now);
        if (status >= 300) return { status: 500, state };
        now = changed;
      }
      return { status: 200, state: stored(state, id, now) };
    }),
  }),
  putMedia: (id: string, name: string, content: string, hash?: string): Request => ({
    method: "PUT",
    path: `/project/${id}/media/${name}`,
    body: new TextEncoder().encode(content),
    ...withHash(hash),
    of: withBody(
      content,
      opening(id, hash, true, (project, state) => ({
        status: 201,
        state: stored(state, id, { ...project, media: put(project.media, [name, content] as const, ([key]) => key) }),
      })),
    ),
  }),
  backup: (id: string, hash?: string): Request => ({
    method: "GET",
    path: `/project/${id}/backup`,
    ...withHash(hash),
    of: opening(id, hash, false, (project, state) => ({ status: 200, state, shows: project })),
  }),
  create: (id: string, name?: string, hash?: string): Request => ({
    method: "PUT",
    path: `/project/${id}`,
    ...(name !== undefined && { body: { name } }),
    ...withHash(hash),
    of: replacing(id, hash, (state) => ({ status: 201, state: stored(state, id, blank(name ?? id)) })),
  }),
  /** `document` is what a backup of `project` has given. */
  restore: (id: string, project: Project, document: Json, hash?: string): Request => ({
    method: "PUT",
    path: `/project/${id}/restore`,
    body: document,
    ...withHash(hash),
    of: replacing(id, hash, (state) => ({ status: 201, state: stored(state, id, project) })),
  }),
  remove: (id: string, hash?: string): Request => ({
    method: "DELETE",
    path: `/project/${id}`,
    ...withHash(hash),
    of: replacing(id, hash, (state) =>
      state.projects.has(id) ? { status: 200, state: removed(state, id) } : { status: 404, state },
    ),
  }),
  rename: (id: string, newId: string, hash?: string): Request => ({
    method: "PUT",
    path: `/project/${id}/rename/${newId}`,
    ...withHash(hash),
    of: opening(id, hash, true, (project, state) =>
      found(state, newId) === undefined
        ? { status: 201, state: stored(removed(state, id), newId, project) }
        : { status: 409, state },
    ),
  }),
  duplicate: (
    id: string,
    newId: string,
    body: { readonly name?: string; readonly commissioning?: Readonly<Record<string, string>> },
    hash?: string,
  ): Request => ({
    method: "PUT",
    path: `/project/${id}/duplicate/${newId}`,
    body: body as Json,
    ...withHash(hash),
    of: opening(id, hash, false, (project, state) => {
      const copy = answered({ ...project, duplicateFrom: project.uid }, body.commissioning ?? {});
      if (copy === undefined) return { status: 400, state };
      if (found(state, newId) !== undefined) return { status: 409, state };
      const named = { ...copy, uid: newUid(), name: body.name ?? project.name };
      return { status: 201, state: stored(state, newId, named) };
    }),
  }),
  deploy: (id: string, hash?: string): Request => ({
    method: "PUT",
    path: `/project/${id}/deploy`,
    ...withHash(hash),
    of: opening(id, hash, false, (project, state) => ({ status: 201, state: { ...state, deployed: project } })),
  }),
  putApp: (id: string, content: string): Request => ({
    method: "PUT",
    path: `/apps/${id}`,
    body: new TextEncoder().encode(content),
    of: withBody(content, (state) => ({
      status: 201,
      state: { ...state, apps: new Map(state.apps).set(id, content) },
    })),
  }),
  removeApp: (id: string): Request => ({
    method: "DELETE",
    path: `/apps/${id}`,
    of: (state) => {
      if (!state.apps.has(id)) return { status: 404, state };
      const apps = new Map(state.apps);
      apps.delete(id);
      return { status: 200, state: { ...state, apps } };
    },
  }),
} as const;
