/** The things that the subjects of alarms stand for, which the crew may have named. */
import type { Definition } from "../n2k/definition.ts";
import { acInputStatus, batteryStatus, chargerStatus, inverterStatus } from "../n2k/pgns/electrical.ts";
import { engineParametersRapid } from "../n2k/pgns/propulsion.ts";
import type { Thing } from "../n2k/thing.ts";
import type { AlarmKind } from "./definitions.ts";
import type { Reading } from "./hazards/hazard.ts";

/** A message about a kind of things, and its key field whose value is the subject. */
type Subject = readonly [definition: Definition, member: string];

const engine: Subject = [engineParametersRapid, "engineInstance"];
const battery: Subject = [batteryStatus, "instance"];

/** Subjects by the beginning of the key of a reading. */
const converters: Readonly<Record<string, Subject>> = {
  charger: [chargerStatus, "chargerInstance"],
  inverter: [inverterStatus, "inverterInstance"],
};

const subjects: Readonly<Partial<Record<AlarmKind, Subject | typeof converters>>> = {
  engineTemperature: engine,
  oilPressure: engine,
  engine,
  transmission: engine,
  batteryVoltage: battery,
  batteryHigh: battery,
  batteryCharge: battery,
  converter: converters,
  shorePower: [acInputStatus, "instance"],
};

const isSubject = (subject: Subject | typeof converters): subject is Subject => Array.isArray(subject);

/** The thing that an alarm is about; for a charger or inverter without the other members of its key. */
export function thingOfSubject(kind: AlarmKind, { subject: instance, key = "" }: Reading): Thing | undefined {
  const found = subjects[kind];
  const subject = found === undefined || isSubject(found) ? found : found[key.slice(0, key.indexOf("-"))];
  return subject && instance !== undefined ? { pgn: subject[0].pgn, key: { [subject[1]]: instance } } : undefined;
}
