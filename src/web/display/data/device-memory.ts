/** The devices of the boat, those that have fallen silent included, which hub-cand remembers. */

import type { DataOf } from "../../../core/topics/read-message.ts";
import { topics } from "../../../core/topics/topics.ts";
import { dayAndTime, momentText, timeText } from "../instruments/moments.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { publish } from "./connection.ts";
import { ageOf } from "./freshness.ts";
import { settings } from "./settings.ts";
import { boatClock, type DeviceInformation, nameOfDevice, namesOf, store } from "./store.ts";

export type SilentDevice = DataOf<"knownDevices">["devices"][number] & { readonly silentSince: string };

/** Details beside the name of a device: its model where it was given another name, its function, its manufacturer. */
export function aboutDevice(information: DeviceInformation): string {
  const name = nameOfDevice(information);
  const { productInfo, functionName, manufacturer } = information;
  return breakable(
    [productInfo?.modelId, functionName, manufacturer]
      .filter((part) => part !== undefined && part !== "" && !name.includes(part))
      .join(" · "),
  );
}

/** A text that may break behind a slash: Bottom Depth/Speed/Temperature. */
export const breakable = (text: string): string => text.replaceAll("/", "/\u200b");

/** A row of a list of devices: one that hub-cand lists, or one that has fallen silent. */
interface DeviceRow {
  readonly addr: number;
  readonly silent?: SilentDevice;
}

/** The devices that hub-cand lists and those that it does not list any more, by address. */
export function deviceRows(): readonly DeviceRow[] {
  const peers = store.devices?.data.peers;
  if (peers === undefined) return [];
  // The two reports come one after the other.
  const present = new Set(peers.flatMap(({ name }) => namesOf(name)));
  const silent = (store.knownDevices?.data.devices ?? []).flatMap(({ silentSince, ...device }): DeviceRow[] =>
    silentSince === undefined || present.has(device.name)
      ? []
      : [{ addr: device.addr, silent: { ...device, silentSince } }],
  );
  return [...peers.map(({ addr }) => ({ addr })), ...silent].sort((one, other) => one.addr - other.addr);
}

/** Has the boat forget a device. */
export const forgetDevice = (name: string): void =>
  publish(topics.forgetDevice.name({ prefix: settings.peek().prefix }), name);

/** The age of the last message of a listed device, seconds; undefined without a report of the traffic. */
export function silenceOf(address: number, now: number): number | undefined {
  const { traffic } = store;
  const sent = traffic?.data.devices.find(({ addr }) => addr === address);
  return traffic === undefined || sent === undefined ? undefined : ageOf(traffic.stamp, now) + sent.silentSec;
}

/** A moment, without its day if that is today. */
const shortMoment = (moment: number, now: number): string =>
  dayAndTime(moment)[0] === dayAndTime(boatClock(now))[0] ? timeText(moment) : momentText(moment);

export function silentText({ silentSince }: SilentDevice, now: number): string {
  const since = Date.parse(silentSince);
  const duration = durationText(Math.max(0, boatClock(now) - since) / 1000);
  return say("silent since {last}, {duration}", { last: shortMoment(since, now), duration });
}
