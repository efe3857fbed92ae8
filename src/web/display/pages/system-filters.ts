/** What the page of engines, tanks and batteries and the trends of its values subscribe to. */
import { systemPgns } from "../systems/system-pgns.ts";
import { pgnFilters } from "./page.ts";

export const systemFilters = (prefix: string): readonly string[] => pgnFilters(prefix, systemPgns);
