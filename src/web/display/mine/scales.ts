/**
 * Scales of the gauges: lowest and highest value in the units of the reports. A direction has a whole turn and no
 * scale.
 */
import { type InstrumentName, instrumentNames, instrumentOf } from "../instruments/instruments.ts";

export const scales: Readonly<Partial<Record<InstrumentName, readonly [number, number]>>> = {
  depth: [0, 30],
  sog: [0, 12],
  stw: [0, 12],
  apparentSpeed: [0, 50],
  trueSpeed: [0, 50],
  vmgWind: [-8, 8],
  vmgWaypoint: [-8, 8],
  crossTrack: [-0.5, 0.5],
  rudder: [-40, 40],
  heel: [-45, 45],
  trim: [-15, 15],
  rateOfTurn: [-1, 1],
  leeway: [-15, 15],
  currentDrift: [0, 6],
  waterTemperature: [-5, 35],
  outsideTemperature: [-20, 50],
  pressure: [95_000, 105_000],
};

export const gaugeNames: readonly InstrumentName[] = instrumentNames.filter(
  (name) => scales[name] !== undefined || instrumentOf(name).format.isWholeTurn,
);
