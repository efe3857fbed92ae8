/** The alarms as one table: settings, schema, form, reference, Home Assistant and the watch are readings of it. */
import { busHazards } from "./hazards/bus.ts";
import { collisionHazards } from "./hazards/collision.ts";
import { deviceHazards } from "./hazards/devices.ts";
import { engineHazards } from "./hazards/engine.ts";
import { groundHazards } from "./hazards/ground.ts";
import type { Hazard } from "./hazards/hazard.ts";
import { ownHazards } from "./hazards/own.ts";
import { personHazards } from "./hazards/persons.ts";
import { positionHazards } from "./hazards/position.ts";
import { powerHazards } from "./hazards/power.ts";
import { steeringHazards } from "./hazards/steering.ts";
import { systemHazards } from "./hazards/system.ts";
import { weatherHazards } from "./hazards/weather.ts";
import type { AlarmKind } from "./words.ts";

/** Has each kind of `words.ts`, and no other. */
const complete = <Table extends Readonly<Record<AlarmKind, object>>>(
  table: Table & Readonly<Record<Exclude<keyof Table, AlarmKind>, "has no words in words.ts">>,
): Table => table;

export const alarmDefinitions = complete({
  ...personHazards,
  ...busHazards,
  ...collisionHazards,
  ...groundHazards,
  ...positionHazards,
  ...systemHazards,
  ...engineHazards,
  ...steeringHazards,
  ...deviceHazards,
  ...ownHazards,
  ...weatherHazards,
  ...powerHazards,
});

/** Settings that all kinds have, and the term of an answer that some have. */
export interface CommonSettings {
  readonly enabled: boolean;
  readonly delay: number;
  readonly term?: number;
}

/** A definition for callers that treat all kinds alike; each is given the settings of its own schema. */
export type AlarmDefinition = Hazard<CommonSettings>;
export const definitionOf = (kind: AlarmKind): AlarmDefinition => alarmDefinitions[kind] as unknown as AlarmDefinition;
