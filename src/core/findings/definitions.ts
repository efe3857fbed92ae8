/**
 * The kinds of findings as one table: the monitor, the reference and the entities of Home Assistant are readings of it.
 */
import type { Kind } from "./finding.ts";
import { baselineKinds } from "./kinds/baseline.ts";
import { controllerKinds } from "./kinds/controller.ts";
import { deviceKinds } from "./kinds/devices.ts";
import { loadKinds } from "./kinds/load.ts";
import { sensorKinds } from "./kinds/sensors.ts";
import { streamKinds } from "./kinds/streams.ts";

/** All kinds; within one severity, a kind that explains others comes first. */
const findingDefinitions = {
  ...controllerKinds,
  ...loadKinds,
  ...deviceKinds,
  ...streamKinds,
  ...sensorKinds,
  ...baselineKinds,
} as const;

export type FindingKind = keyof typeof findingDefinitions;
export const findingKinds = Object.keys(findingDefinitions) as readonly FindingKind[];
export const findingDefinitionOf = (kind: FindingKind): Kind => findingDefinitions[kind];
