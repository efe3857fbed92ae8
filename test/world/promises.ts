/**
 * What the documentation promises, the page that says so, and how a world asks for it: every second, or at each message
 * where `ask` is absent. A new promise enters the worlds as a row here.
 */
import { ESCALATE_AFTER_MS, isGrave, SILENCE_MS } from "../../src/core/alarms/constants.ts";
import type { AlarmsData } from "../../src/core/alarms/report.ts";
import { BUTTON } from "../../src/core/alarms/words.ts";
import { readJson } from "../../src/core/topics/messages.ts";
import { topicsBelow } from "../../src/core/topics/topics.ts";
import { notificationPath } from "../../src/formats/signalk/notification-paths.ts";
import { type BusDevice, isOfNoDevice } from "./bus.ts";
import { PREFIX } from "./hub-cand.ts";
import { FERRY, type Role, roleOf } from "./roles.ts";
import type { Tablet } from "./tablet/tablet.ts";
import type { World } from "./world.ts";

export interface Promised {
  /** The page of `docs/`. */
  readonly page: string;
  readonly says: string;
  /** The violation, if there is one now. */
  readonly ask?: (world: World) => string | undefined;
}

const below = topicsBelow(PREFIX);

/** Time for messages on their way, of the slowest instrument and the slowest report. */
const SLACK_MS = 6000;
/** An address is that of its device until it has been silent for three minutes. */
const LEAVES_MS = 195_000;
const SETTLED_MS = 5000;
/** Time in which the boat is 50 metres away from her berth, and the ten seconds after that. */
const LEAVES_BERTH_MS = 27_000;
/** What lasted when hub-cand ended is raised again within this time, or has ended. */
const RAISED_AGAIN_MS = 95_000;
/** Time until a reader has heard everything after a connection. */
const IN_TOUCH_MS = 15_000;
/** A state is at the broker after that time; the slow lanes publish theirs just before this second of ten. */
const [SENT_MS, SENT_SECOND] = [3000, 4];
/** Entries in memory on a boat, with the addresses and NAMEs of a flood. */
const MAX_KEPT = 20_000;
const MAX_ALARMS = 50;
/** Reports that have waited are late after half a second of them. */
const BURST_MS = 1000;
/** The longest time between two sounds of an alarm. */
const SOUNDS_EACH_MS = 6000;
/** A depth is in the report for five seconds, which lives for two, and may be on its way for some. */
const DEPTH_LIVES_MS = 14_000;
/** The time of a better source, less that of its report. */
const TAKES_OVER_MS = 4000;
/** hub-alarm calls for a hub-cand that has said that it ends, so long after that. */
const CALLS_FOR_LOSS_MS = 30_000;
/** A path of Signal K has another source after ten seconds of silence. */
const REPLACED_MS = 16_000;
/** The way of the boat in half a minute: a message may be on its way for some of it. */
const PRESSED_NEAR_METRES = 100;
const SHIP_LEAVES_MS = 600_000;
/** A device is gone after three minutes of silence, if it was heard for a minute before; findings are made every 5 s. */
const [GONE_AFTER_MS, BELONGS_AFTER_MS] = [180_000, 60_000];
/** The slowest device says something in that time. */
const SPEAKS_MS = 10_000;
/** One that has sent fewer was connected for a moment. */
const LEAST_PACKETS = 20;
/** The seconds of a limit, and a period of what it watches. */
const LIMIT_RINGS_MS = 7000;
/** Time in which hub-cand has asked each device for its product, with the addresses of a flood. */
const ASKED_WITHIN_MS = 90_000;
/** A finding ends at the latest so long after its cause. */
const FINDING_ENDS_MS = 60_000;
/** A message of a PGN expires after a minute, which hub-link counts from its arrival. */
const [EXPIRES_MS, LONGEST_DELAY_MS] = [60_000, 20_000];

/** A ferry rings after the seconds of the table, some for its message, and while it comes; berths are quiet near them. */
const [FERRY_RINGS_MS, FERRY_COMES_FOR_MS, NEAR_BERTH_METRES] = [15_000, 60_000, 80];

const KNOTS = 3600 / 1852;
/** Metres in a report and its way. */
const METRES_OFF = 50;
const METRES_PER_DEGREE = 111_120;

interface Ships {
  readonly data: { readonly targets: readonly { readonly mmsi: number }[] };
}
interface Report {
  readonly data: {
    readonly position?: { readonly latitude?: number | null };
    readonly speed_course?: { readonly sog?: number | null };
    readonly depth_water?: { readonly source?: { readonly name: string } };
  };
}

const isListed = (alarms: AlarmsData, id: string): boolean => alarms.alarms.some((alarm) => alarm.id === id);

interface Peers {
  readonly data: { readonly peers: readonly { readonly addr: number; readonly name: string }[] };
}
interface Infos {
  readonly data: { readonly name: string; readonly productInfo?: { readonly modelId?: string } };
}

/** How an alarm sounds as a notification. */
const soundOf = ({ state, severity }: AlarmsData["alarms"][number]): string =>
  state === "active" && severity !== "caution" ? "loud" : "quiet";

/** A notification of an alarm that has not ended, and how it sounds. */
function notificationIn(path: string, value: unknown): readonly [[string, string]] | undefined {
  const isOfAlarm = path.startsWith("notifications.") && !path.startsWith("notifications.findings.");
  if (!isOfAlarm || value === undefined) return undefined;
  const { state, method } = value as { readonly state: string; readonly method: readonly string[] };
  return state === "normal" ? undefined : [[path, method.includes("sound") ? "loud" : "quiet"]];
}

/** Degrees and minutes as a sentence has them. */
const degreesOf = (text: string): number => Number(text.slice(0, 2)) + Number(text.slice(2)) / 60;

interface Found {
  readonly id: string;
  readonly kind: string;
  readonly since: string;
  readonly devices?: readonly { readonly addr: number; readonly name?: string; readonly label?: string }[];
}
interface Findings {
  readonly data: { readonly findings: readonly Found[]; readonly leftOut?: number };
}

/** The last text of each topic, with its message: a state is asked for every second, and changes seldom. */
const parsed = new Map<string, { readonly text: string; readonly message: unknown }>();

function read<Message>(
  topic: "ais" | "devices" | "findings" | "infos" | "navigation",
  name: string,
  text: string,
): Message {
  let known = parsed.get(name);
  if (known?.text !== text) {
    known = { text, message: readJson(topic, Buffer.from(text)) };
    parsed.set(name, known);
  }
  return known.message as Message;
}

const reportOf = ({ navigation }: World): Report | undefined =>
  navigation === "" ? undefined : read<Report>("navigation", "navigation", navigation);

const stateOf = (world: World, topic: string): string | undefined =>
  world.run?.publisher.states.get(topic)?.payload || undefined;

/** The NAMEs of `devices`, by address. */
export const listed = (world: World): ReadonlyMap<number, string> | undefined => {
  const text = stateOf(world, below.devices());
  if (text === undefined) return undefined;
  const { data } = read<Peers>("devices", below.devices(), text);
  return new Map(data.peers.map(({ addr, name }) => [addr, String(name)]));
};

/** The findings, by the NAMEs of their devices; undefined: there are none yet, or not all have room. */
function findingsIn(world: World): readonly Found[] | undefined {
  const text = world.run && stateOf(world, below.findings());
  if (text === undefined) return undefined;
  const { data } = read<Findings>("findings", below.findings(), text);
  return data.leftOut === undefined ? data.findings : undefined;
}

const isOfGone = ({ kind }: Pick<Found, "kind">): boolean => kind === "vanished" || kind === "vanishedTogether";
/** A device whose claim hub-cand has not heard has no NAME. */
const isOf = ({ name, place }: BusDevice, { devices = [] }: Found): boolean =>
  devices.some((each) => each.name === String(name) || (each.name === undefined && each.addr === place));

/** The program hears the broker, without a delay. */
const hearsWell = (
  world: World,
  { isConnected, connectedAt }: { isConnected: boolean; connectedAt: number },
): boolean => isConnected && world.now - Math.max(connectedAt, world.delayedAt) > IN_TOUCH_MS && world.delayMs === 0;

/** Watches that depend on the course of the boat; they are quiet at the berth. */
const isOfCourse = ({ isOfBoat, kind }: NonNullable<Role["alarm"]>): boolean => isOfBoat === true || kind === "cpa";

/** Ships in danger lie ahead of the boat, at one place: three of them are a harbour. */
const isHarbour = (devices: readonly BusDevice[]): boolean =>
  devices.filter(({ script, isInDanger }) => script.role === "ship" && isInDanger).length > 2;

/** For how long the bridge has known what an alarm needs, milliseconds. */
const watchedFor = (world: World, device: BusDevice, alarm: NonNullable<Role["alarm"]>): number =>
  Math.min(
    world.heardFor(device),
    ...(isOfCourse(alarm) ? [world.courseFor, world.underWayFor - LEAVES_BERTH_MS, world.awakeFor] : []),
  );

/** A boat that leaves her berth after a loss is one at her berth for those who do not hear her. */
const wasAtBerth = ({ berth, underWayFor, now }: World, lostAt: number): boolean =>
  berth !== undefined && underWayFor - (now - lostAt) < LEAVES_BERTH_MS + IN_TOUCH_MS;

/** The ferry and the ships of a harbour. */
const isInHarbour = (mmsi: number): boolean => mmsi >= FERRY && mmsi < FERRY + 10;

/** For how long a device has been able to say that its danger is over, milliseconds. */
const endedFor = (world: World, device: BusDevice): number =>
  Math.min(world.now - device.dangerSince, world.heardFor(device));

/** A connection, or a hub-cand, that began on a slow way knows no delay before reports come that are in time. */
const knowsDelay = (world: World, { connectedAt }: Tablet): boolean =>
  Math.max(connectedAt, world.runBeganAt) + SETTLED_MS < world.slowAt ||
  (world.delayMs === 0 && connectedAt > world.delayedAt) ||
  (isQuick(world) && world.inTouchFor > IN_TOUCH_MS);

/** Messages come in time. */
const isQuick = ({ now, delayMs, delayedAt }: World): boolean => delayMs === 0 && now - delayedAt > IN_TOUCH_MS;

/** Asks of each tablet. */
function ofTablets({ tablets }: World, ask: (tablet: Tablet) => string | undefined): string | undefined {
  for (const tablet of tablets) {
    const detail = ask(tablet);
    if (detail !== undefined) return `${tablet.name}: ${detail}`;
  }
  return undefined;
}

export const promises = {
  "a danger rings": {
    page: "alarms.md",
    says: "An alarm rings when its limit has been exceeded for the seconds of the table.",
    ask(world) {
      const { alarms, bus } = world;
      if (alarms === undefined || alarms.alarms.length >= MAX_ALARMS) return undefined;
      for (const device of bus.devices) {
        const { role, instance } = device.script;
        const alarm = role && roleOf(role).alarm;
        if (alarm === undefined || !device.isInDanger) continue;
        if (isOfCourse(alarm) && world.hasContradictions) continue;
        if (role === "ship" && isHarbour(bus.devices)) continue;
        const forMs = Math.min(watchedFor(world, device, alarm), world.now - device.dangerSince);
        if (forMs > alarm.withinMs + SLACK_MS && !isListed(alarms, alarm.id(instance)))
          return `${alarm.id(instance)} of the ${role} at ${device.place} does not ring after ${Math.round(forMs / 1000)} s`;
      }
      return undefined;
    },
  },
  "nothing else rings": {
    page: "alarms.md",
    says: "An alarm ends when the value is back; without data it goes on, and says so.",
    ask(world) {
      const { alarms, bus, hasContradictions } = world;
      if (alarms === undefined || hasContradictions) return undefined;
      const owners = bus.devices.flatMap((device) => {
        const alarm = device.script.role && roleOf(device.script.role).alarm;
        return alarm === undefined ? [] : [{ device, alarm }];
      });
      const kinds = new Set<string>(owners.map(({ alarm }) => alarm.kind));
      for (const { id, kind, text, severity, addresses } of alarms.alarms) {
        // A flood may tell of a hot engine.
        if (!kinds.has(kind) || addresses?.every(isOfNoDevice)) continue;
        if (text?.endsWith("no data any more")) {
          // A lost ship rings on, also where hub takes its alarm for a warning.
          if (severity === "warning" && !text.startsWith("lost:"))
            return `the warning ${id} waits for its answer without data`;
          continue;
        }
        const isOwed = owners.some(
          ({ device, alarm }) =>
            alarm.id(device.script.instance) === id &&
            (device.isInDanger || (device.dangerSince > 0 && endedFor(world, device) < alarm.endsMs + 3 * SLACK_MS)),
        );
        // Other ships come from other devices, whose messages are at random.
        if (!isOwed && (kind !== "cpa" || id.startsWith("cpa-2440000"))) return id;
      }
      return undefined;
    },
  },
  "a limit of the crew's own": {
    page: "alarms.md",
    says: "A limit of the crew's own rings while a value is beyond it, on each device that sends it, and no longer than it is set.",
    ask(world) {
      const { alarms, bus, limit, now } = world;
      const isKnown = world.run !== undefined && now - Math.max(limit.since, world.run.since) > SETTLED_MS;
      if (alarms === undefined || !isKnown || alarms.alarms.length >= MAX_ALARMS) return undefined;
      const rings = alarms.alarms.some(({ kind }) => kind === "limits");
      if (!limit.isSet) return rings ? "it rings, and is not set" : undefined;
      const low = bus.devices.find((device) => {
        const forMs = Math.min(world.heardFor(device), now - Math.max(device.dangerSince, limit.since));
        return device.script.role === "battery" && device.isInDanger && forMs > LIMIT_RINGS_MS + SLACK_MS;
      });
      return low !== undefined && !rings ? `it does not ring for the battery at ${low.place}` : undefined;
    },
  },
  "the graver counts": {
    page: "alarms.md",
    says: "Each of several devices that report one engine counts, with its own severity.",
    ask(world) {
      for (const device of world.bus.devices) {
        const { role, instance } = device.script;
        const alarm = role && roleOf(role).alarm;
        if (alarm?.severity === undefined || !isGrave(alarm.severity) || !device.isInDanger) continue;
        const raised = world.alarms?.alarms.find(({ id }) => id === alarm.id(instance));
        const forMs = Math.min(world.heardFor(device), world.now - device.dangerSince);
        if (raised !== undefined && forMs > alarm.withinMs + SLACK_MS && !isGrave(raised.severity))
          return `${raised.id} is a ${raised.severity}, and the ${role} at ${device.place} reports an ${alarm.severity}`;
      }
      return undefined;
    },
  },
  "an answer holds": {
    page: "alarms.md",
    says: "An acknowledged alarm does not sound, unless it gets worse, another device or ship is in danger, or its term is over.",
    ask(world) {
      for (const [id, { at }] of world.answers.given) {
        const alarm = world.alarms?.alarms.find((each) => each.id === id);
        const wasThere = (world.alarmSince.get(id) ?? world.now) < at;
        if (alarm === undefined || !wasThere || world.now - at <= SETTLED_MS) continue;
        if (alarm.state !== "acknowledged")
          return `${id} is ${alarm.state} ${Math.round((world.now - at) / 1000)} s after the acknowledgement`;
      }
      return undefined;
    },
  },
  "no data is no all-clear": {
    page: "alarms.md",
    says: "An alarm whose sensor is silent goes on until somebody answers it.",
  },
  "a ship leaves": {
    page: "alarms.md",
    says: "A ship is forgotten ten minutes after its last message.",
    ask({ ships, stationsHeard, now }) {
      if (ships === "") return undefined;
      for (const { mmsi } of read<Ships>("ais", "ais", ships).data.targets) {
        const silentMs = now - (stationsHeard.get(mmsi) ?? now);
        if (silentMs > SHIP_LEAVES_MS + SLACK_MS) return `${mmsi} is listed after ${Math.round(silentMs / 1000)} s`;
      }
      return undefined;
    },
  },
  "an answer has a term": {
    page: "alarms.md",
    says: "An acknowledged alarm sounds again when its term is over while the danger lasts.",
    ask(world) {
      if (world.hasContradictions) return undefined;
      for (const device of world.bus.devices) {
        const { role, instance } = device.script;
        const alarm = role && roleOf(role).alarm;
        const id = alarm?.id(instance);
        const answer = id === undefined ? undefined : world.answers.given.get(id);
        if (alarm === undefined || answer === undefined || !device.isInDanger) continue;
        const sinceMs = world.now - Math.max(answer.at, device.dangerSince) - SETTLED_MS;
        const raised = world.alarms?.alarms.find((each) => each.id === id);
        const isSaid = raised?.state === "acknowledged" && watchedFor(world, device, alarm) > sinceMs;
        if (isSaid && world.answers.isTermOver(raised, sinceMs))
          return `${id} is quiet ${Math.round(sinceMs / 1000)} s after its answer`;
      }
      return undefined;
    },
  },
  "a call is kept": {
    page: "alarms.md",
    says: "The button marks the position, and its alarm rings until it is released, also after a restart.",
    ask(world) {
      const pressed = world.owed.get("manOverboard");
      if (world.alarms === undefined || world.inTouchFor < IN_TOUCH_MS) return undefined;
      const rings = isListed(world.alarms, "manOverboard-0");
      if (pressed !== undefined && world.now - pressed > IN_TOUCH_MS && !rings) return "the call of the button is lost";
      const released = world.endedAt.get("manOverboard");
      return pressed === undefined && released !== undefined && world.now - released > IN_TOUCH_MS && rings
        ? "the released call is back"
        : undefined;
    },
  },
  "one press is one person": {
    page: "alarms.md",
    says: "A press of the button is one person, where the boat was, whatever the clocks say and however late it arrives.",
    ask({ alarms, pressed, hasContradictions }) {
      const persons = alarms?.alarms.filter(({ kind, subject }) => kind === "manOverboard" && subject === BUTTON) ?? [];
      if (persons.length > 1) return `${persons.length} persons`;
      const place = persons.find(({ press }) => press === pressed?.name)?.first?.position;
      if (hasContradictions || place === undefined || !pressed?.isCertain) return undefined;
      const metres = Math.abs(place.latitude - pressed.latitude) * METRES_PER_DEGREE;
      return metres > PRESSED_NEAR_METRES ? `${Math.round(metres)} metres away` : undefined;
    },
  },
  "an anchor watch is kept": {
    page: "alarms.md",
    says: "The anchor watch lasts until it is ended, also after a restart.",
    ask(world) {
      const begun = world.owed.get("anchorWatch");
      if (world.alarms === undefined || world.inTouchFor < IN_TOUCH_MS) return undefined;
      const { anchorWatch } = world.alarms;
      if (begun !== undefined && world.now - begun > IN_TOUCH_MS && anchorWatch === undefined)
        return "the watch is lost";
      const ended = world.endedAt.get("anchorWatch");
      return begun === undefined && ended !== undefined && world.now - ended > IN_TOUCH_MS && anchorWatch !== undefined
        ? "the watch that was ended is back"
        : undefined;
    },
  },
  "an answer is for what was shown": {
    page: "alarms.md",
    says: "One answer for a group acknowledges those that the report has when it arrives, and no other.",
  },
  "what has ended stays listed": {
    page: "alarms.md",
    says: "An alarm that has ended without an answer stays in `rectified`, also over a restart.",
    ask(world) {
      const { alarms, rectified, run } = world;
      if (alarms === undefined || run === undefined) return undefined;
      const listed = alarms.rectified ?? [];
      if (listed.length >= MAX_ALARMS || alarms.leftOut !== undefined) return undefined;
      const back = listed.find(({ id }) => world.now - (world.dismissed.get(id) ?? world.now) > SETTLED_MS);
      if (back !== undefined) return `${back.id}, which was answered, and has not rung again`;
      const isRead = world.now - run.since > RAISED_AGAIN_MS && world.inTouchFor > IN_TOUCH_MS;
      for (const [id, at] of rectified)
        if ((at >= run.since || isRead) && !listed.some((alarm) => alarm.id === id))
          return `${id}, which ended ${Math.round((world.now - at) / 1000)} s ago`;
      return undefined;
    },
  },
  "a berth is kept": {
    page: "alarms.md",
    says: "A berth is kept with its place, also over a restart, is left by 50 metres, and remembered.",
    ask(world) {
      const { alarms, berth, underWayFor } = world;
      if (alarms === undefined || berth === undefined || world.hasContradictions || world.inTouchFor < IN_TOUCH_MS)
        return undefined;
      const isKnown = Math.min(world.courseFor, world.now - berth.givenAt) > IN_TOUCH_MS;
      if (!isKnown || world.owed.has("anchorWatch")) return undefined;
      if (world.harbour !== undefined) return undefined;
      if (underWayFor === 0 && alarms.rest !== "berth") return `at ${world.metresFromBerth} m it is none`;
      if (world.metresFromBerth < 50 || world.now - berth.leftAt < LEAVES_BERTH_MS + IN_TOUCH_MS) return undefined;
      if (alarms.rest === "berth") return `at ${Math.round(world.metresFromBerth)} m it is not left`;
      const kept = world.broker.isUp ? world.broker.retained(below.berth()) : undefined;
      const place = { latitude: berth.latitude, longitude: berth.longitude, left: true };
      return !world.broker.isUp || kept === JSON.stringify(place) ? undefined : `the place is forgotten: ${kept}`;
    },
  },
  "a harbour is no berth": {
    page: "alarms.md",
    says: "Among ships that lie a ship that comes near rings, as a warning that says why; those that lie do not.",
    ask(world) {
      const { alarms, harbour, run, now } = world;
      if (alarms === undefined || harbour === undefined || run === undefined || world.hasContradictions)
        return undefined;
      const ships = alarms.alarms.filter(({ kind, subject = 0 }) => kind === "cpa" && isInHarbour(subject));
      const lying = ships.find(({ subject }) => subject !== FERRY);
      if (lying !== undefined) return `${lying.id} lies`;
      const ferry = ships[0];
      const isLive = ferry !== undefined && !ferry.text?.endsWith("no data any more");
      if (isLive && alarms.rest === "harbour" && !(ferry.severity === "warning" && ferry.text?.includes("seems")))
        return `${ferry.id} is an ${ferry.severity}: ${ferry.text}`;
      const mayBeQuiet = alarms.rest === "berth" || world.metresFromBerth < NEAR_BERTH_METRES;
      if (mayBeQuiet || alarms.alarms.length >= MAX_ALARMS || now - harbour.ferryAt > FERRY_COMES_FOR_MS)
        return undefined;
      const heardFor = Math.min(now - Math.max(harbour.ferryAt, run.since, world.networkSince[0]!), world.courseFor);
      return ferry === undefined && world.bus.isUp[0] && heardFor > FERRY_RINGS_MS
        ? "the ferry does not ring"
        : undefined;
    },
  },
  "a device has its NAME": {
    page: "data.md",
    says: "`devices` lists the devices with their NAMEs; `infos` describes the device at an address.",
    ask(world) {
      const { run, bus } = world;
      const names = listed(world);
      if (run === undefined || names === undefined) return undefined;
      for (const device of bus.devices) {
        const { place, name, claimedAt, model, script } = device;
        const forgottenAt = Math.max(run.since, world.networkForgotten[script.network]!);
        const isKnown = claimedAt > forgottenAt && claimedAt >= device.since;
        if (!isKnown || world.heardFor(device) < SETTLED_MS || world.now - claimedAt < SETTLED_MS) continue;
        if (names.get(place) !== String(name)) return `${place} is ${names.get(place)}, not ${name}`;
        const topic = below.infos({ addr: place });
        const text = stateOf(world, topic);
        if (text === undefined) return `${place} has no infos`;
        const { data } = read<Infos>("infos", topic, text);
        // One that has not been away since it came to its address answers hub-cand, which asks each several times.
        const isAsked = script.network === 0 && device.placedAt === device.since;
        const isDescribed = isAsked && world.heardFor(device) > ASKED_WITHIN_MS;
        const { modelId = isDescribed ? undefined : model } = data.productInfo ?? {};
        if (String(data.name) !== String(name) || modelId !== model)
          return `infos of ${place} are those of ${data.name}, ${modelId}; it is ${name}, ${model}`;
      }
      return undefined;
    },
  },
  "a device leaves": {
    page: "data.md",
    says: "A device is an address that was heard within the last three minutes.",
    ask(world) {
      const { run, bus } = world;
      const names = listed(world);
      if (run === undefined || names === undefined) return undefined;
      for (const device of bus.devices) {
        if (device.isOn || world.now - device.since < LEAVES_MS) continue;
        if (bus.devices.some((other) => other.isOn && other.place === device.place)) continue;
        if (names.get(device.place) === String(device.name)) return `${device.place} is listed though it is off`;
        if (
          device.since > run.since &&
          stateOf(world, below.infos({ addr: device.place }))?.includes(device.script.name)
        )
          return `infos of ${device.place} stay though it is off`;
      }
      return undefined;
    },
  },
  "a device that is gone is found": {
    page: "findings.md",
    says: "`vanished`: a device that was heard for a minute is silent for 3 minutes, while others are heard, until another one has claimed its address.",
    ask(world) {
      const { run, bus, now, networkSince } = world;
      const gone = findingsIn(world)?.filter(isOfGone);
      if (run === undefined || gone === undefined) return undefined;
      for (const device of bus.devices) {
        const { script, isOn, since, wasThereMs, usesOtherProtocol, place } = device;
        if (isOn || usesOtherProtocol || script.role === undefined || now - since < GONE_AFTER_MS + SLACK_MS) continue;
        const heardSince = Math.max(run.since, networkSince[script.network]!, since - wasThereMs);
        const belongsMs = Math.max(BELONGS_AFTER_MS, LEAST_PACKETS * roleOf(script.role).everyMs) + SLACK_MS;
        if (since - heardSince < belongsMs) continue;
        const others = bus.devices.filter((other) => other !== device && other.script.network === script.network);
        // A time in which nobody is heard is no silence of a device.
        const areHeard = others.some(
          (other) => other.script.role !== undefined && world.heardFor(other) > GONE_AFTER_MS + SLACK_MS,
        );
        if (areHeard && !gone.some((finding) => isOf(device, finding)))
          return `${place} has been off for ${Math.round((now - since) / 1000)} s`;
      }
      return undefined;
    },
  },
  "a finding is about what is there": {
    page: "findings.md",
    says: "A finding begins when it has been the case for *after* seconds, and ends when it has not been the case for *ends*.",
    ask(world) {
      const findings = findingsIn(world) ?? [];
      for (const device of world.bus.devices) {
        const forMs = world.heardFor(device);
        if (device.usesOtherProtocol || forMs < SLACK_MS || device.claimedAt < device.since) continue;
        for (const { id, kind, since, devices = [] } of findings) {
          const named = devices.filter(({ name }) => name === String(device.name));
          if (named.length === 0) continue;
          // Without a claim hub-cand hears of it with its next message.
          const isHeard = world.now - device.claimedAt <= forMs || forMs > SPEAKS_MS + SLACK_MS;
          if (isOfGone({ kind }) && isHeard)
            return `${id}: ${device.place} has been heard for ${Math.round(forMs / 1000)} s`;
          // What the device before it at its address did is no part of it.
          const placedAt = device.placedAt ?? world.now;
          const isDated = placedAt > Math.max(world.clockSetAt, (world.run?.since ?? 0) + IN_TOUCH_MS);
          const begunAt = Date.parse(since) - world.clock.wall + world.now;
          const isOfOne = devices.length === 1 && devices[0]!.addr === device.place;
          // One that was there without a NAME may be this one for hub-cand.
          const isOther = begunAt > (world.unnamedAt.get(device.place) ?? Number.NEGATIVE_INFINITY);
          // What it did there itself, before it was elsewhere, is.
          const { from, to } = device.stays.get(device.place) ?? { from: placedAt, to: placedAt };
          const isOwn = begunAt > from - SETTLED_MS && begunAt < to + SETTLED_MS;
          if (isDated && isOfOne && isOther && !isOwn && begunAt < placedAt - SETTLED_MS)
            return `${id} has begun ${Math.round((placedAt - begunAt) / 1000)} s before ${device.name} came to ${device.place}`;
          const other = named.find(({ label = "" }) => label.startsWith("Model ") && label !== device.model);
          if (other !== undefined) return `${id}: ${device.place} is a ${device.model}, not a ${other.label}`;
          if (named.every(({ addr }) => addr !== device.place) && forMs > FINDING_ENDS_MS + SLACK_MS)
            return `${id}: the device is at ${device.place} for ${Math.round(forMs / 1000)} s`;
        }
      }
      return undefined;
    },
  },
  "retained topics are the state": {
    page: "data.md",
    says: "The broker keeps the latest message of each state.",
    ask(world) {
      const { run, broker } = world;
      if (run === undefined || world.inTouchFor < IN_TOUCH_MS || Math.round(world.now / 1000) % 10 !== SENT_SECOND)
        return undefined;
      for (const [topic, { payload, since, expires }] of run.publisher.states) {
        const isSent = since < world.now - SENT_MS && expires > world.now;
        if (isSent && broker.retained(topic) !== (payload === "" ? undefined : payload)) return topic;
      }
      return undefined;
    },
  },
  "a report every second": {
    page: "data.md",
    says: "The navigation report is published at least every second.",
    ask(world) {
      const { run } = world;
      if (run === undefined) return undefined;
      const quietMs = world.now - Math.max(run.since, world.navigationAt);
      return quietMs > 3000 ? `none for ${quietMs} ms` : undefined;
    },
  },
  "the report tells the truth": {
    page: "data.md",
    says: "Position and speed of the navigation report are those of the receivers.",
    ask(world) {
      const steadyFor = Math.min(world.underWayFor, world.courseFor);
      if (world.hasContradictions || world.navigation === "" || steadyFor < IN_TOUCH_MS) return undefined;
      const { position, speed_course } = reportOf(world)!.data;
      const { latitude, metresPerSecond } = world.truth;
      const knots = speed_course?.sog;
      const isFast = knots != null && Math.abs(knots / KNOTS - metresPerSecond) > 0.2;
      if (isFast) return `${knots} knots, not ${metresPerSecond * KNOTS}`;
      const off = Math.abs((position?.latitude ?? latitude) - latitude) * METRES_PER_DEGREE;
      return off > METRES_OFF ? `${Math.round(off)} m from the true position` : undefined;
    },
  },
  "a source stays": {
    page: "data.md",
    says: "Another source takes over when it has been there for five seconds, or the one in use is gone.",
    ask(world) {
      const name = reportOf(world)?.data.depth_water?.source?.name;
      const { was } = world.soundedBy;
      world.soundedBy.was = name;
      if (name === undefined || was === undefined || name === was || world.hasContradictions) return undefined;
      const named = (digits: string): BusDevice | undefined =>
        world.bus.devices.find(({ script }) => script.role === "sounder" && script.name === digits);
      const [before, after] = [named(was), named(name)];
      if (before === undefined || after === undefined || world.heardFor(before) < IN_TOUCH_MS) return undefined;
      const forMs = world.now - after.backAt;
      return forMs < TAKES_OVER_MS ? `${name} takes over from ${was} after ${forMs} ms` : undefined;
    },
  },
  "counters tell all": {
    page: "data.md",
    says: "`health` counts each packet, and those that could not be decoded.",
    ask(world) {
      const { run, link, history } = world;
      if (run !== undefined) {
        const { packetsTaken, decodeErrors } = run.bridge.counters();
        if (packetsTaken !== run.packets) return `${packetsTaken} packets of ${run.packets}`;
        const malformed = run.protocols.malformed + (run.gateway?.malformed ?? 0);
        if (malformed > 0) return `${malformed} sentences, values of sensors or lines of a gateway are not read`;
        if (decodeErrors > 0) return `${decodeErrors} packets were not decoded`;
      }
      const { skipped } = link.program.link;
      if (Object.values(skipped).some((count) => count > 0)) return `hub-link skips ${JSON.stringify(skipped)}`;
      const { malformed, tooLong } = history.program.history;
      return malformed + tooLong > 0 ? `hub-history skips ${malformed} and ${tooLong}` : undefined;
    },
  },
  "memory is bounded": {
    page: "security.md",
    says: "Memory is bounded for any traffic.",
    ask: ({ run, link }) =>
      (run?.bridge.kept ?? 0) > MAX_KEPT || link.program.link.kept > MAX_KEPT
        ? `${run?.bridge.kept} entries of the bridge, ${link.program.link.kept} of hub-link`
        : undefined,
  },
  "no error line": {
    page: "errors.md",
    says: "An error line names what the operator has to do; in a world nothing is theirs.",
    ask(world) {
      const logs = [world.run?.log, world.link.program.log].filter((log) => log !== undefined);
      const found = logs.flatMap(({ lines }) => lines).find(({ level }) => level === "error");
      for (const log of logs) log.clear();
      return (
        found &&
        `${found.message} ${JSON.stringify(found.fields, (_, value) => (typeof value === "bigint" ? String(value) : value))}`
      );
    },
  },
  "Signal K is live": {
    page: "signalk.md",
    says: "Values are those of the bus; one that has expired becomes null.",
    ask(world) {
      const { link, bus, run, hasContradictions, now } = world;
      if (!hearsWell(world, link)) return undefined;
      const { values } = link.program;
      for (const [path, ofSources] of values)
        for (const [source, { value, at }] of ofSources)
          if (typeof value === "number" && now - Math.max(at, link.connectedAt) > EXPIRES_MS + SLACK_MS)
            return `${path} of ${source} is ${value} since ${now - at} ms`;
      for (const { script } of hasContradictions ? [] : bus.devices) {
        const { role, instance } = script;
        const signalK = role && roleOf(role).signalK;
        if (signalK === undefined) continue;
        const path = signalK.path(instance);
        const said = bus.devices.filter(
          (device) => device.script.role === role && signalK.path(device.script.instance) === path,
        );
        // What is said changes, somebody begins to say it, or a source begins anew with its NAME: hub-cand tells NAMEs
        // once it has read the broker.
        const toldAt = run?.publisher.readAt ?? 0;
        const live = said.filter(
          (device) => world.heardFor(device) > IN_TOUCH_MS && now - Math.max(device.dangerSince, toldAt) > SETTLED_MS,
        );
        const known = [...(values.get(path)?.values() ?? [])].map(({ value }) => value as number);
        const isGone = said.every((device) => world.silentFor(device) > EXPIRES_MS + LONGEST_DELAY_MS + SLACK_MS);
        if (isGone && known.length > 0) return `${path} is ${known.join()} though nobody says so`;
        const isKnown = (truth: number): boolean => known.some((value) => Math.abs(value - truth) < truth / 15);
        const preferredAt = link.program.preferredAt.get(path);
        const isLive = live.some((device) => Math.min(world.heardFor(device), world.connectedFor(link)) > REPLACED_MS);
        if (isLive && preferredAt !== undefined && now - preferredAt > REPLACED_MS)
          return `${path} follows a source that is silent for ${now - preferredAt} ms`;
        const lost = live.find(({ isInDanger }) => !isKnown(signalK.value(isInDanger)));
        if (lost !== undefined) return `${path} is ${known.join()}, not ${signalK.value(lost.isInDanger)}`;
      }
      return undefined;
    },
  },
  "Signal K has the alarms": {
    page: "signalk.md",
    says: "Alarms are notifications, which sound while nobody has answered them.",
    ask(world) {
      const { alarms, link, now } = world;
      const { values, otherSince } = link.program;
      if (alarms === undefined || world.inTouchFor < IN_TOUCH_MS || !hearsWell(world, link)) {
        otherSince.clear();
        return undefined;
      }
      const owed = new Map(alarms.alarms.map((alarm) => [notificationPath(alarm), soundOf(alarm)]));
      const told = new Map([...values].flatMap(([path, [first]]) => notificationIn(path, first?.[1].value) ?? []));
      for (const path of new Set([...owed.keys(), ...told.keys(), ...otherSince.keys()])) {
        if (owed.get(path) === told.get(path)) otherSince.delete(path);
        else if (!otherSince.has(path)) otherSince.set(path, now);
        else if (now - otherSince.get(path)! > SETTLED_MS) return `${path} is ${told.get(path)}, not ${owed.get(path)}`;
      }
      return undefined;
    },
  },
  "a tablet shows the alarms": {
    page: "alarms.md",
    says: "The display shows the alarms of hub-cand's report.",
    ask: (world) =>
      ofTablets(world, (tablet) => {
        const { alarms, alarmsAt, inTouchFor } = world;
        if (alarms === undefined || inTouchFor < IN_TOUCH_MS || !hearsWell(world, tablet)) return undefined;
        const shown = tablet.page.alarms();
        if (shown === undefined) return "it knows none";
        if (world.now - alarmsAt < SETTLED_MS) return undefined;
        const ids = alarms.alarms.map(({ id }) => id);
        return shown.join() === ids.join() ? undefined : `${shown.join()} in place of ${ids.join()}`;
      }),
  },
  "an alarm sounds on each tablet": {
    page: "alarms.md",
    says: "An alarm sounds on every screen until somebody answers it, and no screen sounds without one.",
    ask: (world) =>
      ofTablets(world, (tablet) => {
        const { alarms, inTouchFor } = world;
        if (alarms === undefined || inTouchFor < IN_TOUCH_MS || !hearsWell(world, tablet)) return undefined;
        const isSounding = world.now - tablet.soundedAt < SOUNDS_EACH_MS;
        const loud = alarms.alarms.filter(({ severity, state }) => severity !== "caution" && state === "active");
        const due = loud.filter(({ id }) => world.now - world.sounds.loudSince.get(id)! > SOUNDS_EACH_MS + SETTLED_MS);
        const ids = loud.map(({ id }) => id).join();
        if (due.length > 0 && !isSounding && world.now - tablet.answeredAt > SILENCE_MS + SOUNDS_EACH_MS)
          return `no sound for ${ids}`;
        // An answer is not one to what is raised later.
        const isAfter =
          // A page may show alarms of before a restart at its answer, which is for those that ring on after it.
          tablet.answeredAt > world.firstAlarmsAt &&
          due.some(({ id }) => world.sounds.loudSince.get(id)! > tablet.answeredAt + SETTLED_MS);
        if (isAfter && !isSounding) return `no sound for ${ids}, raised after the last answer`;
        const isQuiet = loud.length === 0 && world.now - world.sounds.loudUntil > SOUNDS_EACH_MS + SETTLED_MS;
        return isSounding && isQuiet ? "a sound without an alarm" : undefined;
      }),
  },
  "a tablet says what it does not hear": {
    page: "troubleshooting.md",
    says: "The head of the display names the first link that is broken, and alarms of before are not shown as those of now.",
    ask: (world) =>
      ofTablets(world, (tablet) => {
        const { isConnected, lostAt, page } = tablet;
        const { now, run, runEndedAt } = world;
        const lostFor = now - Math.min(isConnected ? now : lostAt, run === undefined ? runEndedAt : now);
        const link = page.link();
        const isBurst = now - tablet.heardSince < BURST_MS;
        if (lostFor > IN_TOUCH_MS && !isBurst && (link === "live" || link === "slow"))
          return `${link} after ${lostFor} ms`;
        if (world.isSaidOffline && lostFor > SETTLED_MS && hearsWell(world, tablet) && link !== "bridge")
          return `${link} in place of bridge ${lostFor} ms after the end of hub-cand`;
        // A page that has heard nothing else, or nothing since the boat's clock was set, cannot know the age of what the
        // broker has kept.
        const hasHeard = tablet.heardAt > Number.NEGATIVE_INFINITY;
        const knowsClock = hasHeard ? tablet.reportedAt > world.clockSetAt : tablet.aheadMs === 0;
        const knowsAge = knowsDelay(world, tablet) && knowsClock;
        return knowsAge && lostFor > EXPIRES_MS + SLACK_MS && page.alarms() !== undefined
          ? `the alarms of ${lostFor} ms ago`
          : undefined;
      }),
  },
  "no old value is live on a tablet": {
    page: "display.md",
    says: "A value that has expired is not shown as live, whatever the clock of the tablet and the delay of the network.",
    ask: (world) =>
      ofTablets(world, (tablet) => {
        const depth = world.hasContradictions || !knowsDelay(world, tablet) ? undefined : tablet.page.liveDepth();
        if (depth === undefined) return undefined;
        const age = world.now - (world.soundedAt.get(depth) ?? 0);
        return age > DEPTH_LIVES_MS ? `a depth of ${depth} m after ${age} ms` : undefined;
      }),
  },
  "a tablet knows the boat's time": {
    page: "display.md",
    says: "Times are those of the boat, whatever the clock of the tablet.",
    ask: (world) =>
      ofTablets(world, (tablet) => {
        const isKnown =
          world.inTouchFor > IN_TOUCH_MS && hearsWell(world, tablet) && world.now - world.clockSetAt > IN_TOUCH_MS;
        const off = tablet.page.boatClock() - world.clock.wall;
        return isKnown && Math.abs(off) > SETTLED_MS ? `${Math.round(off / 1000)} s` : undefined;
      }),
  },
  "a lost watch rings": {
    page: "alarms.md",
    says: "When hub-cand, the broker or the network has been gone for ten seconds, each tablet rings, but at a berth.",
    ask: (world) =>
      ofTablets(world, (tablet) => {
        const { now, run, runEndedAt } = world;
        const lostAt = Math.min(tablet.isConnected ? now : tablet.lostAt, run === undefined ? runEndedAt : now);
        // A hub-cand that has begun since, and that the tablet has not heard, tells it of no other place.
        const knownAt = tablet.heardAt > Number.NEGATIVE_INFINITY ? Math.min(lostAt, tablet.heardAt) : lostAt;
        if (!tablet.knowsBoat || wasAtBerth(world, knownAt)) return undefined;
        const forMs = now - Math.max(lostAt, tablet.openedAt, tablet.answeredAt + SILENCE_MS);
        return forMs > IN_TOUCH_MS + SOUNDS_EACH_MS && now - tablet.soundedAt > SOUNDS_EACH_MS
          ? `no sound for a loss of ${forMs} ms`
          : undefined;
      }),
  },
  "a silence ends": {
    page: "alarms.md",
    says: "Each alarm can be silenced for 30 seconds.",
    ask({ alarms, sounds, now }) {
      for (const { id, kind } of alarms?.alarms ?? []) {
        const since = sounds.silencedSince.get(id);
        // A device may silence its alert for as long as it likes.
        if (since !== undefined && kind !== "alert" && now - since > SILENCE_MS + SETTLED_MS)
          return `${id} is silent for ${now - since} ms`;
      }
      return undefined;
    },
  },
  "what has no answer calls for help": {
    page: "alarms.md",
    says: "An alarm or emergency that has sounded for 30 seconds without an answer is `unanswered`, a warning never.",
    ask({ alarms, sounds, now }) {
      for (const { id, severity, unanswered } of alarms?.alarms ?? []) {
        if (unanswered && !isGrave(severity)) return `${id} is a ${severity} and unanswered`;
        const since = sounds.graveSince.get(`${id} ${severity}`);
        if (since !== undefined && now - since > ESCALATE_AFTER_MS + SETTLED_MS && !unanswered)
          return `${id} has sounded for ${now - since} ms and is not unanswered`;
      }
      return undefined;
    },
  },
  "hub-alarm calls": {
    page: "alarms.md",
    says: "The command runs while an alarm has no answer, and when hub-cand has announced its end 30 seconds ago.",
    ask(world) {
      const { link, alarms, inTouchFor, now, runEndedAt } = world;
      if (!hearsWell(world, link)) return undefined;
      if (world.run === undefined) {
        const lostFor = now - runEndedAt;
        const isKnown = world.isSaidOffline && world.alarmsAt > link.connectedAt + IN_TOUCH_MS;
        const isDue = isKnown && lostFor > CALLS_FOR_LOSS_MS + LONGEST_DELAY_MS + SLACK_MS;
        return isDue && !wasAtBerth(world, runEndedAt) && link.program.call === undefined
          ? `no call for a loss of ${lostFor} ms`
          : undefined;
      }
      if (alarms === undefined || inTouchFor < IN_TOUCH_MS) return undefined;
      const unanswered = alarms.alarms.some((alarm) => alarm.unanswered);
      if (unanswered !== world.unansweredFor > 0) return undefined;
      if (world.unansweredFor > SETTLED_MS && link.program.call === undefined) return "no call for an unanswered alarm";
      return world.unansweredFor < -SETTLED_MS && link.program.call !== undefined
        ? `a call without an alarm: ${link.program.call.HUB_ALARM_ID}`
        : undefined;
    },
  },
  "sentences are whole": {
    page: "chart-plotters.md",
    says: "A sentence has at most 80 characters and its checksum.",
    ask: ({ link }) => link.program.malformedSentence,
  },
  "sentences tell the truth": {
    page: "chart-plotters.md",
    says: "Sentences without data are not sent; the others have the values of the report, and of any device that says them.",
    ask(world) {
      const { link, run, runEndedAt, now } = world;
      if (!hearsWell(world, link)) return undefined;
      const recent = (kind: string): readonly string[] | undefined => {
        const { at = 0, fields } = link.program.lastSentences.get(kind) ?? {};
        return now - at < SETTLED_MS ? fields : undefined;
      };
      const isLost = run === undefined && now - runEndedAt > SETTLED_MS + SLACK_MS;
      const late = isLost ? [...link.program.lastSentences.keys()].find(recent) : undefined;
      if (late !== undefined) return `${late} comes ${now - runEndedAt} ms after the end of hub-cand`;
      for (const device of world.bus.devices) {
        const { role, instance } = device.script;
        const transducer = role && roleOf(role).transducer?.(instance);
        const forMs = Math.min(world.heardFor(device), world.connectedFor(link), now - world.delayedAt);
        if (transducer === undefined || forMs < 2 * IN_TOUCH_MS) continue;
        const silentMs = now - (link.program.transducersAt.get(transducer) ?? 0);
        if (silentMs > IN_TOUCH_MS)
          return `no ${transducer} for ${Math.round(silentMs / 1000)} s, though ${device.place} says it`;
      }
      if (world.hasContradictions) return undefined;
      const depth = recent("DPT")?.[0];
      const depthAge = now - (world.soundedAt.get(Number(depth)) ?? 0);
      if (depth !== undefined && depthAge > DEPTH_LIVES_MS + SETTLED_MS)
        return `a depth of ${depth} m after ${depthAge} ms`;
      const [, status, latitude = ""] = recent("RMC") ?? [];
      if (status !== "A" || Math.min(world.underWayFor, world.courseFor) < IN_TOUCH_MS) return undefined;
      const off = Math.abs(degreesOf(latitude) - world.truth.latitude) * METRES_PER_DEGREE;
      return off > METRES_OFF ? `RMC is ${Math.round(off)} m from the true position` : undefined;
    },
  },
  "fits its schema": { page: "data.md", says: "Each message fits the schema of its topic." },
  "a lane repeats": {
    page: "data.md",
    says: "A slow lane repeats messages of the same device and PGN, with the greatest wind since its last message.",
  },
  "no exception": { page: "errors.md", says: "No message, command or fault ends a program." },
  "nothing is left": { page: "security.md", says: "A program that ends leaves no timer." },
} as const satisfies Readonly<Record<string, Promised>>;

export type PromiseName = keyof typeof promises;
