/** The boat of a fleet that the display shows, `?boat=hull-42` (docs/fleet.md). */
const { location } = globalThis as { readonly location?: { readonly search: string } };
const parameters = (): URLSearchParams => new URLSearchParams(location?.search);
const named = parameters().get("boat");

/** The form that the script `certificates` permits; other text could be a filter for the topics of several boats. */
const HULL = /^[a-zA-Z0-9-]{1,63}$/;

/** Undefined on board. */
export const hull: string | undefined = named !== null && HULL.test(named) ? named : undefined;

/** Prefix of the topics of a boat ashore, empty on board. */
export const topicRoot: string = hull === undefined ? "" : `boats/${hull}/`;

/** Address of the list of boats, or of the display of one, with the other parameters of this page. */
export function fleetHref(boat?: string): string {
  const others = parameters();
  others.delete("boat");
  if (boat !== undefined) others.set("boat", boat);
  const query = others.size === 0 ? "" : `?${others}`;
  return boat === undefined ? `fleet.html${query}` : `./${query}`;
}
