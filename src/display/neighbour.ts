/** The order in which pages are turned. Pure. */

/** The address beside the one that is shown; undefined beyond the last, and where what is shown is none of them. */
export function neighbour(addresses: readonly string[], hash: string, step: 1 | -1): string | undefined {
  const here = hash.replace(/^#?\/?/, "");
  const exact = addresses.indexOf(here === "" ? (addresses[0] ?? "") : here);
  const at = exact === -1 ? addresses.indexOf(here.split("/")[0]!) : exact;
  return at === -1 ? undefined : addresses[at + step];
}
