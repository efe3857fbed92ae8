/**
 * A world as data: boat, crew and bad luck, from a seed. Each event stands alone, so that a script can be shortened by
 * leaving events and devices out.
 */
import { definitions } from "../../src/core/n2k/pgns/index.ts";
import { type GatewayName, gatewayNames } from "./gateway.ts";
import { ENGINES, rolesOf, SENTENCES } from "./protocols.ts";
import { type Random, randomOf } from "./random.ts";
import { type RoleName, roleNames, roleOf, rolePgns } from "./roles.ts";

/** Messages of one PGN with fields at random. */
export interface Noise {
  readonly pgn: number;
  readonly everyMs: number;
  readonly seed: number;
}

export interface DeviceScript {
  readonly id: number;
  /** NAME in decimal digits. */
  readonly name: string;
  /** Numbers of `protocols.ts` from 2. */
  readonly network: number;
  /** The address that it claims first. */
  readonly address: number;
  readonly isOn: boolean;
  readonly role?: RoleName;
  readonly instance: number;
  readonly noise: readonly Noise[];
}

/** Something that happens at a time, and lasts for `forMs` if it has an end. */
interface Again {
  readonly afterMs: number;
  readonly forMs: number;
}

export interface Danger {
  readonly device: number;
  readonly forMs: number;
  readonly again?: Again | undefined;
  /** Meanwhile all devices that would say so are without power. */
  readonly silent?: Again;
}

export type WorldEvent = { readonly at: number } & (
  | { readonly is: "switched"; readonly device: number; readonly forMs: number }
  | { readonly is: "moved"; readonly device: number; readonly address: number }
  | { readonly is: "swapped"; readonly devices: readonly [number, number] }
  /** The first one is switched off for a time, after a moment of which the other one claims its address. */
  | {
      readonly is: "address taken";
      readonly devices: readonly [number, number];
      readonly afterMs: number;
      readonly forMs: number;
    }
  | ({ readonly is: "danger" } & Danger)
  /** `slowMs`: the broker takes this time to answer the next start. */
  | { readonly is: "bridge away"; readonly forMs: number; readonly slowMs?: number }
  /** `silentMs`: so long before, its answers to hub-cand are lost on their way. */
  | { readonly is: "broker away"; readonly forMs: number; readonly forgets: boolean; readonly silentMs?: number }
  | { readonly is: "link away"; readonly forMs: number }
  | { readonly is: "tablet away"; readonly tablet: 0 | 1; readonly forMs: number }
  | { readonly is: "tablet reloaded"; readonly tablet: 0 | 1; readonly forgets: boolean }
  | { readonly is: "tablet clock set"; readonly tablet: 0 | 1; readonly byMs: number }
  | {
      readonly is: "tablet answers";
      readonly tablet: 0 | 1;
      readonly answer: "acknowledge" | "silence";
      /** The answer is lost, because the tablet is out of reach for this time. */
      readonly awayMs?: number;
    }
  | { readonly is: "network down"; readonly network: number; readonly forMs: number }
  | { readonly is: "clock set"; readonly byMs: number }
  | { readonly is: "slow"; readonly delayMs: number; readonly forMs: number }
  | { readonly is: "flood"; readonly packets: number; readonly seed: number }
  | { readonly is: "false ships"; readonly ships: number; readonly forMs: number }
  | { readonly is: "acknowledge"; readonly alarm: "all" | "first" | "kind" | "again and again" }
  | { readonly is: "silence" }
  /** `tablet`: the button of that tablet, which may be out of reach, is pressed; absent: a program sends the command. */
  | { readonly is: "man overboard"; readonly forMs: number; readonly tablet?: 0 | 1 }
  | { readonly is: "anchor watch"; readonly forMs: number }
  | { readonly is: "berth"; readonly forMs: number }
  /** The boat lies among ships that lie, at a place that nobody calls a berth, and a ferry comes and turns away. */
  | { readonly is: "harbour"; readonly forMs: number }
  | { readonly is: "renamed"; readonly device: number; readonly as: string }
  /** The crew sets a limit of its own, on the voltage of all batteries, and removes it. */
  | { readonly is: "limit"; readonly forMs: number }
);

export type EventName = WorldEvent["is"];

export interface Script {
  readonly seed: number;
  readonly seconds: number;
  readonly devices: readonly DeviceScript[];
  readonly events: readonly WorldEvent[];
  /** What is between hub-cand and the second network; absent: an interface of Linux. */
  readonly gateway?: GatewayName;
  /** Minutes for which the settings let an answer count; absent: the default of 5. */
  readonly term?: number;
  /** The broker knows MQTT 3.1.1 alone, in which nothing expires. */
  readonly isOldBroker?: true;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Sources of course, speed, position and time, which would deny what the instruments say. */
const navigationPgns: ReadonlySet<number> = new Set([
  ...[126992, 127245, 127250, 127251, 127257, 127258, 128259, 128275, 129025, 129026, 129029, 129033, 129044, 129291],
  ...[127513, 130310, 130311, 130312, 130577, 130578, 130323],
]);

const noisePgns = definitions.map(({ pgn }) => pgn).filter((pgn) => !rolePgns.has(pgn));
const otherPgns = noisePgns.filter((pgn) => !navigationPgns.has(pgn));

/** Whether devices say anything about the voyage that is not true. */
export const hasContradictions = ({ devices }: Script): boolean =>
  devices.some(({ noise }) => noise.some(({ pgn }) => navigationPgns.has(pgn)));

/** A NAME of an arbitrary device; those of a boat differ in one bit. */
const NAME = (0xc0n << 56n) | (0x32n << 48n) | (0x82n << 40n) | (0x1234n << 16n);

function devicesFrom(random: Random): readonly DeviceScript[] {
  const contradicts = random.chance(0.3);
  const pgns = contradicts ? noisePgns : otherPgns;
  const count = random.integer(3, 12);
  const bits = [...Array(21).keys()].map((bit) => 1n << BigInt(bit));
  const names = new Set<bigint>();
  while (names.size < count + 2) names.add(NAME ^ random.pick(bits) ^ (random.chance(0.5) ? random.pick(bits) : 0n));
  const taken: number[] = [];
  let last: Pick<DeviceScript, "role" | "instance"> | undefined;
  const ofBus = [...names].map((name, id): DeviceScript => {
    const isSpare = id >= count;
    // A spare device is switched on later, perhaps at the address of another one.
    const address = isSpare && random.chance(0.7) ? random.pick(taken) : random.integer(0, 120);
    taken.push(address);
    const { role, instance } = id === 0 ? { role: "receiver" as const, instance: 0 } : roleAtRandom(random, id, last);
    if (role !== undefined) last = { role, instance };
    const noise = Array.from({ length: random.integer(role === undefined ? 1 : 0, 2) }, () => ({
      pgn: random.pick(pgns),
      everyMs: random.pick([500, 1000, 2500, 5000, 10_000, 10_000]),
      seed: random.integer(1, 1_000_000),
    }));
    const network = id > 0 && random.chance(0.25) ? 1 : 0;
    return { id, name: String(name), network, address, isOn: !isSpare, ...(role && { role }), instance, noise };
  });
  return [...ofBus, ...ofOtherProtocols(random, ofBus.length)];
}

/** A role with its instance: often that of the device before, because two devices say one thing. */
function roleAtRandom(
  random: Random,
  id: number,
  last: Pick<DeviceScript, "role" | "instance"> | undefined,
): Pick<DeviceScript, "role" | "instance"> {
  if (random.chance(0.2)) return { instance: random.integer(0, 1) };
  if (last?.role !== undefined && !roleOf(last.role).isUnique && random.chance(0.4)) return last;
  const role = random.pick(roleNames);
  return { role, instance: roleOf(role).isUnique ? id : random.integer(0, 1) };
}

/** The function of an engine in a NAME of J1939, in the byte before the last two. */
const ENGINE = ~(0xffn << 40n);

/** The same instruments by other protocols, on every other boat. */
function ofOtherProtocols(random: Random, firstId: number): readonly DeviceScript[] {
  if (random.chance(0.5)) return [];
  const said = Object.entries(rolesOf).flatMap(([network, ofNetwork]) =>
    ofNetwork.flatMap((role) =>
      [0, 1].slice(0, roleOf(role).alarm?.isOfBoat || role === "receiver" ? 1 : 2).map((instance) => ({
        ...{ network: Number(network), role, instance },
      })),
    ),
  );
  return said
    .filter(() => random.chance(0.4))
    .map(({ network, role, instance: address }, index) => {
      const id = firstId + index;
      const name = String((NAME & ENGINE) ^ BigInt(id));
      const instance = roleOf(role).isUnique ? id : address;
      return { id, name, network, address, isOn: true, role, instance, noise: [] };
    });
}

const tablet = (random: Random): 0 | 1 => (random.chance(0.5) ? 0 : 1);

/** Each event, its mean interval, and how it is made. */
const kinds: { readonly [Is in EventName]: readonly [meanMs: number, (random: Random, all: Boat) => Described<Is>] } = {
  switched: [5 * MINUTE, (random, { any }) => ({ device: any(), forMs: duration(random, 6 * MINUTE) })],
  moved: [30 * MINUTE, (random, { any }) => ({ device: any(), address: random.integer(0, 120) })],
  swapped: [HOUR, (_, { any }) => ({ devices: [any(), any()] })],
  "address taken": [
    20 * MINUTE,
    (random, { any }) => ({
      ...{ devices: [any(), any()], afterMs: random.between(300, MINUTE) },
      forMs: random.between(MINUTE, 5 * MINUTE),
    }),
  ],
  danger: [
    3 * MINUTE,
    (random, { inDanger }) => ({ device: inDanger(), forMs: dangerFor(random), ...again(random), ...silent(random) }),
  ],
  "bridge away": [
    30 * MINUTE,
    (random) => ({
      forMs: duration(random, 3 * MINUTE),
      ...(random.chance(0.3) && { slowMs: random.between(SECOND, 40 * SECOND) }),
    }),
  ],
  "broker away": [
    HOUR,
    (random) => ({
      ...{ forMs: duration(random, 3 * MINUTE), forgets: random.chance(0.3) },
      ...(random.chance(0.3) && { silentMs: random.between(300, 2500) }),
    }),
  ],
  "link away": [HOUR, (random) => ({ forMs: duration(random, MINUTE) })],
  "tablet away": [30 * MINUTE, (random) => ({ tablet: tablet(random), forMs: duration(random, 3 * MINUTE) })],
  "tablet reloaded": [30 * MINUTE, (random) => ({ tablet: tablet(random), forgets: random.chance(0.3) })],
  "tablet clock set": [
    30 * MINUTE,
    (random) => ({ tablet: tablet(random), byMs: random.pick([-1, 1]) * random.pick([5 * SECOND, MINUTE, HOUR]) }),
  ],
  "tablet answers": [20 * MINUTE, (random) => tabletAnswer(random)],
  "network down": [
    HOUR,
    (random) => ({ network: random.pick([0, 0, 1, 1, SENTENCES, ENGINES]), forMs: duration(random, 5 * MINUTE) }),
  ],
  "clock set": [
    2 * HOUR,
    (random) => ({
      byMs: random.pick([-1, 1]) * random.pick([1500, MINUTE, HOUR, 7 * 24 * HOUR, 1024 * 7 * 24 * HOUR]),
    }),
  ],
  slow: [
    30 * MINUTE,
    (random) => ({ delayMs: random.between(SECOND, 20 * SECOND), forMs: random.between(20 * SECOND, 2 * MINUTE) }),
  ],
  flood: [2 * HOUR, (random) => ({ packets: random.integer(100, 3000), seed: random.integer(1, 1_000_000) })],
  "false ships": [
    2 * HOUR,
    (random) => ({ ships: random.integer(52, 70), forMs: random.between(30 * SECOND, MINUTE) }),
  ],
  acknowledge: [20 * MINUTE, (random) => ({ alarm: random.pick(["all", "first", "kind", "again and again"]) })],
  silence: [30 * MINUTE, () => ({})],
  "man overboard": [
    2 * HOUR,
    (random) =>
      // A program releases at once, a person by what the tablet shows.
      random.chance(0.6)
        ? { forMs: random.between(MINUTE, HOUR), tablet: tablet(random) }
        : { forMs: random.chance(0.3) ? random.between(1, 30) : random.between(MINUTE, HOUR) },
  ],
  "anchor watch": [3 * HOUR, (random) => ({ forMs: random.between(MINUTE, 2 * HOUR) })],
  berth: [2 * HOUR, (random) => ({ forMs: random.between(MINUTE, 30 * MINUTE) })],
  harbour: [3 * HOUR, (random) => ({ forMs: random.between(12 * MINUTE, 18 * MINUTE) })],
  renamed: [HOUR, (random, { any }) => ({ device: any(), as: `device ${random.integer(1, 99)}` })],
  limit: [30 * MINUTE, (random) => ({ forMs: random.between(MINUTE, 20 * MINUTE) })],
};

type Described<Is extends EventName> = Omit<Extract<WorldEvent, { readonly is: Is }>, "at" | "is">;
interface Boat {
  /** The id of any device. */
  any(): number;
  /** That of one with an alarm, if there is one. */
  inDanger(): number;
}

/** Faults, and what they last: mostly seconds, sometimes long. */
const duration = (random: Random, longest: number): number =>
  random.chance(0.5) ? random.between(300, 15 * SECOND) : random.between(10 * SECOND, longest);

/** What a crew does, and what a voyage brings; the others are faults. */
export const life: readonly EventName[] = [
  "danger",
  "acknowledge",
  "silence",
  "tablet answers",
  "man overboard",
  "anchor watch",
  "berth",
  "harbour",
  "renamed",
  "limit",
];
export const faultNames = (Object.keys(kinds) as EventName[]).filter((name) => !life.includes(name));

/** Dangers: some outlast the term of an answer. */
const dangerFor = (random: Random): number =>
  random.chance(0.8) ? random.between(10 * SECOND, 5 * MINUTE) : random.between(5 * MINUTE, 20 * MINUTE);

/** Some dangers end for a moment, as a boat rolls. */
const again = (random: Random): { readonly again?: Again } =>
  random.chance(0.3)
    ? { again: { afterMs: random.between(3 * SECOND, 12 * SECOND), forMs: random.between(10 * SECOND, MINUTE) } }
    : {};

/** Some devices in danger lose their power, for longer than anything is remembered of them. */
const silent = (random: Random): { readonly silent?: Again } =>
  random.chance(0.25)
    ? { silent: { afterMs: random.between(5 * SECOND, 50 * SECOND), forMs: random.between(15 * SECOND, 3 * MINUTE) } }
    : {};

const tabletAnswer = (random: Random): Described<"tablet answers"> => ({
  ...{ tablet: tablet(random), answer: random.pick(["acknowledge", "silence"]) },
  ...(random.chance(0.3) && { awayMs: random.between(300, 8 * SECOND) }),
});

/** Something that happens while a fault lasts, or as it ends. */
const COMES_TOGETHER = 0.3;
/** A tablet comes back or is loaded again while hub-cand or the broker is away. */
const [COMES_BACK, away] = [0.5, ["bridge away", "broker away"] as readonly EventName[]];
const backs = ["tablet away", "tablet reloaded"] as const;
/** A danger has an answer, soon or just before it ends. */
const HAS_ANSWER = 0.6;
const answers = ["acknowledge", "acknowledge", "silence", "tablet answers", "tablet answers"] as const;

/** `faults`: those that may come, all by default. Each seed has rates of its own, of its life and of its faults. */
export function scriptOf(seed: number, seconds: number, faults: readonly string[] = faultNames): Script {
  const random = randomOf(seed);
  const devices = devicesFrom(random);
  const [ofLife, ofFaults] = [random.pick([2, 4]), random.pick([1, 2, 4])];
  const endangered = devices.filter(({ role }) => role !== undefined && roleOf(role).alarm !== undefined);
  const any = (): number => random.pick(devices).id;
  const boat = { any, inDanger: () => (endangered.length === 0 ? any() : random.pick(endangered).id) };
  const events: WorldEvent[] = [];
  const happen = (is: EventName, at: number): void => {
    if (at >= seconds * SECOND) return;
    const event = { at: Math.round(at), is, ...kinds[is][1](random, boat) } as WorldEvent;
    if (life.includes(is) || faults.includes(is)) events.push(event);
  };
  for (const is of Object.keys(kinds) as EventName[]) {
    const mean = kinds[is][0] / (life.includes(is) ? ofLife : ofFaults);
    for (let at = random.wait(mean); at < seconds * SECOND; at += random.wait(mean)) happen(is, at);
  }
  for (const event of [...events]) {
    const { at, is } = event;
    if (is === "danger" && random.chance(HAS_ANSWER))
      happen(
        random.pick(answers),
        random.chance(0.5) ? at + random.between(3 * SECOND, MINUTE) : at + event.forMs - random.between(0, 3 * SECOND),
      );
    if (!("forMs" in event) || !faultNames.includes(is)) continue;
    if (away.includes(is) && random.chance(COMES_BACK)) happen(random.pick(backs), at + random.between(0, event.forMs));
    if (random.chance(COMES_TOGETHER))
      happen(random.pick(Object.keys(kinds) as EventName[]), at + random.between(0, event.forMs + 10 * SECOND));
  }
  const gateway = random.chance(0.5) ? random.pick(gatewayNames) : undefined;
  const term = random.chance(0.7) ? { term: random.integer(1, 2) } : {};
  return {
    ...{ seed, seconds, devices, events: events.sort((a, b) => a.at - b.at) },
    ...(gateway && { gateway }),
    ...term,
    ...(random.chance(0.3) && { isOldBroker: true }),
  };
}
