/** The part of the address that selects the view: `#/value/depth`. */
import { signal } from "@preact/signals";

export const hash = signal(location.hash);

addEventListener("hashchange", () => {
  hash.value = location.hash;
});
