/** Templates as Home Assistant renders them. */
import { spawnSync } from "node:child_process";

const program =
  "import json,sys,jinja2\ne=jinja2.Environment()\n" +
  "print(json.dumps([e.from_string(c['template']).render(value_json=json.loads(c['payload'])) for c in json.load(sys.stdin)]))";

/** What each template makes of its payload, parsed as JSON. */
export function rendered(cases: readonly { readonly template: string; readonly payload: string }[]): string[] {
  const { stdout, stderr } = spawnSync("python3", ["-c", program], { input: JSON.stringify(cases), encoding: "utf8" });
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Why tests with templates are skipped, or undefined; where everything has to run (CI=true) they fail instead. */
export const withoutJinja =
  spawnSync("python3", ["-c", "import jinja2"]).status === 0 || process.env.CI === "true"
    ? undefined
    : "python3-jinja2 is not installed";
