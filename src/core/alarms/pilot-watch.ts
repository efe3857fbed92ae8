/** Pilots that stop steering: they fall silent, or go to standby. Times are monotonic milliseconds. */
import type { Message } from "../n2k/definition.ts";
import type { headingTrackControl } from "../n2k/pgns/steering.ts";
import { type PilotState, pilotStates } from "../n2k/pilot-states.ts";
import type { Device } from "../nav/devices.ts";
import { setNewest } from "../util/grouped.ts";
import type { Heard } from "./heard.ts";

export interface PilotStop {
  readonly device: Device;
  readonly what: "silent" | "standby";
  /** Undefined: it steers again. */
  readonly since: number | undefined;
}

interface Pilot {
  isSteering: boolean;
  heardAt: number;
  /** The time between its last two messages, and the longest that came twice in turn: once it may have been off. */
  gap: number;
  interval: number;
  standbySince: number | undefined;
  silentSince: number | undefined;
}

const SILENT_AFTER_MS = 10_000;
/** Three intervals, for a pilot that sends seldom. */
const INTERVALS = 3;
const LONGEST_INTERVAL_MS = 60_000;
const MAX_PILOTS = 252;

export class PilotWatch {
  readonly #pilots = new Map<Device, Pilot>();

  /** Takes a message, unless it is not known of which pilot it is. */
  hear({ steeringMode }: Message<typeof headingTrackControl>, { device, arrived: now }: Heard): void {
    if (device.isDisputed) return;
    const known = this.#pilots.get(device);
    const pilot = known ?? {
      isSteering: false,
      heardAt: now,
      gap: LONGEST_INTERVAL_MS,
      interval: 0,
      standbySince: undefined,
      silentSince: undefined,
    };
    // The longest silent one comes first, and leaves when there are too many.
    setNewest(this.#pilots, device, pilot, MAX_PILOTS);
    if (known !== undefined) {
      const gap = Math.min(LONGEST_INTERVAL_MS, now - pilot.heardAt);
      pilot.interval = Math.max(pilot.interval, Math.min(gap, pilot.gap));
      pilot.gap = gap;
    }
    pilot.heardAt = now;
    pilot.silentSince = undefined;
    const state = (pilotStates as Readonly<Record<string, PilotState>>)[steeringMode ?? ""];
    if (state === undefined) return;
    const isSteering = state === "auto" || state === "route";
    // A person who steers by the buttons of the pilot has taken over.
    if (state !== "standby") pilot.standbySince = undefined;
    else if (pilot.isSteering) pilot.standbySince = now;
    pilot.isSteering = isSteering;
  }

  stops(now: number): readonly PilotStop[] {
    return [...this.#pilots].flatMap(([device, pilot]): readonly PilotStop[] => {
      const silentAfter = Math.max(SILENT_AFTER_MS, pilot.interval * INTERVALS);
      if (pilot.isSteering && now - pilot.heardAt > silentAfter) pilot.silentSince ??= now;
      return [
        { device, what: "silent", since: pilot.silentSince },
        { device, what: "standby", since: pilot.standbySince },
      ];
    });
  }
}
