/** A page of the display, and what it subscribes to. */

import type { ComponentType } from "preact";
import { appTopics, topics } from "../../../core/topics/topics.ts";
import { guarded } from "../data/failures.ts";
import { instrumentPgns } from "../instruments/instruments.ts";
import type { PlainText } from "../languages/texts.ts";

export interface Page {
  /** Name in its address: `#/sail`. */
  readonly name: string;
  /** Title in the head; a page that shows one of several things makes it from the hash of the address. */
  readonly title: PlainText | ((hash: string) => string);
  /** SVG path in a box of 24 by 24; a page without one is not in the navigation. */
  readonly icon?: string;
  /** Description of a page that the page `more` lists. */
  readonly about?: PlainText;
  /** The addresses of the screens of a page with several screens: `mine/2`. */
  readonly addresses?: () => readonly string[];
  /**
   * Topic filters in addition to those of every page. They must not overlap, because a broker may send a message once
   * for each.
   */
  readonly filters?: (prefix: string) => readonly string[];
  /** The page shows every topic below the prefix. */
  readonly hearsAll?: true;
  /** The page shows the alarms itself; the bar above it only says that they are not watched. */
  readonly hasAlarms?: true;
  /** The page writes to the boat's own configuration service, which the fleet does not reach. */
  readonly isAboard?: true;
  readonly View: ComponentType;
}

export type HeardPage = Pick<Page, "name" | "filters" | "hearsAll">;

/** Filters of PGNs, of any device; those of the instruments belong to every page. */
export const pgnFilters = (prefix: string, pgns: readonly number[]): readonly string[] =>
  [...new Set(pgns)].filter((pgn) => !instrumentPgns.includes(pgn)).map((pgn) => topics.pgn.filter({ prefix, pgn }));

/**
 * All filters of a page: the report, the instruments and the destination for the values, devices for their names,
 * publishers, whether a bus is read, and what is not understood of the settings for the head.
 */
export function filtersOf({ name, filters, hearsAll }: HeardPage, prefix: string): readonly string[] {
  if (hearsAll) return [`${prefix}/#`, appTopics.anyInfo];
  const own = guarded(name, () => filters?.(prefix) ?? [], []);
  // One page reads those of all boats.
  const hasStatus = own.includes(topics.interface.filter({ prefix: "+/+" }));
  return [
    ...(hasStatus ? [] : [topics.interface.name({ prefix })]),
    topics.navigation.name({ prefix }),
    topics.alarms.name({ prefix }),
    topics.devices.name({ prefix }),
    topics.health.name({ prefix }),
    topics.infos.filter({ prefix }),
    ...instrumentPgns.map((pgn) => topics.pgn.filter({ prefix, pgn })),
    appTopics.anyInfo,
    appTopics.linkCourse,
    ...own,
  ];
}
