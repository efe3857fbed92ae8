/** The topics of the page of engines, tanks and batteries, and of the trends of its values. */
import { systemPgns } from "../systems/system-pgns.ts";
import { pgnFilters } from "./page.ts";

export const systemFilters = (prefix: string): readonly string[] => pgnFilters(prefix, systemPgns);
