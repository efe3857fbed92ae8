/** Settings: named entries; the entry `password` protects the project. */
import { isUnchanged } from "../../../core/project/entries.ts";
import { own } from "../../../core/project/json.ts";
import { isHash, passwordName } from "../../../core/project/password.ts";
import { Refusal } from "../../../core/project/refusal.ts";
import { section } from "./section.ts";

export const settings = section("settings", {
  parameter: "setting",
  readable: false,
  complete(entry, before = {}) {
    const hash = own(entry, "hash");
    // Any other text would be a plain password, or a hash that no password has.
    if (own(entry, "name") === passwordName && !isHash(hash) && !isUnchanged(hash, own(before, "hash"))) {
      throw new Refusal(400, "invalid hash: expected 64 lower-case hex digits");
    }
    return entry;
  },
});
