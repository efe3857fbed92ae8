/** Settings: named entries, of which `password` guards the project. */
import { entries } from "../entries.ts";
import { own } from "../json.ts";
import { isHash, passwordName } from "../password.ts";
import { Refusal } from "../refusal.ts";

export const settings = entries("settings", {
  segment: "setting",
  readable: false,
  complete(entry) {
    if (own(entry, "name") !== passwordName) return entry;
    // Anything else in it would be a password in plain text or a hash nobody can match.
    if (!isHash(own(entry, "hash"))) throw new Refusal(400, "invalid hash: expected 64 lower-case hex digits");
    const odd = Object.keys(entry).find((key) => key !== "name" && key !== "hash");
    if (odd !== undefined) throw new Refusal(400, `invalid ${odd.slice(0, 80)}: not allowed in a password`);
    return entry;
  },
});
