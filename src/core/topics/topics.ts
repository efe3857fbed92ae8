/**
 * The topics of hub: one table, by which the daemons name them and their readers recognize them. Types of their
 * messages are in `messages.ts`, schemas in `schemas.ts`. Pure, and without zod, because a display reads it too.
 *
 * @example
 * topics.pgn.name({ prefix: "can/can0", addr: 20, pgn: 127250 }) // "can/can0/device/20/pgn/127250"
 * topics.pgn.filter({ prefix: "can/can0", pgn: 127250 })         // "can/can0/device/+/pgn/127250"
 * topicReader("can/can0")("can/can0/device/20/pgn/127250")       // { topic: "pgn", addr: 20, pgn: 127250 }
 */

import {
  AIS_REPEAT_MS,
  EXPIRE_AFTER_SECONDS,
  IDENTITY_EXPIRES_AFTER_SECONDS,
  NAVIGATION_EXPIRES_AFTER_SECONDS,
  NAVIGATION_REPEAT_MS,
} from "../report/timing.ts";

export interface TopicValues {
  /** One level or more, chosen by the operator: `can/can0`. */
  readonly prefix: string;
  /** Address of a device. */
  readonly addr: number;
  readonly pgn: number;
  /** Interval of a slow lane. */
  readonly seconds: number;
  /** Values of the key fields of a PGN. */
  readonly instance: string;
  /** Name of a CAN interface. */
  readonly interface: string;
  /** Id of an active alarm, of an alarm of another program, or of a kept call; or `all`. */
  readonly alarm: string;
  /** A program: `config`, `can-can0`. */
  readonly program: string;
}

type Parameter<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name & keyof TopicValues) | Parameter<Rest>
  : never;

/** QoS, retention and timing of a topic. */
export interface Delivery {
  /** Interval at which an unchanged message is published again; absent: it is not. */
  readonly repeatMs?: number;
  /** `expireAfterSec` of its messages; absent for commands, and for slow lanes, where it follows from the interval. */
  readonly expireAfterSec?: number;
  readonly qos: 0 | 1;
  readonly retain: boolean;
  /** hub-cand subscribes to this topic; it publishes the others. */
  readonly received?: true;
  /** hub-cand alone writes it, for its next start. */
  readonly memory?: true;
  /** Its messages have NAMEs, which exceed the integers that a double can hold (`messages.ts`). */
  readonly hasNames?: true;
}

export interface Topic<Template extends string = string> extends Delivery {
  /** Name with parameters in braces. */
  readonly template: Template;
  readonly title: string;
  name(values: Pick<TopicValues, Parameter<Template>>): string;
  /** The topic filter for all values of the parameters that are left out. */
  filter(values: Partial<Pick<TopicValues, Parameter<Template>>>): string;
}

const fill = (template: string, values: Partial<TopicValues>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: keyof TopicValues) => String(values[name] ?? "+"));

const topic = <const Template extends string, How extends Delivery>(
  template: Template,
  title: string,
  delivery: How,
): Topic<Template> & How => ({
  template,
  title,
  ...delivery,
  name: (values) => fill(template, values),
  filter: (values) => fill(template, values),
});

const expireAfterSec = EXPIRE_AFTER_SECONDS;
const command = { qos: 0, retain: false, received: true } as const;
const memory = { ...command, retain: true, memory: true } as const;
const lane = { qos: 1, retain: true } as const;
const state = { ...lane, expireAfterSec } as const;
const stream = { qos: 0, retain: false, expireAfterSec } as const;

/** The topics in the order in which a reader tries them: a fixed level stands before a parameter at the same place. */
export const topics = {
  pgn: topic("{prefix}/device/{addr}/pgn/{pgn}", "PGN", stream),
  interface: topic("{prefix}/interface", "Interface status", { ...state, repeatMs: 10_000 }),
  devices: topic("{prefix}/devices", "Devices on the bus", { ...state, repeatMs: 30_000, hasNames: true }),
  knownDevices: topic("{prefix}/devices/known", "Devices that the boat has heard", {
    ...state,
    received: true,
    memory: true,
    repeatMs: 30_000,
  }),
  infos: topic("{prefix}/device/{addr}/infos", "Device information", { ...state, repeatMs: 30_000, hasNames: true }),
  navigation: topic("{prefix}/navigation", "Navigation report", {
    ...stream,
    repeatMs: NAVIGATION_REPEAT_MS,
    expireAfterSec: NAVIGATION_EXPIRES_AFTER_SECONDS,
  }),
  ais: topic("{prefix}/ais", "AIS report", { ...stream, repeatMs: AIS_REPEAT_MS }),
  alarms: topic("{prefix}/alarms", "Alarms", { ...state, repeatMs: 30_000 }),
  alarmKinds: topic("{prefix}/alarms/kinds", "Kinds of alarms that ring", { ...state, repeatMs: 30_000 }),
  alarmHistory: topic("{prefix}/alarms/history", "History of the alarms", {
    ...state,
    received: true,
    memory: true,
    repeatMs: 30_000,
  }),
  layouts: topic("{prefix}/layouts", "Layouts of assumed PGNs", { ...stream, repeatMs: 5000 }),
  findings: topic("{prefix}/findings", "Findings about the bus", { ...state, repeatMs: 30_000 }),
  traffic: topic("{prefix}/traffic", "Traffic by device and PGN", { ...stream, repeatMs: 10_000 }),
  health: topic("{prefix}/health", "Health of bus and bridge", { ...state, repeatMs: 30_000 }),
  everyNavigation: topic("{prefix}/every/{seconds}/navigation", "Navigation report in a slow lane", lane),
  everyAis: topic("{prefix}/every/{seconds}/ais", "AIS report in a slow lane", lane),
  everyPgn: topic("{prefix}/every/{seconds}/device/{addr}/pgn/{pgn}", "PGN in a slow lane", lane),
  everyPgnInstance: topic(
    "{prefix}/every/{seconds}/device/{addr}/pgn/{pgn}/{instance}",
    "Instance of a PGN in a slow lane",
    lane,
  ),
  info: topic("app/can-{interface}/info", "Identity", {
    ...lane,
    expireAfterSec: IDENTITY_EXPIRES_AFTER_SECONDS,
  }),
  anchorWatch: topic("{prefix}/alarms/anchorWatch/set", "Set and end the anchor watch", { ...command, retain: true }),
  berth: topic("{prefix}/alarms/berth/set", "Give and end the berth", { ...command, retain: true }),
  manOverboard: topic("{prefix}/alarms/manOverboard/set", "Man overboard: press and release the button", {
    ...command,
    retain: true,
  }),
  baseline: topic("{prefix}/findings/baseline/set", "Baseline: the boat is as she should be", {
    ...command,
    retain: true,
  }),
  forgetDevice: topic("{prefix}/devices/known/set", "Forget a device that has fallen silent", command),
  externalAlarm: topic("{prefix}/alarms/external/{alarm}/set", "Raise and end an alarm of another program", {
    qos: 0,
    retain: true,
    received: true,
  }),
  sounding: topic(
    "app/can-{interface}/sounding",
    "Alarms without an answer, which hub-cand keeps for its next start",
    memory,
  ),
  keptCall: topic(
    "app/can-{interface}/calls/{alarm}",
    "Call of distress that hub-cand keeps for its next start",
    memory,
  ),
  formerCall: topic("{prefix}/alarms/calls/{alarm}/set", "Call of distress that hub-cand 1.2 or before kept", memory),
  alarmAnswer: topic("{prefix}/alarms/{alarm}/set", "Acknowledge or silence alarms", command),
} as const;

export type TopicName = keyof typeof topics;

/** Topics of other programs of hub. */
export const appTopics = {
  /** The identity of hub-configd. */
  configInfo: "app/config/info",
  /** The report of hub-config-fetch, which hub-configd publishes. */
  configFetch: "app/config/fetch",
  /** Access requests and holders of tokens of hub-link's Signal K, and the filter of the answers to them. */
  linkAccess: "app/link/access",
  linkAnswers: "app/link/access/+/set",
  /** The destination that hub-link holds, and the command that sets or ends it. */
  linkCourse: "app/link/course",
  linkCourseSet: "app/link/course/set",
  /** Filter of the identities of all programs. */
  anyInfo: "app/+/info",
} as const;

/** The topic of the answer to an access request, or about a holder of a token. */
export const linkAnswer = (id: string): string => appTopics.linkAnswers.replace("+", id);

/** Whether a topic is that of the identity of a program. */
export const isInfo = (name: string): boolean => /^app\/[^/]+\/info$/.test(name);

/** The parameters of a topic without its prefix. */
type ValuesOf<Name extends TopicName> = Omit<Pick<TopicValues, Parameter<(typeof topics)[Name]["template"]>>, "prefix">;

/** A topic that was recognized, with the values of its parameters. */
export type Place = { [Name in TopicName]: { readonly topic: Name } & ValuesOf<Name> }[TopicName];

/** The interface of a prefix: its last level, unless hub-cand was given another. */
export const interfaceOf = (prefix: string): string => prefix.slice(prefix.lastIndexOf("/") + 1);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Canonical decimal, so that no two topics are one place. */
const numeric = "(0|[1-9][0-9]{0,5})";
const numbers: ReadonlySet<string> = new Set<keyof TopicValues>(["addr", "pgn", "seconds"]);

function matcherOf(template: string, prefix: string): (name: string) => Readonly<Record<string, unknown>> | undefined {
  const parameters: string[] = [];
  const pattern = template.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return escaped(part);
    if (part === "prefix") return escaped(prefix);
    parameters.push(part);
    return numbers.has(part) ? numeric : "([^/]+)";
  });
  const expression = new RegExp(`^${pattern.join("")}$`);
  return (name) => {
    const match = expression.exec(name);
    if (match === null) return undefined;
    return Object.fromEntries(
      parameters.map((each, index) => [each, numbers.has(each) ? Number(match[index + 1]) : match[index + 1]]),
    );
  };
}

/** The function that recognizes the topics below a prefix, and the identities; undefined for any other. */
export function topicReader(prefix: string): (name: string) => Place | undefined {
  const entries = Object.entries(topics).map(([kind, { template }]) => ({ kind, match: matcherOf(template, prefix) }));
  return (name) => {
    for (const { kind, match } of entries) {
      const values = match(name);
      if (values !== undefined) return { topic: kind, ...values } as Place;
    }
    return undefined;
  };
}

/**
 * The topic filters to which a hub-cand subscribes; no topic matches two of them. `own`: with its memory, which is that
 * of the boat's own bus.
 */
export function receivedFilters(prefix: string, name: string, own: boolean): readonly string[] {
  const received = Object.values<Topic>(topics).filter((each) => each.received && (own || !each.memory));
  const filters = received.map(({ template }) => fill(template, { prefix, interface: name }));
  return filters.filter((filter) => !filters.some((other) => other !== filter && covers(other, filter)));
}

/** Whether a topic filter without `#` matches all that another one does. */
function covers(filter: string, other: string): boolean {
  const [levels, others] = [filter.split("/"), other.split("/")];
  return levels.length === others.length && levels.every((level, at) => level === "+" || level === others[at]);
}

/** Names of the topics of a hub-cand. */
export type TopicsBelow = {
  readonly [Name in TopicName]: Record<string, never> extends Omit<ValuesOf<Name>, "interface">
    ? () => string
    : (values: Omit<ValuesOf<Name>, "interface">) => string;
};

/** @example topicsBelow("can/can0").infos({ addr: 20 }) // "can/can0/device/20/infos" */
export const topicsBelow = (prefix: string, name = interfaceOf(prefix)): TopicsBelow =>
  Object.fromEntries(
    Object.entries(topics).map(([key, { template }]) => [
      key,
      (values: Partial<TopicValues> = {}) => fill(template, { interface: name, ...values, prefix }),
    ]),
  ) as unknown as TopicsBelow;
