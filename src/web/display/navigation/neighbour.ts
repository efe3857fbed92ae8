/** The order in which pages are turned. Pure. */

/** The address next to the present one; undefined beyond the last, and if the present one is not in the list. */
export function neighbour(addresses: readonly string[], hash: string, step: 1 | -1): string | undefined {
  const here = hash.replace(/^#?\/?/, "");
  const exact = addresses.indexOf(here === "" ? (addresses[0] ?? "") : here);
  const at = exact === -1 ? addresses.indexOf(here.split("/")[0]!) : exact;
  return at === -1 ? undefined : addresses[at + step];
}
