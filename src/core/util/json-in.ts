import { attempt } from "./attempt.ts";

/** The value of JSON text; undefined for any other text. */
export const jsonIn = (text: string): unknown => attempt(() => JSON.parse(text));
