/** The devices of the boat, those that have fallen silent included, which hub-cand remembers. */

import type { DataOf } from "../../../core/topics/read-message.ts";
import { topics } from "../../../core/topics/topics.ts";
import { dayAndTime, momentText, timeText } from "../instruments/moments.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { deviceText } from "../languages/setting-texts.ts";
import { publish } from "./connection.ts";
import { manufacturerOf, nameOfDevice, namesOf } from "./device-names.ts";
import { ageOf } from "./freshness.ts";
import { settings } from "./settings.ts";
import { boatClock, type DeviceInformation, type DeviceMessage, elapsedSince, store } from "./store.ts";

/** A device that is not on the bus. */
export interface MissingDevice extends Pick<DataOf<"knownDevices">["devices"][number], "name" | "label" | "about"> {
  /** When it sent last. */
  readonly since: string;
  /** It may be forgotten; else it may still be heard, because hub-cand has just been started. */
  readonly isSilent: boolean;
}

/** Details beside the name of a device: its model where it was given another name, its function, its manufacturer. */
export function aboutDevice(information: DeviceInformation): string {
  const name = nameOfDevice(information);
  const { productInfo, functionName } = information;
  const parts = [productInfo?.modelId, functionName, manufacturerOf(information)];
  return aboutText(parts.flatMap((part) => (part && !name.includes(part) ? [part] : [])));
}

/** Details in the language of the crew, which may break behind a slash: Bottom Depth/Speed/Temperature. */
export const aboutText = (details: readonly string[]): string =>
  details.map(deviceText).join(" · ").replaceAll("/", "/\u200b");

/** A row of a list of devices: one that hub-cand lists, or one that is missing. */
interface DeviceRow {
  readonly addr: number;
  readonly missing?: MissingDevice;
}

/** The devices that hub-cand lists and those that it does not list any more, by address. */
export function deviceRows(): readonly DeviceRow[] {
  const peers = store.devices?.data.peers;
  if (peers === undefined) return [];
  // The two reports come one after the other.
  const present = new Set(peers.flatMap(({ name }) => namesOf(name)));
  const missing = (store.knownDevices?.data.devices ?? []).flatMap(
    ({ addr, silentSince, unheardSince, ...device }): DeviceRow[] => {
      const since = silentSince ?? unheardSince;
      if (since === undefined || present.has(device.name)) return [];
      return [{ addr, missing: { ...device, since, isSilent: silentSince !== undefined } }];
    },
  );
  return [...peers.map(({ addr }) => ({ addr })), ...missing].sort((one, other) => one.addr - other.addr);
}

export const forgetDevice = (name: string): void =>
  publish(topics.forgetDevice.name({ prefix: settings.peek().prefix }), name);

/** Seconds after which the next report of the traffic has come; messages that were sent since are not in an older one. */
const TRAFFIC_SECONDS = 15;

/** The age of the last message of a device, seconds, as hub-cand knows it; undefined without its report. */
export function silenceOf(address: number, now: number): number | undefined {
  const { traffic, knownDevices } = store;
  const sent = traffic?.data.devices.find(({ addr }) => addr === address);
  const age = traffic === undefined ? Number.POSITIVE_INFINITY : ageOf(traffic.stamp, now);
  if (sent !== undefined && age <= TRAFFIC_SECONDS) return age + sent.silentSec;
  const { silentSince, unheardSince } = knownDevices?.data.devices.find(({ addr }) => addr === address) ?? {};
  const since = silentSince ?? unheardSince;
  return since === undefined ? undefined : elapsedSince(Date.parse(since), now) / 1000;
}

/**
 * How long ago a message that has expired was lost: with its device, if that is silent. One of an earlier visit to the
 * page, of a device that is heard, may have been sent meanwhile: it is as old as it is.
 */
export function lostText({ stamp, address, askedAgainAt }: DeviceMessage<unknown>, now: number): string {
  const age = ageOf(stamp, now);
  const silence = silenceOf(address, now);
  const unheard = askedAgainAt === undefined ? stamp.expireAfter : (now - askedAgainAt) / 1000;
  const isSilent = silence !== undefined && silence >= unheard;
  const duration = durationText(isSilent ? Math.min(age, silence) : age);
  return askedAgainAt === undefined || isSilent || silence === undefined
    ? say("lost {duration} ago", { duration })
    : say("value of {duration} ago", { duration });
}

/** A moment, without its day if that is today. */
const shortMoment = (moment: number, now: number): string =>
  dayAndTime(moment)[0] === dayAndTime(boatClock(now))[0] ? timeText(moment) : momentText(moment);

export function missingText({ since: text, isSilent }: MissingDevice, now: number): string {
  const since = Date.parse(text);
  const last = shortMoment(since, now);
  if (!isSilent) return say("not heard since the start of hub-cand, last at {last}", { last });
  const duration = durationText(Math.max(0, elapsedSince(since, now)) / 1000);
  return say("silent since {last}, {duration}", { last, duration });
}
