/** The state of the autopilot by the steering mode of PGN 127237, without the modes that describe the rudder. */
import type { SteeringMode } from "./lookups.ts";

export type PilotState = "standby" | "directControl" | "auto" | "route";

export const pilotStates: Readonly<Record<(typeof SteeringMode)[number], PilotState>> = {
  "Main Steering": "standby",
  "Non-Follow-Up Device": "directControl",
  "Follow-Up Device": "directControl",
  "Heading Control Standalone": "auto",
  "Heading Control": "auto",
  "Track Control": "route",
};
