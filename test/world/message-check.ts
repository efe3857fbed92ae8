/** Looks at each message of hub-cand: it fits its schema, and a slow lane says only what was said before. */
import Ajv2020 from "ajv/dist/2020.js";
import { topicSchemas } from "../../src/core/topics/schemas.ts";
import type { Place } from "../../src/core/topics/topics.ts";
import type { PromiseName } from "./promises.ts";

/** Of each topic the first messages are validated, and one of so many after them, because a validation costs time. */
const [FIRST, ONE_OF] = [5, 200];
/** Data of a stream that are remembered. */
const MAX_REMEMBERED = 400;

const ajv = new Ajv2020.default();
const schemas = new Map(topicSchemas.map(({ id, schema }) => [id, schema]));
const validators = new Map<string, ReturnType<typeof ajv.compile>>();
/** The ids of the schemas, by topic. */
const ids = new Map<string, string>();

function schemaOf(place: Place): string {
  if (place.topic === "pgn") return `pgn-${place.pgn}`;
  let id = ids.get(place.topic);
  if (id === undefined) {
    id = place.topic.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    ids.set(place.topic, id);
  }
  return id;
}

/** The winds of a report: name, speed, and in a lane behind the source the greatest speed. */
const WINDS = /"(wind_apparent|wind_true)":\{[^{}]*?"speed":([\d.]+)(?:(?:[^{}]|\{[^{}]*\})*?"speedMax":([\d.]+))?/g;

const dataOf = (payload: string): string => payload.slice(0, payload.indexOf(',"metadata"'));

export class MessageCheck {
  readonly #violated: (promise: PromiseName, detail: string) => void;
  readonly #counts = new Map<string, number>();
  /** Data of each stream, with the time at which they were said. */
  readonly #said = new Map<string, Map<string, number>>();

  /** By lane the greatest speed of each wind in the reports since its last message. */
  readonly #greatest = new Map<number, Map<string, number>>();

  constructor(violated: (promise: PromiseName, detail: string) => void) {
    this.#violated = violated;
  }

  hear(place: Place, payload: string, isState: boolean, now: number): void {
    if (payload === "") return;
    this.#validate(place, payload);
    if (place.topic === "navigation" || place.topic === "everyNavigation") this.#compareWinds(place, payload);
    if (place.topic === "pgn" && !isState) this.#remember(`${place.addr}/${place.pgn}`, dataOf(payload), now);
    if (place.topic !== "everyPgn" && place.topic !== "everyPgnInstance") return;
    const said = this.#said.get(`${place.addr}/${place.pgn}`);
    if (said?.has(dataOf(payload))) return;
    if ((said?.size ?? 0) >= MAX_REMEMBERED / 2) return;
    this.#violated("a lane repeats", `${place.addr}/${place.pgn} never said ${dataOf(payload).slice(0, 200)}`);
  }

  /** The greatest speed in a lane is that of a report since its last message, whose sample is of the report before. */
  #compareWinds(place: Place, payload: string): void {
    for (const [, name = "", speed, most] of payload.matchAll(WINDS)) {
      if (place.topic !== "everyNavigation") {
        for (const greatest of this.#greatest.values())
          greatest.set(name, Math.max(Number(speed), greatest.get(name) ?? 0));
        continue;
      }
      const greatest = this.#greatest.get(place.seconds) ?? new Map<string, number>();
      const known = greatest.get(name) ?? Number.POSITIVE_INFINITY;
      if (Number(most) > known)
        this.#violated("a lane repeats", `${name} has speedMax ${most}, and was ${known} at most`);
      this.#greatest.set(place.seconds, greatest.set(name, Number(speed)));
    }
  }

  #remember(stream: string, data: string, now: number): void {
    let said = this.#said.get(stream);
    if (said === undefined) {
      said = new Map();
      this.#said.set(stream, said);
    }
    said.delete(data);
    said.set(data, now);
    if (said.size > MAX_REMEMBERED) said.delete(said.keys().next().value!);
  }

  #validate(place: Place, payload: string): void {
    const id = schemaOf(place);
    const schema = schemas.get(id);
    if (schema === undefined) return;
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    if (count > FIRST && count % ONE_OF !== 0) return;
    let validate = validators.get(id);
    if (validate === undefined) {
      validate = ajv.compile(schema as object);
      validators.set(id, validate);
    }
    if (!validate(JSON.parse(payload)))
      this.#violated("fits its schema", `${id} ${JSON.stringify(validate.errors?.[0])} in ${payload.slice(0, 300)}`);
  }
}
