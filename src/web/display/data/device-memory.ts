/**
 * The devices of the boat, those that have fallen silent included: the list of hub-cand drops a device after three
 * minutes of silence. Kept in this browser.
 */

import { signal } from "@preact/signals";
import { dayAndTime, momentText, timeText } from "../instruments/moments.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { BoundedMap } from "./bounded-map.ts";
import { ageOf } from "./freshness.ts";
import { topicRoot } from "./hull.ts";
import { settings } from "./settings.ts";
import { boatClock, type DeviceInformation, nameOfDevice, namesOf, store } from "./store.ts";
import { stored } from "./stored.ts";

/** A device that was heard once; times are milliseconds since 1970 by the boat's clock. */
export interface KnownDevice {
  /** NAME in decimal digits. */
  readonly name: string;
  readonly addr: number;
  readonly label: string;
  readonly about: string;
  /** The last time at which it is known to have sent. */
  readonly heard: number;
  /** Time of the first list without it; absent while it is listed. */
  readonly missed?: number;
}

/** A device that is listed is heard for the last time within this time before the list was made. */
const LISTED_MS = 180_000;
/** Within this time before the first list without it, the last time at which it sent is known well enough to say it. */
const SEEN_MS = LISTED_MS + 60_000;
const WRITE_PERIOD_MS = 60_000;
/** As many as a network has addresses. */
const MAX_KNOWN = 252;
const UNKNOWN_NAME = "0";

/** Details beside the name of a device: its model where it was given another name, its function, its manufacturer. */
export function aboutDevice(information: DeviceInformation): string {
  const name = nameOfDevice(information);
  const { productInfo, functionName, manufacturer } = information;
  return [productInfo?.modelId, functionName, manufacturer]
    .filter((part) => part !== undefined && part !== "" && !name.includes(part))
    .join(" · ");
}

interface Kept {
  readonly boat: string;
  readonly devices: readonly KnownDevice[];
}

const boatNow = (): string => topicRoot + settings.peek().prefix;

function isKnownDevice(value: unknown): value is KnownDevice {
  const { name, addr, label, about, heard, missed = 0 } = (value ?? {}) as Partial<KnownDevice>;
  const isText = [name, label, about].every((text) => typeof text === "string");
  return isText && [addr, heard, missed].every((number) => typeof number === "number");
}

/** The kept devices; none of another boat. */
const memory = stored<Kept>("hub-display-devices", (json) => {
  const { boat, devices } = json as Kept;
  return boat === boatNow() && Array.isArray(devices) ? { boat, devices: devices.filter(isKnownDevice) } : undefined;
});

let known = new BoundedMap<string, KnownDevice>(MAX_KNOWN);
/** The boat whose devices these are, and the time at which they were written, monotonic. */
let boat: string | undefined;
let writtenAt = Number.NEGATIVE_INFINITY;
/** Counts what is forgotten, so that the page is drawn again. */
const forgotten = signal(0);

function write(now: number): void {
  writtenAt = now;
  memory.write({ boat: boatNow(), devices: [...known.values()] });
}

function restore(): void {
  if (boat === boatNow()) return;
  boat = boatNow();
  known = new BoundedMap(MAX_KNOWN);
  writtenAt = Number.NEGATIVE_INFINITY;
  for (const device of memory.read()?.devices ?? []) known.set(device.name, device);
}

/** When the devices sent last, by address, as the report of the traffic tells. */
function lastSent(now: number): ReadonlyMap<number, number> {
  const { traffic } = store;
  if (traffic === undefined) return new Map();
  const made = boatClock(now) - 1000 * ageOf(traffic.stamp, now);
  return new Map(traffic.data.devices.map(({ addr, silentSec }) => [addr, made - 1000 * silentSec]));
}

/** Takes over the list of hub-cand, as it is at the monotonic time `now`. */
export function followDevices(now: number): void {
  restore();
  const { devices, infos } = store;
  if (devices === undefined) return;
  const made = boatClock(now) - 1000 * ageOf(devices.stamp, now);
  const sent = lastSent(now);
  const { peers } = devices.data;
  let isNews = false;
  for (const { addr, name } of peers) {
    const information = infos.get(addr)?.data;
    if (name === UNKNOWN_NAME || information?.name !== name) continue;
    const [before] = namesOf(name).flatMap((each) => known.get(each) ?? []);
    const evidence = Math.max(made - LISTED_MS, sent.get(addr) ?? Number.NEGATIVE_INFINITY);
    // A clock that was set back: what is in its future says nothing.
    const heard = before === undefined || before.heard > made ? evidence : Math.max(before.heard, evidence);
    if (before !== undefined && before.name !== name) known.delete(before.name);
    known.set(name, { name, addr, label: nameOfDevice(information), about: aboutDevice(information), heard });
  }
  for (const device of missing(peers))
    if (device.missed === undefined) {
      isNews = true;
      known.set(device.name, { ...device, missed: made });
    }
  if (isNews || now - writtenAt >= WRITE_PERIOD_MS) write(now);
}

type Peers = NonNullable<typeof store.devices>["data"]["peers"];

/** A device at its address whose NAME is not known yet, as after a start of hub-cand, is not missing. */
function missing(peers: Peers): readonly KnownDevice[] {
  const present = new Set(peers.flatMap(({ name }) => namesOf(name)));
  const unnamed = new Set(peers.filter(({ name }) => name === UNKNOWN_NAME).map(({ addr }) => addr));
  return [...known.values()].filter(({ name, addr }) => !present.has(name) && !unnamed.has(addr));
}

/** A row of a list of devices: one that hub-cand lists, or one that has fallen silent. */
interface DeviceRow {
  readonly addr: number;
  readonly silent?: KnownDevice;
}

/** The devices that hub-cand lists and those that it does not list any more, by address. */
export function deviceRows(now: number): readonly DeviceRow[] {
  void forgotten.value;
  followDevices(now);
  const peers = store.devices?.data.peers;
  if (peers === undefined) return [];
  const silent = missing(peers).map((device): DeviceRow => ({ addr: device.addr, silent: device }));
  return [...peers.map(({ addr }) => ({ addr })), ...silent].sort((one, other) => one.addr - other.addr);
}

export function forgetDevice(name: string): void {
  known.delete(name);
  write(performance.now());
  forgotten.value++;
}

/** The age of the last message of a listed device, seconds; undefined without a report of the traffic. */
export function silenceOf(address: number, now: number): number | undefined {
  const sent = lastSent(now).get(address);
  return sent === undefined ? undefined : (boatClock(now) - sent) / 1000;
}

/** A moment, without its day if that is today. */
const shortMoment = (moment: number, now: number): string =>
  dayAndTime(moment)[0] === dayAndTime(boatClock(now))[0] ? timeText(moment) : momentText(moment);

/** Since when a device is silent, as well as this screen knows it. */
export function silentText({ heard, missed = heard }: KnownDevice, now: number): string {
  const last = shortMoment(heard, now);
  if (missed - heard <= SEEN_MS)
    return say("silent since {last}, {duration}", { last, duration: durationText((boatClock(now) - heard) / 1000) });
  return say("last heard by this screen {last}, silent since {moment} or before", {
    last,
    moment: shortMoment(missed - LISTED_MS, now),
  });
}
