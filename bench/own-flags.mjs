/** The options of Node in the first line of a script. */
import { readFileSync } from "node:fs";

/** The options behind `node` in a first line such as `#!/usr/bin/env -S node --max-semi-space-size=2`; none without it. */
export function ownFlags(script) {
  const [first] = readFileSync(script, "utf8").split("\n", 1);
  const [, flags = ""] = /^#!.*\bnode (--.+)$/.exec(first) ?? [];
  return flags.split(" ").filter((flag) => flag !== "");
}
