/**
 * Definitions of PGNs. A definition is data. It is read by `decode.ts`, `json.ts`, `encode.ts`, `schema.ts`,
 * `describe.ts`, `stream-key.ts`, by the rate limit, the display and the entities for Home Assistant. `public-pgns.ts`
 * makes definitions of a table; those of the document are written in `pgns/`.
 *
 * @example
 * export const batteryStatus = pgn(127508, "Battery Status", {
 *   instance:     instance(u8),
 *   voltageV:     decimal(s16, { per: 100, unit: "V" }),
 *   currentA:     decimal(s16, { per: 10, unit: "A" }),
 *   temperatureC: decimal(u16, { per: 100, unit: celsius }),
 *   sequenceId:   counter(integer(u8)),
 * });
 */
import { type Fields, type Members, minimumBits, type Simplify } from "./field.ts";

/**
 * The origin of a layout: public sources, an assumption made here, the operator of the boat, or the table of the public
 * database.
 */
export type Origin = "nmea2000" | "j1939" | "assumed" | "operator" | "database";

/**
 * Subject of a message that does not have the state of its sender or the boat. `protocol`: address claims, requests and
 * heartbeats, by which devices find each other.
 */
export type Subject = "alert" | "call" | "command" | "protocol" | "radarZone" | "route" | "target";

/** Meaning of a message as a whole. */
interface Meaning {
  /** The public title, if the document's differs. */
  readonly publicTitle?: string | undefined;
  /** Name in a user interface, if the title is too long for it. */
  readonly label?: string | undefined;
  /** Absent for a message with the state of its sender or the boat. */
  readonly about?: Subject | undefined;
  /** Every message counts, such as an alert or a command: no rate limit may drop one. */
  readonly event?: true | undefined;
  /** Newer PGNs replace this one. */
  readonly deprecated?: true | undefined;
  /**
   * `fields`: the document names this PGN without fields; the fields here are those of the public layout. `message`:
   * the document does not have this PGN.
   */
  readonly beyondDocument?: "fields" | "message" | undefined;
  /** Bytes of a single frame that is not filled up to eight. */
  readonly bytes?: number | undefined;
  readonly note?: string | undefined;
}

export interface Definition<Pgn extends number = number, All extends Fields = Fields> extends Meaning {
  readonly pgn: Pgn;
  readonly title: string;
  readonly fields: All;
  readonly transport: "single" | "fast" | "isoTp";
  readonly origin: Origin;
  /** Names of the published fields in the document's order, if that is not the order of the wire. */
  readonly order?: readonly string[] | undefined;
  /**
   * Raw numbers of fields that distinguish its messages from others of the same PGN, such as the manufacturer of a
   * proprietary PGN.
   */
  readonly matches?: Readonly<Partial<Record<string, number>>> | undefined;
}

export interface DefinitionOptions<Name extends string = string> extends Meaning {
  readonly transport?: "single" | "fast" | "isoTp";
  readonly origin?: Origin;
  readonly order?: readonly Name[];
  readonly matches?: { readonly [Each in Name]?: number };
}

/**
 * Defines a PGN. Without a transport it is a fast packet if its fields need more than 8 bytes.
 *
 * @example pgn(127257, "Attitude", { sequenceId: counter(integer(u8)), yawDeg: angle(s16), … })
 */
export const pgn = <const Pgn extends number, const All extends Fields>(
  number: Pgn,
  title: string,
  fields: All,
  { transport, origin = "nmea2000", ...options }: DefinitionOptions<keyof All & string> = {},
): Definition<Pgn, All> => ({
  pgn: number,
  title,
  fields,
  transport: transport ?? (minimumBits(fields) > 64 ? "fast" : "single"),
  origin,
  ...options,
});

/**
 * `data` of a message of this definition, inferred.
 *
 * @example Message<typeof attitude> // { pgn: 127257; sequenceId?: number; yawDeg?: number; … }
 */
export type Message<One extends Definition> = Simplify<{ readonly pgn: One["pgn"] } & Members<One["fields"]>>;

export type MessageOf<Definitions extends readonly unknown[]> = {
  [Index in keyof Definitions]: Definitions[Index] extends Definition ? Message<Definitions[Index]> : never;
}[number];
