/**
 * The devices that the boat has heard, those that have fallen silent included, until the crew forgets them: a screen
 * that was not there knows them too. Retained, and read once, at the start.
 */
import { describeName, kindOfDevice } from "../../core/n2k/device-name.ts";
import { NO_MANUFACTURER } from "../../core/n2k/no-manufacturer.ts";
import { metadataAt } from "../../core/report/envelope.ts";
import { writerOf } from "../../core/report/write.ts";
import { textOf } from "../../core/text/ascii-buffer.ts";
import { isoTime } from "../../core/text/date.ts";
import { type KnownDevice, knownDevicesMessage, MAX_KNOWN } from "../../core/topics/device-reports.ts";
import { readMessage } from "../../core/topics/read-message.ts";
import { topics } from "../../core/topics/topics.ts";
import { type Boat, labelOfDevice } from "./boat.ts";
import type { Part } from "./part.ts";

/** Interval at which the devices are looked at. */
const INTERVAL_MS = 5000;
/** Time in which a device is heard, if it is there, also after the first message of a start: three heartbeats. */
const HEARD_WITHIN_MS = 180_000;

interface Known {
  readonly name: bigint;
  addr: number;
  label: string;
  about: readonly string[];
  /** Wall clock. */
  heard: number;
  /** It was not silent before this start, and has not been heard since. */
  isOfBefore: boolean;
  /** Why it is not on the bus: it is silent, or may still be heard after this start; undefined: it is. */
  missing: "silent" | "unheard" | undefined;
}

export class DeviceMemory implements Part {
  readonly commands: NonNullable<Part["commands"]> = {
    knownDevices: (_, payload) => this.#restore(payload),
    forgetDevice: (_, payload) => this.#forget(payload),
  };
  due = Number.NEGATIVE_INFINITY;
  readonly #boat: Boat;
  readonly #text = textOf(writerOf(knownDevicesMessage));
  /** By NAME, the one that was found first first. */
  readonly #known = new Map<bigint, Known>();
  #isRead = false;
  /** When this start has heard anything first. */
  #hearsSince: number | undefined;
  /** The devices of the last message by what may change, and when it was published. */
  #published = "";
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor(boat: Boat) {
    this.#boat = boat;
  }

  get kept(): number {
    return this.#known.size;
  }

  /** Takes the first message that the broker sends; the later ones are of this start. */
  #restore(text: string | undefined): void {
    if (this.#isRead || !text) return;
    this.#isRead = true;
    try {
      const { data, metadata } = readMessage("knownDevices", JSON.parse(text));
      for (const { name, addr, label, about, silentSince, unheardSince } of data.devices.slice(0, MAX_KNOWN)) {
        if (this.#known.has(BigInt(name))) continue;
        const heard = Date.parse(silentSince ?? unheardSince ?? metadata.rxDate);
        const isOfBefore = Date.parse(metadata.rxDate) - heard < HEARD_WITHIN_MS || silentSince === undefined;
        const missing = isOfBefore ? "unheard" : "silent";
        this.#known.set(BigInt(name), { name: BigInt(name), addr, label, about, heard, isOfBefore, missing });
      }
    } catch {
      // Of another program.
    }
  }

  /** Forgets a silent device, by its NAME in digits. */
  #forget(payload = ""): void {
    if (!/^\d{1,20}$/.test(payload) || this.#known.get(BigInt(payload))?.missing !== "silent") return;
    this.#known.delete(BigInt(payload));
    this.due = Number.NEGATIVE_INFINITY;
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    this.due = now + INTERVAL_MS;
    if (this.#boat.heardAt !== undefined) this.#hearsSince ??= now;
    this.#observe(now, wall);
    // The list of before this start, which the broker retains, is read before it is overwritten.
    if (!this.#isRead && this.#boat.publisher.isReading) return;
    const devices = this.#rows();
    const news = JSON.stringify(devices);
    if (news === this.#published && now - this.#publishedAt < topics.knownDevices.repeatMs) return;
    this.#published = news;
    this.#publishedAt = now;
    const { publisher, topics: below } = this.#boat;
    publisher.retain(below.knownDevices(), this.#text({ data: { devices }, metadata: metadataAt(wall) }));
  }

  #observe(now: number, wall: number): void {
    const { devices } = this.#boat;
    const present = new Set<bigint>();
    const unnamed = new Map<number, number>();
    // A device on several networks has the lowest of its addresses.
    for (const [addr, { name, heard }] of [...devices.addresses].sort(([one], [other]) => one - other)) {
      if (name === undefined) unnamed.set(addr, wall - (now - heard));
      else if (!present.has(name)) {
        present.add(name);
        this.#note(name, addr, wall - (now - heard));
      }
    }
    const isNew = this.#hearsSince === undefined || now - this.#hearsSince < HEARD_WITHIN_MS;
    for (const known of this.#known.values()) {
      if (present.has(known.name)) continue;
      // A device at its address whose NAME is not known yet is not missing.
      const heard = unnamed.get(known.addr);
      known.heard = heard ?? known.heard;
      const mayCome = (known.isOfBefore && isNew) || Math.abs(wall - known.heard) < HEARD_WITHIN_MS;
      known.missing = heard !== undefined ? undefined : mayCome ? "unheard" : "silent";
    }
  }

  #note(name: bigint, addr: number, heard: number): void {
    const { manufacturerCode, manufacturer, functionName } = describeName(name);
    const maker = manufacturerCode === NO_MANUFACTURER ? undefined : manufacturer;
    const model = this.#boat.devices.modelOf(name);
    const label = labelOfDevice(this.#boat, name) ?? kindOfDevice(name);
    const about = [model, functionName, maker].flatMap((part) => (part && !label.includes(part) ? [part] : []));
    const known = this.#known.get(name);
    const row = { name, addr, label, about, heard, isOfBefore: false, missing: undefined };
    if (known !== undefined) Object.assign(known, row);
    else {
      // A receiver of NMEA 0183 under other letters is the same.
      for (const other of this.#boat.devices.namesOf(name)) if (other !== name) this.#known.delete(other);
      const isFull = this.#known.size >= MAX_KNOWN;
      const oldest = isFull ? [...this.#known.values()].find(({ missing }) => missing === "silent") : undefined;
      if (oldest !== undefined) this.#known.delete(oldest.name);
      if (this.#known.size < MAX_KNOWN) this.#known.set(name, row);
    }
  }

  #rows(): KnownDevice[] {
    return [...this.#known.values()]
      .sort((one, other) => one.addr - other.addr)
      .map(({ name, addr, label, about, heard, missing }) => ({
        name: String(name),
        addr,
        label,
        about: [...about],
        silentSince: missing === "silent" ? isoTime(heard) : undefined,
        unheardSince: missing === "unheard" ? isoTime(heard) : undefined,
      }));
  }
}
