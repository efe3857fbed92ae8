/**
 * Messages of the manufacturers of autopilots, with the fields that Signal K reads, as the table of public PGNs has
 * them. Not in `index.ts`, because they are published by the table.
 */
import { pgn } from "../definition.ts";
import type { Fields } from "../field.ts";
import { angle, bits, choice, constant, hex, reserved, spare } from "../verbs.ts";
import { u8, u16 } from "../wire.ts";
import { ofManufacturer } from "./proprietary.ts";

/** One of the messages that share a PGN: its title tells it apart. */
const titled = <const Pgn extends number, const All extends Fields>(number: Pgn, title: string, fields: All) =>
  pgn(number, title, { title: constant(title), ...fields }, { origin: "database", beyondDocument: "message" });

export const simradPilotMode = titled(65305, "Simnet: Pilot Mode", {
  ...ofManufacturer(1857, "Simrad"),
  model:  choice(u8, { 0: "AC", 1: "Other device", 100: "NAC" }, { open: true }),
  report: choice(u8, { 10: "Mode" }),
  mode:   bits(u16, { 3: "Standby", 4: "Heading", 6: "Nav", 8: "No Drift", 10: "Wind" }),
  _spare: spare(16),
});

export const simradPilotAngle = titled(65341, "Simnet: Autopilot Angle", {
  ...ofManufacturer(1857, "Simrad"),
  _reserved2: reserved(16),
  mode:       choice(u8, { 2: "Heading", 3: "Wind", 10: "Nav", 11: "No Drift" }, { open: true }),
  _reserved3: reserved(8),
  angleDeg:   angle(u16),
});

export const raymarineWindDatum = titled(65345, "Seatalk: Pilot Wind Datum", {
  ...ofManufacturer(1851, "Raymarine"),
  windDatumDeg:               angle(u16),
  rollingAverageWindAngleDeg: angle(u16),
  _reserved2:                 reserved(16),
});

export const raymarinePilotMode = titled(65379, "Seatalk: Pilot Mode", {
  ...ofManufacturer(1851, "Raymarine"),
  pilotMode: choice(u16, {
    0: "Standby",
    64: "Auto, compass commanded",
    256: "Vane, Wind Mode",
    384: "Track Mode",
    385: "No Drift, COG referenced (In track, course changes)",
  }, { open: true }),
  subMode:       hex({ bytes: 2 }),
  pilotModeData: hex({ bytes: 1 }),
  _reserved2:    reserved(8),
});
