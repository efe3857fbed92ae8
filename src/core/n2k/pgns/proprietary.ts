/**
 * Proprietary PGNs that are written by hand. A definition takes the messages that it `matches`; the others of its PGN
 * go to the public table. They are published with the public PGNs.
 *
 * @example
 * export const pilotMode = pgn(65341, "Pilot Mode", {
 *   ...ofManufacturer(1857, "Simrad"),
 *   mode: choice(u8, ["Standby", "Auto"]),
 * }, { matches: { manufacturer: 1857 } });
 */
import type { Definition } from "../definition.ts";
import { choice, key, reserved } from "../verbs.ts";
import { u3, u11 } from "../wire.ts";

/** The first two bytes of every proprietary message. */
export const ofManufacturer = <const Name extends string>(code: number, name: Name) => ({
  manufacturer: key(choice(u11, { [code]: name })),
  _reserved: reserved(2),
  industryGroup: choice(u3, { 4: "Marine Industry" }),
});

export const proprietary: readonly Definition[] = [];
