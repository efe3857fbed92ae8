/** The PGNs to which the page Boat subscribes. Pure. */
import { engineParametersDynamic } from "../../../core/n2k/pgns/propulsion.ts";
import { aisPgns } from "../../../core/nav/ais-messages.ts";
import type { PriorityKey } from "../../../core/nav/settings.ts";

/** PGNs with each quantity of `priority`. */
export const priorityPgns: Readonly<Record<PriorityKey, readonly number[]>> = {
  position: [129029, 129025],
  course: [129026],
  heading: [127250],
  speed: [128259],
  rateOfTurn: [127251],
  variation: [127258],
  leeway: [128000],
  wind: [130306],
  depth: [128267],
  environment: [130310, 130311, 130312, 130314, 130316],
  date: [126992, 129033],
};

/** Those of the quantities, the own MMSI, and the hours of engines. */
export const boatPgns: readonly number[] = [
  ...new Set([...Object.values(priorityPgns).flat(), ...aisPgns.map(({ pgn }) => pgn), engineParametersDynamic.pgn]),
];
