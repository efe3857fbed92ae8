/** Devices: their addresses and NAMEs, their silence, and the faults that they report. */
import { describeName, kindOfDevice } from "../../n2k/device-name.ts";
import { isoAddressClaim, productInformation } from "../../n2k/pgns/system.ts";
import { manufacturers } from "../../n2k/public-database.ts";
import { duration, type Sentence, sentence } from "../../text/sentence.ts";
import { rounded } from "../../util/rounded.ts";
import { type Bus, isHeard } from "../bus.ts";
import type { Contest } from "../claims.ts";
import type { Device } from "../device.ts";
import { about, type Kind, kind, type Named, type Reading, type Timing, when } from "../finding.ts";
import { TOGETHER_MS, VANISHED_MS } from "../gone.ts";
import type { Span } from "../span.ts";

const MINUTE_MS = 60_000;
/** Time within which the loser of an address moves to another one. */
const SETTLE_ADDRESS_MS = 10_000;
/** Requests for claims that one of two NAMEs leaves unanswered when its device is gone. */
const UNANSWERED = 2;
/** Turns of two NAMEs within a minute that are more than an ordinary contest. */
const WAR_TURNS = 6;
/** Incomplete packets of several frames in about a minute: their number, and their part of all. */
const FEW_INCOMPLETE = 3;
const PART_INCOMPLETE = 0.01;
/** Least number of senders of multi-frame packets to compare: if more than half lose frames, the receiver is the cause. */
const MANY_SENDERS = 3;
/** Least number of devices that restart together because of the supply of the bus. */
const MANY_DEVICES = 3;
/** Load equivalence units of 50 mA: a power insertion of micro cable bears 3 A. */
const MAX_LOAD_EQUIVALENCE = 60;
const MILLIAMPERES = 50;

/** A reading of each device for which the condition holds. */
const ofDevices = (
  bus: Bus,
  condition: (device: Device) => boolean,
  measured: (device: Device) => Sentence,
  timing: (device: Device) => Timing = () => ({}),
): readonly Reading[] =>
  bus.devices.filter(condition).map((device) => ({ ...about(device), measured: measured(device), ...timing(device) }));

/** Devices that have started twice and more lately, and whether they did so at the same moments. */
function restarts({ devices, now }: Pick<Bus, "devices" | "now">) {
  const restarting = devices
    .map((device) => ({ device, ...device.starts.recent(now) }))
    .filter(({ count }) => count >= 2);
  const [begun, ended] = [spanOf(restarting.map(({ from }) => from)), spanOf(restarting.map(({ to }) => to))];
  const isTogether = Math.max(begun.to - begun.from, ended.to - ended.from) <= TOGETHER_MS;
  const isCommon = restarting.length >= MANY_DEVICES && isTogether;
  return { restarting, isCommon, from: begun.from, to: ended.to };
}

/** Devices that restart, which have findings of their own. */
export const devicesThatRestart = (bus: Pick<Bus, "devices" | "now">): ReadonlySet<Device> =>
  new Set(restarts(bus).restarting.map(({ device }) => device));

/** From the earliest of some times to the latest. */
function spanOf(times: readonly number[]): Span {
  const sorted = times.toSorted((one, other) => one - other);
  return { from: sorted[0] ?? 0, to: sorted.at(-1) ?? 0 };
}

/** Whether the turns of any minute that is remembered were a war. */
const wasWar = ({ turns }: Contest): boolean =>
  turns.some(({ at }, index) => (turns[index + WAR_TURNS - 1]?.at ?? Number.POSITIVE_INFINITY) - at < MINUTE_MS);

const claimantsIn = (turns: Contest["turns"]): readonly bigint[] => [...new Set(turns.map(({ name }) => name))];
/** Those that have claimed the address last, the first claimant first. */
function rivalsIn({ turns }: Contest): readonly bigint[] {
  const last = claimantsIn(turns.slice(-2));
  return claimantsIn(turns).filter((name) => last.includes(name));
}

/**
 * Whether an address is heard, and the NAME that held it before keeps it: it has claimed it again, or was sending all the time; and
 * neither of the two has moved to another one, or answers no requests any more.
 */
function isUnsettled({ claims, devices, now }: Bus, contest: Contest): boolean {
  const { turns, address, isBesideHolder, answers } = contest;
  if (!devices.some((device) => device.address === address && now - device.last < VANISHED_MS)) return false;
  const isKept = turns.length > 2 || isBesideHolder;
  if (!isKept || answers >= UNANSWERED || now - turns.at(-1)!.at < SETTLE_ADDRESS_MS) return false;
  return rivalsIn(contest).every((name) => claims.addressOf(name) === address && !claims.homeless.has(name));
}

const shortName = (name: bigint): string => {
  const { manufacturer, identityNumber } = describeName(name);
  return `${manufacturer} ${identityNumber}`;
};

function listed(claimants: readonly bigint[]): string {
  const names = [...new Set(claimants.map(shortName))];
  return names.length <= 2 ? names.join(" and ") : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}

/** NAMEs that have claimed an address, as devices. */
const contenders = ({ devices }: Bus, { address }: Contest, names: readonly bigint[]): readonly Named[] =>
  names.map((name) => {
    const holder = devices.find((device) => device.address === address && device.name === name);
    return { address, name, label: holder?.label ?? kindOfDevice(name) };
  });

const isLossy = (device: Device): boolean => {
  const { incomplete, all } = device.longPackets;
  return incomplete >= FEW_INCOMPLETE && incomplete > all * PART_INCOMPLETE;
};

/**
 * Devices that send packets of several frames, and the devices among them that lose some. If most have lost any, the
 * receiver is the cause, also before each of them has lost a few.
 */
function losses({ devices, now }: Bus) {
  const senders = devices.filter((device) => isHeard(device, now) && device.longPackets.all >= FEW_INCOMPLETE);
  const lossy = senders.filter(isLossy);
  const losing = senders.filter(({ longPackets: { incomplete, all } }) => incomplete > all * PART_INCOMPLETE);
  const isCommon = lossy.length > 0 && senders.length >= MANY_SENDERS && losing.length > senders.length / 2;
  return { senders, lossy, losing, isCommon };
}

/** Whether the heartbeat goes on, at the interval at which it comes. */
const isBeating = ({ heartbeat, unstatedHeartbeatMs = 0 }: Device, now: number): boolean =>
  now - heartbeat!.arrived < 2 * unstatedHeartbeatMs;

/** Silence of a device that still sends, at least, and in its usual intervals. */
const STILL_SENDING_MS = 5000;
const STILL_SENDING_INTERVALS = 3;

/** Ranges of the manufacturers, which many devices do not list. */
const isProprietary = (pgn: number): boolean =>
  pgn === 61_184 || pgn === 126_720 || (pgn >= 65_280 && pgn <= 65_535) || pgn >= 130_816;

/** PGNs of the protocol, which devices need not list. */
const ofEachDevice: ReadonlySet<number> = new Set([
  ...[59392, 59904, 60160, 60416, 60928, 65240, 126208, 126464, 126993, 126996, 126998],
]);

const knownManufacturers = new Set(manufacturers.map(([code]) => code));

/** The devices that do not answer; one whose frames are lost may have answered. */
const unanswered = (pgn: number) => (bus: Bus, measured: (device: Device, count: number) => Sentence) => {
  if (losses(bus).isCommon) return [];
  return bus.devices.flatMap((device) => {
    const asked = device.asked.get(pgn);
    const isSilent =
      asked !== undefined &&
      !asked.hasAnswered &&
      asked.unanswered >= 2 &&
      !isLossy(device) &&
      isHeard(device, bus.now);
    return when(isSilent, () => ({
      ...about(device),
      pgn,
      measured: measured(device, asked!.unanswered),
      from: asked!.unansweredSince,
    }));
  });
};

const heartbeatSays = (
  condition: (message: NonNullable<Device["heartbeat"]>["message"], name: string) => Sentence | undefined,
  { devices, now, nameOf }: Bus,
): readonly Reading[] =>
  devices.flatMap((device) => {
    const { heartbeat } = device;
    if (heartbeat === undefined || now - heartbeat.arrived > 2 * heartbeat.intervalMs) return [];
    const measured = condition(heartbeat.message, nameOf(device));
    return when(measured !== undefined, () => ({
      ...about(device),
      pgn: 126993,
      measured: measured!,
      from: heartbeat.arrived,
    }));
  });

export const deviceKinds = {
  addressWar: kind({
    title: "Devices fight for an address",
    severity: "fault",
    reads: "PGN 60928",
    raised: `two NAMEs claim one address in turn, ${WAR_TURNS} times in a minute`,
    after: 0,
    advice:
      "Switch off all but one of them; if they begin anew when they are on again, give them different addresses or newer software.",
    readings: (bus) =>
      [...bus.claims.contests.values()].flatMap((contest) => {
        const { count, from, to } = contest.claims.recent(bus.now);
        return when(count >= WAR_TURNS, () => {
          const claimants = claimantsIn(contest.turns);
          return {
            key: contest.address,
            devices: contenders(bus, contest, claimants),
            measured: sentence`Address ${contest.address} was claimed ${count} times in a minute, by ${listed(claimants)} in turn`,
            from,
            to,
            weight: count,
          };
        });
      }),
  }),
  addressTwice: kind({
    title: "Two devices with one address",
    severity: "fault",
    reads: "PGN 60928",
    raised:
      "two NAMEs claim one address, and neither goes elsewhere within 10 seconds, nor leaves two requests for claims unanswered",
    after: 0,
    endsAfter: 0,
    advice:
      "Switch one of the two off and on again, or give it another address: receivers cannot tell their messages apart.",
    readings: (bus) =>
      [...bus.claims.contests.values()]
        .filter((contest) => !wasWar(contest) && isUnsettled(bus, contest))
        .map((contest) => {
          const rivals = rivalsIn(contest);
          return {
            key: contest.address,
            devices: contenders(bus, contest, rivals),
            measured: sentence`Address ${contest.address} is claimed by ${listed(rivals)}`,
            from: contest.turns[1]!.at,
          };
        }),
  }),
  nameTwice: kind({
    title: "Two devices with one NAME",
    severity: "fault",
    reads: "PGN 60928 and all packets",
    raised: "a NAME has claimed another address, and the old address goes on sending",
    after: 5,
    endsAfter: 10,
    advice: "Give one of the two another device instance or unique number: displays take them for one device.",
    readings: (bus) =>
      ofDevices(
        bus,
        (device) => device.leftAt !== undefined && isHeard(device, bus.now),
        (device) =>
          sentence`The NAME of ${bus.nameOf(device)} is also that of address ${bus.claims.addressOf(device.name!)!}, and both send`,
        ({ leftAt: from }) => ({ from }),
      ),
  }),
  noAddress: kind({
    title: "Device without an address",
    severity: "fault",
    reads: "PGN 60928",
    raised: "a device says that it cannot claim an address, and claims none for 5 seconds",
    after: 5,
    endsAfter: 0,
    advice:
      "The device is silent because all addresses it may have are taken: give it, or the device in its place, another address.",
    readings: ({ claims }) =>
      [...claims.homeless].map(([name, from]) => ({
        key: String(name),
        measured: sentence`${shortName(name)} has no address`,
        from,
      })),
  }),
  busRestarts: kind({
    title: "Devices restart together",
    severity: "warning",
    reads: "PGN 60928",
    raised: "three or more devices restart as in `deviceRestarts`, at the same moments",
    after: 0,
    advice: "Look at the supply of the bus: its fuse, its switch, its plug, and the voltage of its battery.",
    readings: (bus) => {
      const { restarting, from, to, isCommon } = restarts(bus);
      return when(isCommon, () => ({
        devices: restarting.map(({ device }) => device),
        measured: sentence`${restarting.length} devices have started ${restarting[0]!.count} times in 10 minutes, all at the same moments`,
        from,
        to,
        weight: restarting.length,
      }));
    },
  }),
  deviceRestarts: kind({
    title: "Device restarts",
    severity: "warning",
    reads: "PGN 60928",
    raised: "a device claims its address twice in 10 minutes without being asked, each time after ten silent intervals",
    after: 0,
    advice:
      "Measure the voltage at the device while it starts: below 9 V look for a long or thin drop cable, a loose plug, or too many devices on one supply.",
    readings: (bus) => {
      const { restarting, isCommon } = restarts(bus);
      if (isCommon) return [];
      return restarting.map(({ device, count, from, to }) => ({
        ...about(device),
        measured: sentence`${bus.nameOf(device)} has started ${count} times in 10 minutes`,
        from,
        to,
        weight: count,
      }));
    },
  }),
  vanishedTogether: kind({
    title: "Several devices gone at once",
    severity: "warning",
    reads: "all packets",
    raised:
      "devices that were heard for a minute are silent for 3 minutes, since the same moment, while others are heard",
    after: 0,
    endsAfter: 0,
    advice:
      "Look for what they have in common: the power of their part of the bus, and the plug or tee of the backbone between them and this computer.",
    readings: (bus) =>
      bus.gone
        .filter(({ length }) => length > 1)
        .map((devices) => ({
          key: devices[0]!.address,
          devices,
          measured: sentence`${devices.map(bus.nameOf)} have been silent for ${duration(bus.now - devices[0]!.last)}`,
          from: devices[0]!.last,
        })),
  }),
  vanished: kind({
    title: "Device gone",
    severity: "warning",
    reads: "all packets",
    raised: "a device that was heard for a minute is silent for 3 minutes, while others are heard",
    after: 0,
    endsAfter: 0,
    advice: "Check its power and its plug, if it was not switched off.",
    readings: (bus) =>
      bus.gone
        .filter(([device, other]) => other === undefined && !bus.differences.knows(device!.name))
        .map(([device]) => ({
          ...about(device!),
          measured: sentence`${bus.nameOf(device!)} has been silent for ${duration(bus.now - device!.last)}`,
          from: device!.last,
        })),
  }),
  heartbeatLost: kind({
    title: "Heartbeat lost",
    severity: "warning",
    reads: "PGN 126993",
    raised: "a device sends, and its heartbeat is late by more than two of its intervals",
    after: 10,
    endsAfter: 0,
    advice: "Part of the device has stopped: switch it off and on again.",
    readings: (bus) =>
      ofDevices(
        bus,
        ({ heartbeat, awayAt, last, usualMs }) =>
          heartbeat !== undefined &&
          heartbeat.count >= 2 &&
          bus.now - Math.max(heartbeat.arrived, awayAt) > 3.5 * heartbeat.intervalMs &&
          bus.now - last < Math.max(STILL_SENDING_MS, STILL_SENDING_INTERVALS * usualMs),
        (device) =>
          sentence`The last heartbeat of ${bus.nameOf(device)} was ${duration(bus.now - device.heartbeat!.arrived)} ago; its interval is ${duration(device.heartbeat!.intervalMs)}`,
        ({ heartbeat }) => ({ from: heartbeat!.arrived }),
      ),
  }),
  heartbeatInterval: kind({
    title: "Heartbeat at another interval",
    severity: "information",
    reads: "PGN 126993",
    raised:
      "three heartbeats of a device in a row come at intervals that differ by more than 30 % from the one that they state",
    after: 0,
    advice:
      "Programs that watch the device take it for lost, or notice its loss late: ask its manufacturer for newer software.",
    readings: (bus) =>
      ofDevices(
        bus,
        (device) => device.unstatedHeartbeatMs !== undefined && isHeard(device, bus.now) && isBeating(device, bus.now),
        (device) =>
          sentence`The heartbeat of ${bus.nameOf(device)} comes every ${duration(device.unstatedHeartbeatMs!)} and states ${duration(device.heartbeat!.intervalMs)}`,
        ({ heartbeat }) => ({ from: heartbeat!.arrived }),
      ),
  }),
  unlistedPgn: kind({
    title: "Message that the device does not list",
    severity: "information",
    reads: "PGN 126464, all packets",
    raised:
      "a device sends a PGN that is not in its own list of PGNs that it sends, but for those of the protocol and of manufacturers",
    after: 10,
    advice: "Another program or gateway may send under its address; if not, ask its manufacturer for newer software.",
    readings: (bus) => {
      const unlisted = new Map<Device, Set<number>>();
      for (const { device, kind, last } of bus.streams()) {
        const { pgn } = kind;
        const isUnlisted =
          device.sends !== undefined && !device.sends.has(pgn) && !ofEachDevice.has(pgn) && !isProprietary(pgn);
        if (!isUnlisted || bus.now - last > MINUTE_MS || !isHeard(device, bus.now)) continue;
        unlisted.set(device, (unlisted.get(device) ?? new Set()).add(pgn));
      }
      return [...unlisted].map(([device, pgns]) => ({
        ...about(device),
        measured: sentence`${bus.nameOf(device)} sends PGN ${[...pgns].sort((one, other) => one - other).join(", ")}, and does not list it`,
      }));
    },
  }),
  reportsErrors: kind({
    title: "Device sees errors on the bus",
    severity: "warning",
    reads: "PGN 126993",
    raised: "the heartbeat of a device says that its controller is error passive or off the bus",
    after: 0,
    advice: "Check the drop cable and the plug of this device first, then the terminators.",
    readings: (bus) =>
      heartbeatSays(({ controller1State: one, controller2State: two }, name) => {
        const state = [one, two].find((each) => each === "Error Passive" || each === "Bus Off");
        return state && sentence`${name} reports the state ${state} of its controller`;
      }, bus),
  }),
  equipmentFault: kind({
    title: "Device reports a fault",
    severity: "warning",
    reads: "PGN 126993",
    raised: "the heartbeat of a device says that its equipment has a fault",
    after: 0,
    endsAfter: 0,
    advice: "Look at the display or the manual of the device for the fault.",
    readings: (bus) =>
      heartbeatSays(
        ({ equipmentStatus }, name) =>
          equipmentStatus === "Fault" ? sentence`${name} reports a fault of its equipment` : undefined,
        bus,
      ),
  }),
  noProduct: kind({
    title: "No product information",
    severity: "information",
    reads: "PGN 59904, 126996",
    raised: "a device was asked twice for its product information and has not answered within 5 seconds",
    after: 0,
    endsAfter: 0,
    advice: "Displays cannot name the device; if it should be certified, ask its manufacturer for newer software.",
    readings: (bus) =>
      unanswered(productInformation.pgn)(
        bus,
        (device, count) =>
          sentence`${bus.nameOf(device)} has not answered ${count} {2:request|requests} for its product information`,
      ),
  }),
  noClaim: kind({
    title: "No address claim",
    severity: "warning",
    reads: "PGN 59904, 60928",
    raised: "a device was asked twice for its address claim and has not answered within 5 seconds",
    after: 0,
    endsAfter: 0,
    advice: "Another device may take its address: the device or the gateway it comes from does not keep to NMEA 2000.",
    readings: (bus) =>
      unanswered(isoAddressClaim.pgn)(
        bus,
        (device, count) =>
          sentence`${bus.nameOf(device)} has not answered ${count} {2:request|requests} for its address claim`,
      ),
  }),
  receiverLoses: kind({
    title: "Packets of most devices are incomplete",
    severity: "warning",
    reads: "packets of several frames by sender",
    raised: "one of three or more senders is incomplete as in `incomplete`, and packets of more than half lack frames",
    after: 0,
    advice:
      "The frames are lost where they are received: at this computer, at the gateway, or on a bus that is disturbed.",
    readings: (bus) => {
      const { senders, losing, isCommon } = losses(bus);
      return when(isCommon, () => ({
        measured: sentence`Packets of ${losing.length} of ${senders.length} devices that send packets of several frames were incomplete in a minute`,
        from: spanOf(losing.map(({ lossSpan }) => lossSpan.from)).from,
        to: spanOf(losing.map(({ lossSpan }) => lossSpan.to)).to,
        weight: losing.length / senders.length,
      }));
    },
  }),
  incomplete: kind({
    title: "Incomplete packets",
    severity: "warning",
    reads: "packets of several frames by sender",
    raised:
      "three packets of a device in a minute, and more than 1 % of them, lack frames, and it is no case of `receiverLoses`",
    after: 0,
    advice:
      "Restart the device; if it goes on, it is overloaded or its software faulty: reduce what it sends, or ask its manufacturer.",
    readings: (bus) => {
      const { lossy, isCommon } = losses(bus);
      return isCommon
        ? []
        : lossy.map((device) => {
            const { incomplete, all } = device.longPackets;
            return {
              ...about(device),
              measured: sentence`${incomplete} of ${all} packets of several frames by ${bus.nameOf(device)} lacked frames in a minute`,
              ...device.lossSpan,
              weight: incomplete / all,
            };
          });
    },
  }),
  loadEquivalence: kind({
    title: "Supply of the bus",
    severity: "information",
    reads: "PGN 126996",
    raised: `the load equivalence of all devices is above ${MAX_LOAD_EQUIVALENCE}, 3 A`,
    after: 10,
    advice:
      "Check the fuse of the power insertion and the voltage at both ends of the bus; feed it in its middle, or by two insertions.",
    readings: ({ devices, now }) => {
      const sum = devices
        .filter((device) => now - device.last < VANISHED_MS)
        .reduce((all, { product }) => all + (product?.loadEquiv ?? 0), 0);
      return when(sum > MAX_LOAD_EQUIVALENCE, () => ({
        measured: sentence`The devices take up to ${rounded((sum * MILLIAMPERES) / 1000, 1)} A from the bus (load equivalence ${sum})`,
      }));
    },
  }),
  noProductCode: kind({
    title: "No product code",
    severity: "information",
    reads: "PGN 126996",
    raised: "the product information has no product code",
    after: 10,
    endsAfter: 0,
    advice: "Certified products have a code. The device may work well; if it does not, look here first.",
    readings: (bus) =>
      ofDevices(
        bus,
        ({ product, last, isStandIn }) =>
          product !== undefined && !isStandIn && bus.now - last < VANISHED_MS && !product.productCode,
        (device) => sentence`The product information of ${bus.nameOf(device)} has no product code`,
      ),
  }),
  unknownManufacturer: kind({
    title: "Unknown manufacturer",
    severity: "information",
    reads: "PGN 60928",
    raised: "the code of the manufacturer in a NAME is not in the public table",
    after: 10,
    endsAfter: 0,
    advice: "The device is new, home-made, or a copy: find out what it is.",
    readings: (bus) =>
      ofDevices(
        bus,
        ({ manufacturer, last, isStandIn }) =>
          manufacturer !== undefined &&
          !isStandIn &&
          bus.now - last < VANISHED_MS &&
          !knownManufacturers.has(manufacturer),
        (device) => sentence`The manufacturer code of ${bus.nameOf(device)} is ${device.manufacturer!}`,
      ),
  }),
} as const satisfies Readonly<Record<string, Kind>>;
