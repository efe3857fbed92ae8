/**
 * Asks the registry for advisories about the installed packages, and lists those that `vulnerabilities.json` has no
 * finding for: `npm run advisories`. Ends with 1 if there are any, and if the registry gives no answer.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endWithMessage, Failure } from "./failure.mjs";
import { root } from "./setup.mjs";
import { readAnalysed } from "./vex.mjs";

/** The advisories in the output of `npm audit --json`, each with the packages that it is about. */
export function advisoriesIn(text) {
  const { auditReportVersion, vulnerabilities, message, error } = JSON.parse(text);
  if (auditReportVersion !== 2)
    throw new Failure(`the registry gives no advisories: ${error?.summary || message || "its answer is another"}`);
  const advisories = new Map();
  // A text is the name of another package with the advisory.
  for (const { via } of Object.values(vulnerabilities))
    for (const each of via.filter((one) => typeof one === "object")) advisories.set(each.url, each);
  return [...advisories.values()].map(({ url, name, title, severity, range }) => ({
    ...{ id: url.slice(url.lastIndexOf("/") + 1), url, name, title, severity, range },
  }));
}

function main() {
  const { stdout } = spawnSync("npm", ["audit", "--json"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  if (!stdout) throw new Failure("npm audit prints nothing");
  const known = new Set(readAnalysed(root).findings.map(({ id }) => id));
  const open = advisoriesIn(stdout).filter(({ id }) => !known.has(id));
  for (const { id, name, range, severity, title } of open)
    console.log(`${id}  ${severity}  ${name} ${range}  ${title}`);
  if (open.length > 0)
    throw new Failure(`${open.length} advisories are without a finding in scripts/vulnerabilities.json`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await endWithMessage(main);
