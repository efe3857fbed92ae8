/** Engines are started and stopped. */
import { rounded } from "../../util/rounded.ts";
import type { Details, Kind, Situation, Watcher, Words } from "./kind.ts";

/** Whether each engine runs by the entries, and the instances for which that has changed. */
function engines(isOn: boolean): () => Watcher {
  return () => {
    const running = new Map<string, boolean>();
    return {
      recall({ kind, details }) {
        if (kind === "engineOn" || kind === "engineOff") running.set(String(details?.engine), kind === "engineOn");
      },
      hear(situation) {
        const { engines, isSilenceKnown, unheardMs } = situation;
        // One that ran before a time without observations, and has not been heard since.
        const silent = isSilenceKnown ? [...running.keys()].filter((engine) => !engines.has(engine)) : [];
        return [...engines, ...silent.map((engine) => [engine, false] as const)]
          .filter(([engine, runs]) => runs === isOn && (running.get(engine) ?? false) !== isOn)
          .map(([engine]) => ({ details: detailsOf(engine, situation), unheardMs }));
      },
    };
  };
}

function detailsOf(engine: string, { conditions }: Situation): Details {
  const hours = conditions.engineHours?.[engine];
  return { engine, ...(hours !== undefined && { hours: rounded(hours, 1) }) };
}

const words = (details: Details): Words => [
  details.hours === undefined ? "engine {engine}" : "engine {engine}, {hours} h",
  details,
];

export const engineOn: Kind = { name: "engineOn", title: "Engine on", watch: engines(true), words };
export const engineOff: Kind = { name: "engineOff", title: "Engine off", watch: engines(false), words };
