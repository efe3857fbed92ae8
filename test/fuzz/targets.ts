/** All that is TypeScript and reads bytes of others. */
import { busTargets } from "./bus-targets.ts";
import { gatewayTargets } from "./gateway-targets.ts";
import { j1939Targets } from "./j1939-targets.ts";
import { linkTargets } from "./link-targets.ts";
import { recordingTargets } from "./recording-targets.ts";
import { sensorTargets } from "./sensor-targets.ts";
import { serviceTargets } from "./service-targets.ts";
import type { Target } from "./target.ts";

export const targets: readonly Target[] = [
  ...recordingTargets,
  ...gatewayTargets,
  ...busTargets,
  ...j1939Targets,
  ...serviceTargets,
  ...linkTargets,
  ...sensorTargets,
];

/** The folder of inputs of a target that have failed once. */
export const folderOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
