/** The measurement of a PGN, which the writer of the history and the readers of its paths share. */
import { titleOf } from "../n2k/public-names.ts";
import { measurementName } from "./measurements.ts";

/** @example pgnMeasurement(127508) // "battery_status" */
export function pgnMeasurement(pgn: number): string {
  const name = measurementName(titleOf(pgn));
  return name === "unknown" || name === "" ? `pgn_${pgn}` : name;
}
