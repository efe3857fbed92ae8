/**
 * Discovery messages for Home Assistant: one per device of the bus, one for the navigation report and one for the
 * alarms, retained below `<prefix>/device/…/config`. Those of devices and of the navigation report have the entities
 * that have had a value.
 *
 * A device is its NAME, so that identifiers stay after a change of address and after a restart; only the topics in the
 * message then change. Only changes are published. The message of a device that has gone is removed. All messages are
 * retained, so that Home Assistant has them after its own restart, of which the bridge does not know.
 */

import type { AnyMessage } from "../../../core/n2k/catalogue.ts";
import type { Definition } from "../../../core/n2k/definition.ts";
import { describeName, kindOfDevice } from "../../../core/n2k/device-name.ts";
import { identityOf } from "../../../core/n2k/stream-key.ts";
import { type NamedThing, nameOfThing } from "../../../core/n2k/thing.ts";
import { entries } from "../../../core/settings/entries.ts";
import { HOME_ASSISTANT_LANE } from "../../../core/settings/lanes.ts";
import { asciiJson } from "../../../core/text/ascii-json.ts";
import { instanceLevel, laneExpirySeconds, lanePgnTopic, safeLevel } from "../../../core/topics/lane-messages.ts";
import { topics } from "../../../core/topics/topics.ts";
import { memoize } from "../../../core/util/memoize.ts";
import type { Boat } from "../boat.ts";
import type { HeardPacket } from "../heard-packet.ts";
import { type Part, uses } from "../part.ts";
import { alarmComponents } from "./alarms.ts";
import { type Component, entitiesOf, type FieldEntity, type MessageEntities, valueTemplate } from "./entities.ts";
import { findingComponents } from "./findings.ts";
import { navigationEntities } from "./navigation.ts";

/** Interval of the checks of devices for changes. */
const CHECK_MS = 1000;
/**
 * Time from the first message of a device to its discovery message: a new device sends several messages in its first
 * seconds.
 */
const DISCOVERY_DEBOUNCE_MS = 3000;
/**
 * Shortest time between two discovery messages of a device, because Home Assistant reads the whole message each time.
 */
const REPUBLISH_MIN_MS = 10_000;
/**
 * Maximum entities and streams of one device, and entities of all; a boat has hundreds. A hostile bus could have any
 * number.
 */
const MAX_ENTITIES = 256;
const MAX_STREAMS = 256;
const MAX_ENTITIES_IN_ALL = 4096;

export interface HomeAssistantOptions {
  /** Prefix of the discovery topics; `homeassistant` by default. */
  readonly prefix: string;
  readonly interface: string;
  readonly version: string;
  /** Name of this computer, whose documentation is the support of the devices. */
  readonly hostname: string;
}

type HomeAssistantBoat = Pick<Boat, "topics" | "publisher" | "log" | "devices" | "names" | "navigation">;

/** A value that a stream may have: a field, or the entry with a number in a numbered list. */
interface Candidate {
  readonly entity: FieldEntity;
  readonly number?: number;
}

/** The messages of a device with one PGN and one key. */
interface DeviceStream {
  readonly definition: Definition;
  readonly message: MessageEntities;
  /** Values of the key fields. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** Values that it has not had yet; each becomes an entity when it is received. */
  missing: readonly Candidate[];
}

interface DeviceEntity extends Candidate {
  readonly stream: DeviceStream;
}

interface Device {
  /** Streams by PGN and key. */
  readonly streams: Map<string, DeviceStream>;
  /** Entities by their key in the discovery message. */
  readonly entities: Map<string, DeviceEntity>;
  /** It has the maximum of entities or streams; no more are added. */
  isFull: boolean;
  /** Monotonic time before which its discovery message is not published, milliseconds. */
  quietUntil: number;
  /** Input of the discovery message that was published last; undefined before the first. */
  published: Discovery | undefined;
}

/** The input of a discovery message that may change. */
interface Discovery {
  readonly address: number;
  readonly entities: number;
  readonly product: unknown;
  readonly names: readonly NamedThing[] | undefined;
  readonly lane: number;
}

/** Every value that a message of this definition may have. */
const candidatesOf = ({ fields }: Definition, { entities }: MessageEntities): readonly Candidate[] =>
  entities.flatMap((entity): readonly Candidate[] => {
    if (entity.entry === undefined) return [{ entity }];
    const list = fields[entity.member];
    const times = list?.kind === "repeat" ? (list.times ?? 0) : 0;
    return Array.from({ length: times }, (_, index) => ({ entity, number: index + 1 }));
  });

const identityIn = memoize(identityOf);

/** The entities of a definition; absent where it has none. */
const described = memoize((definition: Definition) => {
  const message = entitiesOf(definition);
  return message === undefined ? {} : { message, candidates: candidatesOf(definition, message) };
});

function hasValue({ entity: { member, entry }, number }: Candidate, values: AnyMessage): boolean {
  const value = values[member];
  if (entry === undefined || value === undefined) return value !== undefined;
  const entries = value as readonly Readonly<Record<string, unknown>>[];
  return entries.find((each) => each[entry.numbered] === number)?.[entry.member] !== undefined;
}

/** The chapter about Home Assistant, as the boat's nginx serves it; a name without a domain is that of mDNS. */
const supportUrl = (hostname: string): string =>
  `http://${hostname.includes(".") ? hostname : `${hostname}.local`}/api/config/docs/home-assistant.html`;

/** A text of a device without blanks around it; undefined if it is empty then. */
const trimmed = (value: string | undefined): string | undefined => value?.trim() || undefined;

/**
 * The crew's name of the thing, or else its message and instance, and the label of the value; for a switch its name
 * alone.
 */
function entityName(
  { definition: { pgn }, message, identity }: DeviceStream,
  { entity, number }: Candidate,
  names: readonly NamedThing[] | undefined,
): string {
  const item = entity.entry && nameOfThing(names, pgn, { ...identity, [entity.entry.numbered]: number });
  if (item !== undefined) return item;
  const thing = nameOfThing(names, pgn, identity) ?? [message.title, ...message.wordsOf(identity)].join(" ");
  return [thing, entity.label, ...(number === undefined ? [] : [number])].join(" ");
}

export class HomeAssistant implements Part {
  readonly settings = [uses(entries.lanes, ({ homeAssistant }) => this.#useLane(homeAssistant))];
  readonly #options: HomeAssistantOptions;
  readonly #boat: HomeAssistantBoat;
  readonly #hasFindings: boolean;
  readonly #devices = new Map<bigint, Device>();
  /** Entities of all devices. */
  #entities = 0;
  /** Keys of the entities of the navigation report. */
  readonly #navigation = new Set<string>();
  /** Number of these entities in the discovery message last published. */
  #navigationPublished = 0;
  #hasPublishedReports = false;
  /** The slow lane that the entities listen to, seconds. */
  #lane = HOME_ASSISTANT_LANE;
  due = Number.NEGATIVE_INFINITY;

  /** `hasFindings`: whether findings about the bus are published. */
  constructor(boat: HomeAssistantBoat, options: HomeAssistantOptions, hasFindings: boolean) {
    this.#boat = boat;
    this.#options = options;
    this.#hasFindings = hasFindings;
  }

  /** Points the entities at another slow lane. */
  #useLane(seconds: number): void {
    if (seconds === this.#lane) return;
    this.#lane = seconds;
    this.#navigationPublished = 0;
  }

  /** Entries held in memory, so that a test can check their bound. */
  get kept(): number {
    let kept = this.#devices.size;
    for (const { streams, entities } of this.#devices.values()) kept += streams.size + entities.size;
    return kept;
  }

  /**
   * Decodes a packet only while its stream lacks a value.
   */
  published(packet: HeardPacket): void {
    const { source, arrived } = packet;
    const { definition } = packet.reader!;
    const { message, candidates } = described(definition);
    if (message === undefined) return;
    const name = this.#boat.devices.nameOf(source);
    if (name === undefined) return;
    const device = this.#devices.get(name) ?? this.#addDevice(name, arrived);
    if (device.isFull) return;
    const key = `${definition.pgn} ${identityIn(definition)(packet)}`;
    let stream = device.streams.get(key);
    if (stream?.missing.length === 0) return;
    const values = packet.message;
    if (stream === undefined) {
      const identity = Object.fromEntries(message.identity.map((member) => [member, values[member]]));
      stream = { definition, message, identity, missing: candidates };
      device.streams.set(key, stream);
    }
    this.#addEntities(device, stream, values);
  }

  advance(now: number): void {
    if (now < this.due) return;
    this.due = now + CHECK_MS;
    const addresses = new Map<bigint, number>();
    // A device on several networks has the lowest of its addresses.
    for (const [address, { name }] of this.#boat.devices.addresses)
      if (name !== undefined) addresses.set(name, Math.min(address, addresses.get(name) ?? address));
    for (const [name, device] of this.#devices) {
      const address = addresses.get(name);
      if (address === undefined) this.#remove(name, device);
      else if (now >= device.quietUntil) this.#publishDevice(name, address, device, now);
    }
    this.#publishNavigation();
    this.#publishReports();
  }

  #addDevice(name: bigint, now: number): Device {
    const device: Device = {
      streams: new Map(),
      entities: new Map(),
      isFull: false,
      quietUntil: now + DISCOVERY_DEBOUNCE_MS,
      published: undefined,
    };
    this.#devices.set(name, device);
    return device;
  }

  #addEntities(device: Device, stream: DeviceStream, values: AnyMessage): void {
    const found = stream.missing.filter((candidate) => hasValue(candidate, values));
    if (found.length > 0) stream.missing = stream.missing.filter((candidate) => !found.includes(candidate));
    const ofKey = Object.values(stream.identity).map((value) => value ?? "none");
    const { entities, streams } = device;
    for (const { entity, ...more } of found) {
      const member = entity.entry === undefined ? entity.member : `${entity.entry.numbered}${more.number}`;
      const bit = entity.bit === undefined ? [] : [`bit${entity.bit}`];
      const key = safeLevel([stream.definition.pgn, member, ...bit, ...ofKey].join("_"));
      if (entities.has(key)) continue;
      if (entities.size === MAX_ENTITIES || this.#entities === MAX_ENTITIES_IN_ALL) break;
      entities.set(key, { stream, entity, ...more });
      this.#entities++;
    }
    if (entities.size < MAX_ENTITIES && streams.size < MAX_STREAMS && this.#entities < MAX_ENTITIES_IN_ALL) return;
    device.isFull = true;
    streams.clear();
    this.#boat.log.warn("too many entities for Home Assistant, others are left out", {
      code: "HOME_ASSISTANT_FULL",
      entities: this.#entities,
    });
  }

  #publishDevice(name: bigint, address: number, device: Device, now: number): void {
    const { devices, names, publisher } = this.#boat;
    const next: Discovery = {
      address,
      entities: device.entities.size,
      product: devices.productOf(name),
      names: names.ofThings(name),
      lane: this.#lane,
    };
    const { published } = device;
    if (next.entities === 0) return;
    const members = Object.keys(next) as (keyof Discovery)[];
    if (published !== undefined && members.every((member) => published[member] === next[member])) return;
    device.published = next;
    device.quietUntil = now + REPUBLISH_MIN_MS;
    publisher.retain(this.#topic(`hub_${name}`), this.#deviceText(name, address, device));
  }

  #remove(name: bigint, { entities, published }: Device): void {
    this.#devices.delete(name);
    this.#entities -= entities.size;
    if (published !== undefined) this.#boat.publisher.retain(this.#topic(`hub_${name}`), null);
  }

  #topic(id: string): string {
    return `${this.#options.prefix}/device/${safeLevel(id)}/config`;
  }

  #deviceText(name: bigint, address: number, { entities }: Device): string {
    const { topics, devices } = this.#boat;
    const names = this.#boat.names.ofThings(name);
    const lane = this.#lane;
    const components = [...entities].map(([key, { stream, entity, number }]): readonly [string, Component] => {
      const { definition, message, identity } = stream;
      const component = {
        ...(entity.options as Pick<Component, "platform">),
        name: entityName(stream, { entity, ...(number !== undefined && { number }) }, names),
        state_topic: lanePgnTopic(topics, {
          seconds: lane,
          addr: address,
          pgn: definition.pgn,
          instance: instanceLevel(message.identity, identity),
        }),
        value_template: valueTemplate(entity, number),
        expire_after: laneExpirySeconds(lane),
      };
      return [key, component];
    });
    const { manufacturer } = describeName(name);
    const product = devices.productOf(name);
    const model = trimmed(product?.modelId);
    const device = {
      name: model ?? kindOfDevice(name),
      manufacturer,
      model,
      sw_version: trimmed(product?.softwareVersion),
      serial_number: trimmed(product?.serialNumber),
    };
    return this.#text(`hub_${name}`, device, components);
  }

  #publishNavigation(): void {
    const { navigation, publisher, topics } = this.#boat;
    const data = (navigation.latest?.data ?? {}) as Readonly<
      Record<string, Readonly<Record<string, unknown>> | undefined>
    >;
    for (const { key, group, member } of navigationEntities)
      if (data[group]?.[member] !== undefined) this.#navigation.add(key);
    if (this.#navigation.size === this.#navigationPublished) return;
    this.#navigationPublished = this.#navigation.size;
    const topic = topics.everyNavigation({ seconds: this.#lane });
    const id = `hub_navigation_${safeLevel(this.#options.interface)}`;
    const components = navigationEntities
      .filter(({ key }) => this.#navigation.has(key))
      .map(({ key, options, template }) => {
        const where =
          options.platform === "device_tracker"
            ? { json_attributes_topic: topic, json_attributes_template: template }
            : { state_topic: topic, value_template: template, expire_after: laneExpirySeconds(this.#lane) };
        return [key, { ...options, ...where }] as const;
      });
    const device = { name: `Navigation (${this.#options.interface})`, model: "Navigation report" };
    publisher.retain(this.#topic(id), this.#text(id, device, components));
  }

  /** The alarms, and the findings about the bus: their entities are always the same. */
  #publishReports(): void {
    if (this.#hasPublishedReports) return;
    this.#hasPublishedReports = true;
    this.#publishReport("Alarms", alarmComponents);
    if (this.#hasFindings) this.#publishReport("Findings", findingComponents);
  }

  #publishReport(model: "Alarms" | "Findings", componentsOf: typeof alarmComponents): void {
    const { publisher, topics } = this.#boat;
    const id = `hub_${model.toLowerCase()}_${safeLevel(this.#options.interface)}`;
    const device = { name: `${model} (${this.#options.interface})`, model };
    publisher.retain(this.#topic(id), this.#text(id, device, Object.entries(componentsOf(topics))));
  }

  /** A discovery message, with the long names of Home Assistant, of a device and of its components by their keys. */
  #text(id: string, device: object, components: readonly (readonly [key: string, Component])[]): string {
    const { interface: name, version, hostname } = this.#options;
    const isOnline = {
      topic: topics.info.name({ interface: name }),
      value_template: "{{ 'online' if value_json.online else 'offline' }}",
    };
    return asciiJson(
      JSON.stringify({
        device: { identifiers: [id], ...device },
        origin: { name: "hub-cand", sw_version: version, support_url: supportUrl(hostname) },
        availability: [isOnline],
        components: Object.fromEntries(components.map(([key, each]) => [key, { ...each, unique_id: `${id}_${key}` }])),
      }),
    );
  }
}
