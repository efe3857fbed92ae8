/** All pages. A new one is a file beside this and its name in `listed`. */

import { hull } from "../data/hull.ts";
import { say } from "../languages/say.ts";
import { alarms } from "./alarms.tsx";
import { anchor } from "./anchor.tsx";
import { boat } from "./boat.tsx";
import { bus } from "./bus.tsx";
import { devices } from "./devices.tsx";
import { distress } from "./distress.tsx";
import { messages } from "./messages.tsx";
import { mine } from "./mine.tsx";
import { more } from "./more.tsx";
import type { Page } from "./page.ts";
import { recordings } from "./recordings.tsx";
import { report } from "./report.tsx";
import { route } from "./route.tsx";
import { sail } from "./sail.tsx";
import { setup } from "./settings.tsx";
import { ships } from "./ships.tsx";
import { systems } from "./systems.tsx";
import { trend } from "./trend.tsx";
import { value } from "./value.tsx";
import { voyages } from "./voyages.tsx";

const listed: readonly Page[] = [sail, route, mine, ships, systems, devices, bus, messages, alarms, boat, setup];

const isReachable = ({ isAboard }: Page): boolean => !isAboard || hull === undefined;

const reachable = listed.filter(isReachable);

/** Pages that the page `more` lists at all sizes. */
const folded: readonly Page[] = [anchor, distress, voyages, report, recordings].filter(isReachable);

/** Pages that the page `more` lists: on large screens the folded ones alone, the others are in the navigation. */
export const restPages = [...folded, ...reachable.filter(({ about }) => about !== undefined)];

const rest = more(restPages);

/** In the order of the navigation and of the digit keys. */
export const listedPages: readonly Page[] = [...reachable, rest];

/** The addresses in the order of swipes: the pages, and each screen of a page with several screens. */
export const addressesInOrder = (): readonly string[] =>
  reachable.flatMap(({ name, addresses }) => addresses?.() ?? [name]);

/**
 * The listed pages and: a value alone, `#/value/depth`, a value of a system, `#/trend/battery/20/0/voltageV`, calls of
 * distress, the anchor, the report, a recording.
 */
export const pages: readonly Page[] = [...listed, rest, value, trend, ...folded];

/** The page of an address; the first for an unknown one. */
export const pageOf = (hash: string): Page => pages.find(({ name }) => hash.split("/")[1] === name) ?? sail;

export const titleOf = ({ title }: Page, hash: string): string =>
  typeof title === "string" ? say(title) : title(hash);
