/** The selection for a destination of NMEA 0183: sentences by their three letters, and AIS of the stations within a range. */
import { greatCircle, type Position } from "../../core/nav/great-circle.ts";
import { aisPgns } from "./ais-messages.ts";

export interface Selection {
  /** Three letters each, such as `RMC` and `VDM`; absent: all. */
  readonly sentences?: ReadonlySet<string>;
  /** Nautical miles; absent: AIS of any distance. */
  readonly range?: number;
}

/** Lines of one message. */
export interface Lines {
  readonly text: string;
  /**
   * Distance of the AIS station that they are about, nautical miles; infinite while its position is not known; absent:
   * it does not count.
   */
  readonly range?: number | undefined;
}

/** The text of the lines that are selected; empty where none is. */
export function selected(lines: readonly Lines[], { sentences, range: most }: Selection): string {
  const near = most === undefined ? lines : lines.filter(({ range }) => range === undefined || range <= most);
  const text = near.map((each) => each.text).join("");
  if (sentences === undefined) return text;
  return text
    .split(/(?<=\r\n)/)
    .filter((line) => sentences.has(line.slice(3, 6)))
    .join("");
}

/** More than any receiver hears; beyond it all begin anew. */
const MAX_STATIONS = 4096;

/** The distances of AIS stations from the boat, by the last position of each. */
export class AisRanges {
  #own: Position | undefined;
  readonly #positions = new Map<number, Position>();

  /**
   * The boat's position as the navigation report has it, with `latitude` and `longitude`; without them it is not known.
   */
  hearOwn(position: unknown): void {
    this.#own = positionIn(position);
  }

  /**
   * Nautical miles to the station of a message; infinite while its position is not known. Undefined for a PGN that is
   * none of AIS, and while the boat's own position is not known: then a range leaves nothing out.
   */
  rangeOf(pgn: number, data: Readonly<Record<string, unknown>>): number | undefined {
    const { mmsi } = data;
    if (!aisPgns.includes(pgn) || typeof mmsi !== "number") return undefined;
    const position = positionIn(data);
    if (position !== undefined) {
      if (this.#positions.size >= MAX_STATIONS && !this.#positions.has(mmsi)) this.#positions.clear();
      this.#positions.set(mmsi, position);
    }
    const at = this.#positions.get(mmsi);
    if (this.#own === undefined) return undefined;
    return at === undefined ? Number.POSITIVE_INFINITY : greatCircle(this.#own, at).range;
  }

  forget(): void {
    this.#own = undefined;
    this.#positions.clear();
  }
}

function positionIn(value: unknown): Position | undefined {
  const { latitude, longitude } = (value ?? {}) as Partial<Position>;
  return typeof latitude === "number" && typeof longitude === "number" ? { latitude, longitude } : undefined;
}
