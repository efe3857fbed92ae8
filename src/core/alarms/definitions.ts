/** The alarms as one table: settings, schema, form, reference, Home Assistant and the watch are readings of it. */
import { busHazards } from "./hazards/bus.ts";
import { collisionHazards, trafficHazards } from "./hazards/collision.ts";
import { deviceHazards } from "./hazards/devices.ts";
import { engineHazards } from "./hazards/engine.ts";
import { groundHazards, slopeHazards } from "./hazards/ground.ts";
import type { Hazard } from "./hazards/hazard.ts";
import { ownHazards } from "./hazards/own.ts";
import { personHazards } from "./hazards/persons.ts";
import { positionHazards, timeHazards } from "./hazards/position.ts";
import { powerHazards } from "./hazards/power.ts";
import { courseHazards, steeringHazards } from "./hazards/steering.ts";
import { computerHazards, systemHazards } from "./hazards/system.ts";
import { weatherHazards } from "./hazards/weather.ts";

const { beaconTest, ...distress } = personHazards;

/** All kinds; within one severity the most dangerous kind comes first. */
export const alarmDefinitions = {
  ...distress,
  ...busHazards,
  ...collisionHazards,
  ...groundHazards,
  ...positionHazards,
  ...systemHazards,
  ...engineHazards,
  ...steeringHazards,
  ...deviceHazards,
  ...ownHazards,
  beaconTest,
  ...trafficHazards,
  ...slopeHazards,
  ...courseHazards,
  ...weatherHazards,
  ...powerHazards,
  ...timeHazards,
  ...computerHazards,
};

export type AlarmKind = keyof typeof alarmDefinitions;
export const alarmKinds = Object.keys(alarmDefinitions) as readonly AlarmKind[];

/** Settings that all kinds have, and the term of an answer that some have. */
export interface CommonSettings {
  readonly enabled: boolean;
  readonly delay: number;
  readonly term?: number;
}

/** A definition for callers that treat all kinds alike; each is given the settings of its own schema. */
export type AlarmDefinition = Hazard<CommonSettings>;
export const definitionOf = (kind: AlarmKind): AlarmDefinition => alarmDefinitions[kind] as unknown as AlarmDefinition;
