/** Messages of hub-cand as observations of voyages. */
import { alarmWords, LEAST_MMSI, LEAST_SHIP_MMSI } from "../../core/alarms/words.ts";
import { arrivalIn } from "../../core/n2k/arrival.ts";
import { type DataOf, readMessage, readPgnMessage } from "../../core/topics/read-message.ts";
import { type Place, topics } from "../../core/topics/topics.ts";
import type { Conditions, HeardAlarm, Observation } from "../../core/voyages/observation.ts";

type Numbers = Readonly<Record<string, unknown>>;

const numberOf = (value: unknown): number | undefined => (Number.isFinite(value) ? (value as number) : undefined);

/** Texts come from any client of the broker. */
const MAX_TEXT = 200;
const textOf = (value: unknown): string => String(value).slice(0, MAX_TEXT);

/** A row for each PGN: the observations in its message. */
const ofPgn: Readonly<Record<number, (data: Numbers) => DistributedOmit<Observation, "time" | "source"> | undefined>> =
  {
    127488: ({ engineInstance, engineSpeedRpm }) => {
      const rpm = numberOf(engineSpeedRpm);
      return rpm === undefined ? undefined : { of: "engine", instance: textOf(engineInstance ?? 0), rpm };
    },
    127489: ({ engineInstance, engineHours, fuelRateLh }) => {
      const [hours, fuelRate] = [numberOf(engineHours), numberOf(fuelRateLh)];
      return {
        of: "engine",
        instance: textOf(engineInstance ?? 0),
        ...(hours !== undefined && { hours }),
        ...(fuelRate !== undefined && { fuelRate }),
      };
    },
    127505: ({ instance, fluidType, levelPercent }) => {
      const percent = numberOf(levelPercent);
      if (percent === undefined) return undefined;
      return { of: "tank", name: `${textOf(fluidType ?? "Tank")} ${textOf(instance ?? 0)}`, percent };
    },
    128275: ({ totalLogNm }) => {
      const miles = numberOf(totalLogNm);
      return miles === undefined ? undefined : { of: "log", miles };
    },
    129284: ({ waypointId, arrivalStatus }) => {
      const id = numberOf(waypointId);
      return id === undefined ? undefined : { of: "waypoint", id, hasArrived: hasArrived(arrivalStatus) };
    },
  };

type DistributedOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never;

const hasArrived = (status: unknown): boolean => {
  const { isInCircle = false, isPassed = false } = arrivalIn(status) ?? {};
  return isInCircle || isPassed;
};

export const observedTopics = (prefix: string): readonly string[] => [
  topics.navigation.name({ prefix }),
  // Before the alarms: it says when those that they have no more ended.
  topics.alarmHistory.name({ prefix }),
  topics.alarms.name({ prefix }),
  ...Object.keys(ofPgn).map((pgn) => topics.pgn.filter({ prefix, pgn: Number(pgn) })),
];

/** The observation in a message; undefined without one. Throws TypeError for a value that is not a message of the topic. */
export function observationOf(place: Place, value: unknown): Observation | undefined {
  if (place.topic === "navigation") return navigation(value);
  if (place.topic === "alarms") return alarms(value);
  if (place.topic === "alarmHistory") return pastAlarms(value);
  const read = place.topic === "pgn" ? ofPgn[place.pgn] : undefined;
  if (read === undefined || place.topic !== "pgn") return undefined;
  const { data, metadata } = readPgnMessage(place.pgn, value);
  const found = read(data);
  if (found === undefined) return undefined;
  return { ...found, source: String(place.addr), time: Date.parse(metadata.rxDate) } as Observation;
}

function navigation(value: unknown): Observation {
  const { data, metadata } = readMessage("navigation", value);
  const { position, speed_course: speed, wind_true: wind, depth_water: water } = data;
  const all: { readonly [Name in keyof Conditions]: Conditions[Name] | null | undefined } = {
    ...(position?.hasFix && { latitude: position.latitude, longitude: position.longitude }),
    cog: speed?.cog,
    sog: speed?.sog,
    heading: speed?.headingTrue,
    stw: speed?.speedThroughWater,
    windSpeed: wind?.speed,
    windDirection: wind?.direction,
    windAngle: wind?.angle,
    depth: water?.depth,
    depthOffset: water?.depth === undefined ? undefined : water.offset,
    pressure: water?.atmosphericPressure,
    airTemperature: water?.outsideTemperature,
    waterTemperature: water?.waterTemperature,
  };
  const values = Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined && each !== null));
  return { of: "navigation", time: Date.parse(metadata.rxDate), values };
}

/** The subject of an alarm for the log book: a name, an engine, a battery, or a text. */
function subjectOf({ kind, subject = 0, name, sentences }: DataOf<"alarms">["alarms"][number]): Partial<HeardAlarm> {
  if (name !== undefined) return { name: textOf(name) };
  // A kind of a newer hub-cand has no words here.
  const { subject: what, isToldByText = false } = (alarmWords as Partial<typeof alarmWords>)[kind] ?? {};
  if (what === "engine" || what === "battery") return { [what]: subject };
  // A lower subject of a person is the number of an emitter.
  const least = kind === "manOverboard" ? LEAST_SHIP_MMSI : LEAST_MMSI;
  if (what === "MMSI" && subject >= least) return { name: `MMSI ${subject}` };
  const about = isToldByText ? sentences?.find(({ values }) => values.length === 0)?.text : undefined;
  return about === undefined ? {} : { about: textOf(about) };
}

function alarms(value: unknown): Observation {
  const { data, metadata } = readMessage("alarms", value);
  const heard = data.alarms.map((alarm): HeardAlarm => {
    const { id, title, severity, since, state, first, person } = alarm;
    // A person is marked where the boat is, which only the screen may know while hub-cand is away.
    const boatAt = first?.boat ?? (person === undefined ? undefined : first?.position);
    return {
      id: textOf(id),
      title: textOf(title),
      ...subjectOf(alarm),
      severity,
      since: first?.at ?? since,
      isAcknowledged: state === "acknowledged",
      ...(person !== undefined && { person }),
      ...(boatAt !== undefined && { boatAt }),
    };
  });
  const mooring = data.rest === "berth" || data.rest === "anchor" ? data.rest : undefined;
  return {
    of: "alarms",
    time: Date.parse(metadata.rxDate),
    alarms: heard,
    mooring,
    isAnchorWatched: data.anchorWatch !== undefined,
    isStarting: data.starting ?? false,
  };
}

function pastAlarms(value: unknown): Observation {
  const { data, metadata } = readMessage("alarmHistory", value);
  const timeOf = (iso: string | undefined): number | undefined => (iso === undefined ? undefined : Date.parse(iso));
  const past = data.alarms.map(({ id, since, until, endedBefore, acknowledged }) => ({
    ...{ id: textOf(id), since: Date.parse(since), until: timeOf(until) },
    ...{ endedBefore: timeOf(endedBefore), acknowledged: timeOf(acknowledged) },
  }));
  return { of: "pastAlarms", time: Date.parse(metadata.rxDate), past };
}
