/**
 * Requests to Venus OS of Victron, which publishes only while it is asked (README of dbus-flashmq):
 *
 *     R/<portal id>/keepalive      all values once; with the option below only those that change, for 60 s
 *     R/<portal id>/battery/278/Soc   this value, as N/<portal id>/battery/278/Soc
 *
 * Values that do not change are asked for one by one, so that a value counts no longer than its source is there.
 */
import { matchesTopic } from "./topic-filter.ts";

const ONLY_CHANGES = '{"keepalive-options":["suppress-republish"]}';
/** Topic that Venus retains: it tells the portal id. */
const SERIAL = "N/+/system/0/Serial";
/** Maximum GX devices at one broker. */
const MAX_PORTALS = 8;

export interface VenusRequest {
  readonly topic: string;
  readonly payload: string;
}

const everythingOf = (portals: Iterable<string>): readonly VenusRequest[] =>
  Array.from(portals, (id) => ({ topic: `R/${id}/keepalive`, payload: "" }));

const isVenus = (topic: string): boolean => topic.startsWith("N/");
const portalOf = (topic: string): string => topic.split("/")[1] ?? "";

/** The topic that tells the portal ids, if there are rows of Venus whose id is not known. */
export const venusFilters = (filters: readonly string[]): readonly string[] =>
  filters.some((filter) => isVenus(filter) && portalOf(filter) === "+") ? [SERIAL] : [];

export class VenusRequests {
  /** GX devices that have been asked for all values. */
  readonly #portals = new Set<string>();

  /** Requests for all values, to the GX devices of these filters and of a topic that was heard, each once. */
  first(filters: readonly string[], heard?: string): readonly VenusRequest[] {
    const ofFilters = filters.filter(isVenus).map(portalOf);
    const isMeant = heard !== undefined && (matchesTopic(SERIAL, heard) || isVenus(heard)) && ofFilters.includes("+");
    const wanted = [...ofFilters, ...(isMeant ? [portalOf(heard)] : [])];
    const added = [...new Set(wanted)].filter((id) => id !== "+" && id !== "" && !this.#portals.has(id));
    const asked = added.slice(0, MAX_PORTALS - this.#portals.size);
    for (const id of asked) this.#portals.add(id);
    return everythingOf(asked);
  }

  /** Requests for all values once more, to the GX devices that have been asked. */
  anew(): readonly VenusRequest[] {
    return everythingOf(this.#portals);
  }

  /** The requests of every half minute, given the topics from which values came. */
  again(topics: readonly string[]): readonly VenusRequest[] {
    const values = topics.filter((topic) => isVenus(topic) && this.#portals.has(portalOf(topic)));
    return [
      ...[...this.#portals].map((id) => ({ topic: `R/${id}/keepalive`, payload: ONLY_CHANGES })),
      ...values.map((topic) => ({ topic: `R${topic.slice(1)}`, payload: "" })),
    ];
  }
}
