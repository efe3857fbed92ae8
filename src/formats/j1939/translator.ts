/**
 * A J1939 network as devices of hub: its messages that hub knows go on as they are, and engines and transmissions say
 * the same in messages of NMEA 2000. All other messages end here, because NMEA 2000 may give their numbers to others.
 */
import { NULL_ADDRESS } from "../../core/can/can-id.ts";
import { decoderOf, type Read } from "../../core/n2k/decode.ts";
import type { Definition } from "../../core/n2k/definition.ts";
import { deviceNameBytes, readDeviceName } from "../../core/n2k/device-name.ts";
import { encoderOf } from "../../core/n2k/encode.ts";
import * as diagnostics from "../../core/n2k/j1939/diagnostics.ts";
import * as engine from "../../core/n2k/j1939/engine.ts";
import { isoAddressClaim, productInformation } from "../../core/n2k/pgns/system.ts";
import { standInName } from "../../core/n2k/stand-in.ts";
import type { Packet } from "../../core/ports/packet-batch.ts";
import { entryOf } from "../../core/util/grouped.ts";
import { memoize } from "../../core/util/memoize.ts";
import { type Role, roleOf } from "./roles.ts";
import { type Target, type Translation, translations } from "./translations.ts";

/** Maximum trouble codes of a message that go on; a transport of J1939 carries 445. */
export const MAX_FAULTS = 40;
/** Bytes before the trouble codes, and of each. */
const LAMP_BYTES = 2;
const CODE_BYTES = 4;

/** Time for which a device may be heard without a claim before it gets a NAME; it claims its address at its start. */
const NAMELESS_MS = 5000;
/** Interval at which a device tells what it is again, which is below the silence after which it is gone. */
const INTRODUCED_EVERY_MS = 60_000;
/** Classes and functions of NMEA 2000 for a device without a NAME: engine, transmission, and a gateway of engines. */
const functions = {
  engine: { classCode: 50, functionCode: 140 },
  transmission: { classCode: 50, functionCode: 165 },
  other: { classCode: 50, functionCode: 160 },
} as const;

/** Takes a message of a device: its address, the PGN and the payload. */
export type Tell = (source: number, pgn: number, payload: Uint8Array) => void;

export interface TranslatorOptions {
  /** The name of the network, of which the NAMEs of devices without a claim are made. */
  readonly network: string;
  /** The number of the first engine of the network. */
  readonly firstEngine: number;
}

const own: ReadonlyMap<number, Definition> = new Map(
  [...Object.values(engine), ...Object.values(diagnostics)].map((definition) => [definition.pgn, definition]),
);
const troubleCodes: ReadonlySet<number> = new Set(Object.values(diagnostics).map(({ pgn }) => pgn));

const decoder = memoize((definition: Definition) => decoderOf(definition) as Read<object>);
const encoder = memoize((definition: Definition) => encoderOf(definition) as (message: object) => Uint8Array);

/** A value until it is too old. */
interface Held {
  readonly value: unknown;
  readonly until: number;
}

/** A device, by its address. */
interface Device {
  readonly firstHeard: number;
  name: bigint | undefined;
  /** The NAME that was made for it, once it is told. */
  madeName: bigint | undefined;
  introducedAt: number;
  /** Values of the messages that are made, and the times of the last ones. */
  readonly held: Map<Target, Map<string, Held>>;
  readonly toldAt: Map<Target, number>;
}

export class Translator {
  readonly #options: TranslatorOptions;
  /** At most 254. */
  readonly #devices = new Map<number, Device>();

  constructor(options: TranslatorOptions) {
    this.#options = options;
  }

  /** Hears a packet and tells the messages that follow from it. */
  hear(packet: Packet, tell: Tell): void {
    const { pgn, source, bytes, at, end, arrived } = packet;
    if (pgn === isoAddressClaim.pgn) {
      this.#claim(packet, tell);
      tell(source, pgn, bytes.subarray(at, end));
      return;
    }
    const definition = own.get(pgn);
    if (definition === undefined || source >= NULL_ADDRESS) return;
    const device = this.#deviceAt(source, arrived);
    this.#introduce(device, source, arrived, tell);
    const payload = bytes.subarray(at, end);
    tell(source, pgn, troubleCodes.has(pgn) ? withoutEmptyCodes(payload) : payload);
    this.#translate(definition, packet, device, tell);
  }

  #deviceAt(address: number, now: number): Device {
    return entryOf(this.#devices, address, () => {
      const never = Number.NEGATIVE_INFINITY;
      const [name, madeName] = [undefined, undefined];
      return { firstHeard: now, name, madeName, introducedAt: never, held: new Map(), toldAt: new Map() };
    });
  }

  /** A device that claims its address has lost the NAME that was made for it, and says so as such a device would. */
  #claim({ source, bytes, at, end, arrived }: Packet, tell: Tell): void {
    if (source >= NULL_ADDRESS) return;
    const device = this.#deviceAt(source, arrived);
    device.name = readDeviceName(bytes, at, end) ?? device.name;
    if (device.name === undefined || device.madeName === undefined) return;
    tell(NULL_ADDRESS, isoAddressClaim.pgn, deviceNameBytes(device.madeName));
    device.madeName = undefined;
    device.introducedAt = Number.NEGATIVE_INFINITY;
  }

  #introduce(device: Device, address: number, now: number, tell: Tell): void {
    if (device.name === undefined && now - device.firstHeard < NAMELESS_MS) return;
    if (now - device.introducedAt < INTRODUCED_EVERY_MS) return;
    device.introducedAt = now;
    const role = this.#roleOf(address, device);
    if (device.name === undefined) device.madeName ??= this.#makeName(address, role);
    // It does not claim its address again after an outage that was long enough for its NAME to be forgotten.
    tell(address, isoAddressClaim.pgn, deviceNameBytes(device.name ?? device.madeName!));
    const modelId = role === undefined ? `J1939 address ${address}` : `J1939 ${role.kind} ${role.number}`;
    const product = { pgn: productInformation.pgn, modelId, serialNumber: this.#options.network.slice(0, 32) };
    tell(address, productInformation.pgn, encoder(productInformation)(product));
  }

  #makeName(address: number, role: Role | undefined): bigint {
    return standInName(`${this.#options.network} ${address}`, functions[role?.kind ?? "other"]);
  }

  #roleOf(address: number, { name }: Device): Role | undefined {
    const role = roleOf(address, name);
    return role && { ...role, number: this.#options.firstEngine + role.number };
  }

  #translate(definition: Definition, packet: Packet, device: Device, tell: Tell): void {
    const role = this.#roleOf(packet.source, device);
    if (role === undefined) return;
    const rows = translations.filter(({ from, to }) => from === definition && to.isOf(role));
    if (rows.length === 0) return;
    const { bytes, at, end, source, arrived } = packet;
    const message = decoder(definition)(bytes, at, end, source);
    for (const row of rows) this.#note(row, message, role, device, arrived);
    for (const to of new Set(rows.map((row) => row.to))) {
      if (arrived - (device.toldAt.get(to) ?? Number.NEGATIVE_INFINITY) < to.everyMs) continue;
      const values = valuesAt(arrived, device.held.get(to)!);
      // A fault that was told has to end.
      if (!device.toldAt.has(to) && !values.some((value) => saysSomething(to, value))) continue;
      const { definition: made, instance } = to;
      device.toldAt.set(to, arrived);
      const data = { pgn: made.pgn, [instance]: role.number, ...Object.fromEntries(values) };
      tell(source, made.pgn, encoder(made)(data));
    }
  }

  #note({ to, read, holdsMs }: Translation, message: object, role: Role, { held }: Device, now: number): void {
    const values = entryOf(held, to, () => new Map());
    for (const [member, value] of read(message, role)) values.set(member, { value, until: now + holdsMs });
  }
}

type Value = readonly [member: string, value: unknown];

/** The values that are available and not too old. */
const valuesAt = (now: number, held: ReadonlyMap<string, Held>): readonly Value[] =>
  [...held].flatMap(([member, { value, until }]) => (value === undefined || until < now ? [] : [[member, value]]));

/** A state without a fault says nothing of a part that the device may not have. */
function saysSomething({ definition }: Target, [member, value]: Value): boolean {
  const field = definition.fields[member];
  return value !== 0 || !(field?.kind === "number" && field.bits !== undefined);
}

/** A message of trouble codes without those that stand for none (all zeros, all ones), and those beyond the maximum. */
export function withoutEmptyCodes(payload: Uint8Array): Uint8Array {
  const kept = new Uint8Array(Math.min(payload.length, LAMP_BYTES + MAX_FAULTS * CODE_BYTES));
  kept.set(payload.subarray(0, LAMP_BYTES));
  let length = Math.min(payload.length, LAMP_BYTES);
  for (let at = LAMP_BYTES; at + CODE_BYTES <= payload.length && length + CODE_BYTES <= kept.length; at += CODE_BYTES) {
    const code = payload.subarray(at, at + CODE_BYTES);
    if (isNoCode(code)) continue;
    kept.set(code, length);
    length += CODE_BYTES;
  }
  return kept.subarray(0, length);
}

/** SPN and FMI are zero, or all ones. */
const isNoCode = ([low, high, fmi]: Uint8Array): boolean =>
  (low === 0 && high === 0 && fmi === 0) || (low === 0xff && high === 0xff && fmi === 0xff);
