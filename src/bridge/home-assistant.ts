/**
 * Discovery messages for Home Assistant: one per device of the bus and one for the navigation report, retained below
 * `<prefix>/device/…/config`, each with the entities whose values have been heard.
 *
 * A device is its NAME, so that identifiers outlive a change of address and a restart; only the topics in the message then
 * change. Nothing is published that has not changed. A message is removed when its device is gone. Since all of them are
 * retained, Home Assistant has them again after its own restart without asking, and the bridge subscribes to nothing.
 */
import type { AsciiBuffer } from "../n2k/ascii-buffer.ts";
import { asciiJson } from "../n2k/ascii-json.ts";
import { describeName } from "../n2k/device-name.ts";
import type { Definition } from "../n2k/field.ts";
import type { NavigationData } from "../nav/report.ts";
import { NAVIGATION_EXPIRES_AFTER_SECONDS } from "../nav/report.ts";
import type { Publisher } from "../ports/publisher.ts";
import { EXPIRE_AFTER_SECONDS } from "./envelope.ts";
import {
  type Component,
  entitiesOf,
  type FieldEntity,
  type MessageEntities,
  valueTemplate,
} from "./home-assistant-entities.ts";
import { navigationEntities } from "./home-assistant-navigation.ts";
import { identityTopic } from "./identity.ts";
import type { Peers } from "./peers.ts";
import type { Report } from "./report.ts";
import type { Topics } from "./topics.ts";

/** How often it looks for what has changed, milliseconds. */
const LOOK = 1000;
/** A device that has just been heard of has more to say; later changes wait longer, for each one is read in full there. */
const FIRST_WORDS = 3000;
const AGAIN = 10_000;
/** Entities of one device: a bus of bad will could name 253 instances of everything. */
const MOST_ENTITIES = 256;

export interface HomeAssistantOptions {
  /** Where Home Assistant looks: `homeassistant` unless it was told otherwise. */
  readonly prefix: string;
  readonly interface: string;
  readonly version: string;
}

export interface HomeAssistantParts {
  readonly topics: Topics;
  readonly publisher: Publisher;
  readonly peers: Peers;
  /** What the last navigation report said. */
  readonly navigation: () => NavigationData;
}

/** An entity of a device, as it was heard. */
interface Heard {
  readonly definition: Definition;
  readonly message: MessageEntities;
  readonly entity: FieldEntity;
  readonly identity: Readonly<Record<string, unknown>>;
  readonly number?: number;
}

interface Device {
  readonly heard: Map<string, Heard>;
  /** PGNs of which everything has been heard. */
  readonly complete: Set<number>;
  /** Monotonic time before which nothing is told. */
  quietUntil: number;
  /** What was told last, and the same without being told. */
  told: string;
}

/** Names of topics and identifiers may have letters, digits, `_` and `-`. */
const safe = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_-]+/g, "_");

/** What is shown as text; a device may fill its fields with anything. */
const text = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined);

export class HomeAssistant implements Report {
  readonly #options: HomeAssistantOptions;
  readonly #parts: HomeAssistantParts;
  readonly #messages = new WeakMap<Definition, MessageEntities | null>();
  readonly #devices = new Map<bigint, Device>();
  readonly #navigation = new Set<string>();
  #navigationTold = "";
  #due = Number.NEGATIVE_INFINITY;

  constructor(options: HomeAssistantOptions, parts: HomeAssistantParts) {
    this.#options = options;
    this.#parts = parts;
  }

  get due(): number {
    return this.#due;
  }

  /** How many things are kept in memory. */
  get kept(): number {
    let kept = this.#devices.size;
    for (const { heard } of this.#devices.values()) kept += heard.size;
    return kept;
  }

  /** Hears what is being published of a device, written in `out` from `from` on, at a monotonic time in milliseconds. */
  hear(source: number, definition: Definition, out: AsciiBuffer, from: number, now: number): void {
    const name = this.#parts.peers.nameOf(source);
    if (name === undefined) return;
    const message = this.#entitiesOf(definition);
    if (message === null) return;
    let device = this.#devices.get(name);
    if (device === undefined) {
      device = { heard: new Map(), complete: new Set(), quietUntil: now + FIRST_WORDS, told: "" };
      this.#devices.set(name, device);
    }
    if (device.complete.has(definition.pgn) || device.heard.size >= MOST_ENTITIES) return;
    const values = JSON.parse(out.text(from)) as Readonly<Record<string, unknown>>;
    const identity = Object.fromEntries(message.identity.map((member) => [member, values[member]]));
    for (const entity of message.entities) {
      if (values[entity.member] === undefined) continue;
      const common = { definition, message, entity, identity };
      if (entity.entry === undefined) this.#remember(device, common);
      else {
        for (const entry of values[entity.member] as readonly Readonly<Record<string, unknown>>[]) {
          const number = entry[entity.entry.numbered] as number;
          if (entry[entity.entry.member] !== undefined) this.#remember(device, { ...common, number });
        }
      }
    }
    const isWhole = message.entities.every(({ member, entry }) => entry === undefined && values[member] !== undefined);
    if (isWhole && message.identity.length === 0) device.complete.add(definition.pgn);
  }

  advance(now: number): void {
    if (now < this.#due) return;
    this.#due = now + LOOK;
    const addresses = new Map<bigint, number>();
    for (const [address, { name }] of this.#parts.peers.addresses) if (name !== undefined) addresses.set(name, address);
    for (const [name, device] of this.#devices) {
      const address = addresses.get(name);
      if (address === undefined) this.#remove(name, device);
      else if (now >= device.quietUntil && device.heard.size > 0) {
        const told = this.#deviceText(name, address, device);
        if (told === device.told) continue;
        device.told = told;
        device.quietUntil = now + AGAIN;
        this.#parts.publisher.retain(this.#topic(`hub_${name}`), told);
      }
    }
    this.#tellNavigation();
  }

  #entitiesOf(definition: Definition): MessageEntities | null {
    let message = this.#messages.get(definition);
    if (message === undefined) {
      message = entitiesOf(definition) ?? null;
      this.#messages.set(definition, message);
    }
    return message;
  }

  #remember({ heard }: Device, what: Heard): void {
    const { definition, entity, identity, number } = what;
    const parts = [definition.pgn, entity.entry ? `${entity.entry.numbered}${number}` : entity.member];
    const key = safe([...parts, ...Object.values(identity).map((value) => value ?? "none")].join("_"));
    if (!heard.has(key) && heard.size < MOST_ENTITIES) heard.set(key, what);
  }

  #remove(name: bigint, { told }: Device): void {
    this.#devices.delete(name);
    if (told !== "") this.#parts.publisher.retain(this.#topic(`hub_${name}`), null);
  }

  #topic(id: string): string {
    return `${this.#options.prefix}/device/${safe(id)}/config`;
  }

  #deviceText(name: bigint, address: number, { heard }: Device): string {
    const { topics, peers } = this.#parts;
    const components = [...heard].map(([key, { definition, message, entity, identity, number }]) => {
      const kinds = Object.values(identity).filter((value) => value !== undefined);
      const component: Component = {
        ...(entity.options as Pick<Component, "platform">),
        name: [message.title, ...kinds, entity.label, ...(number === undefined ? [] : [number])].join(" "),
        unique_id: `hub_${name}_${key}`,
        state_topic: topics.pgn(address, definition.pgn),
        value_template: valueTemplate(entity, identity, number),
        expire_after: EXPIRE_AFTER_SECONDS,
      };
      return [key, component] as const;
    });
    const { manufacturer, functionName } = describeName(name);
    const product = peers.productOf(name);
    const model = text(product?.modelId) ?? text(product?.productName);
    const device = {
      identifiers: [`hub_${name}`],
      name: model ?? `${manufacturer} ${functionName}`,
      manufacturer,
      model,
      sw_version: text(product?.softwareVersion),
      serial_number: text(product?.serialNumber),
    };
    // Compared by NAME, which the device keeps when it takes another address.
    const isThere = `{{ 'online' if value_json.data.peers | selectattr('name', 'eq', ${name}) | list else 'offline' }}`;
    return this.#text(device, components, [{ topic: topics.devices, value_template: isThere }]);
  }

  #tellNavigation(): void {
    const { navigation, publisher, topics } = this.#parts;
    const data = navigation() as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
    const before = this.#navigation.size;
    for (const { key, group, member } of navigationEntities)
      if (data[group]?.[member] !== undefined) this.#navigation.add(key);
    if (this.#navigation.size === before && this.#navigationTold !== "") return;
    if (this.#navigation.size === 0) return;
    const id = `hub_navigation_${safe(this.#options.interface)}`;
    const components = navigationEntities
      .filter(({ key }) => this.#navigation.has(key))
      .map(({ key, options, template }) => {
        const where =
          options.platform === "device_tracker"
            ? { json_attributes_topic: topics.navigation, json_attributes_template: template }
            : {
                state_topic: topics.navigation,
                value_template: template,
                expire_after: NAVIGATION_EXPIRES_AFTER_SECONDS,
              };
        return [key, { ...options, unique_id: `${id}_${key}`, ...where }] as const;
      });
    const device = { identifiers: [id], name: `Navigation (${this.#options.interface})`, model: "Navigation report" };
    this.#navigationTold = this.#text(device, components, []);
    publisher.retain(this.#topic(id), this.#navigationTold);
  }

  /** The message, in the long names of Home Assistant. */
  #text(
    device: Readonly<Record<string, unknown>>,
    components: readonly (readonly [string, Component])[],
    availability: readonly object[],
  ): string {
    const { interface: name, version } = this.#options;
    const isOnline = {
      topic: identityTopic(name),
      value_template: "{{ 'online' if value_json.online else 'offline' }}",
    };
    return asciiJson(
      JSON.stringify({
        device,
        origin: { name: "hub-cand", sw_version: version },
        availability: [isOnline, ...availability],
        availability_mode: "all",
        components: Object.fromEntries(components),
      }),
    );
  }
}
