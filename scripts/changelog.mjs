/**
 * Converts CHANGELOG.md (`## VERSION (DATE)` or `## VERSION (unreleased)`, each with a list or lists under `###`) to
 * Debian's changelog.
 */

/** The entries of CHANGELOG.md, newest first; `date` is undefined for an unreleased one. */
export function changelogEntries(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [head, ...lines] = section.trim().split("\n");
      const [, version, when] = /^(\S+) \((\d{4}-\d{2}-\d{2}|unreleased)\)$/.exec(head) ?? [];
      if (version === undefined) throw new Error(`CHANGELOG.md: "## ${head}" is not "## VERSION (DATE or unreleased)"`);
      const items = lines
        .join("\n")
        .split(/^(?:- |(?=### ))/m)
        .map((item) => item.replaceAll(/\s+/g, " ").replaceAll("`", "").trim())
        .filter((item) => item !== "");
      return { version, date: when === "unreleased" ? undefined : new Date(`${when}T00:00:00Z`), items };
    });
}

/** Unreleased builds sort before the release, and among each other by the last change of their source. */
const debianVersion = ({ version, date }, source) =>
  date === undefined ? `${version}~${source.toISOString().replaceAll(/\D/g, "").slice(0, 14)}` : version;

/** `source`: last change of the source. */
export function debianChangelog(entries, maintainer, source) {
  return entries
    .map((entry, index) => {
      const items = entry.items
        .map((item) => wrapped(item).join("\n"))
        .join("\n")
        .replace(/^\n/, "");
      // Builds from the source package take the time of the newest entry for that of the source.
      const when = (index === 0 || entry.date === undefined ? source : entry.date)
        .toUTCString()
        .replace("GMT", "+0000");
      const head = `hub (${debianVersion(entry, source)}) ${entry.date === undefined ? "UNRELEASED" : "unstable"}; urgency=medium`;
      return `${head}\n\n${items}\n\n -- ${maintainer}  ${when}\n`;
    })
    .join("\n");
}

/** `### New` becomes `  [ New ]`, as Debian's changelogs are divided. */
function wrapped(item) {
  if (item.startsWith("### ")) return ["", `  [ ${item.slice(4)} ]`];
  const lines = [];
  let line = "  *";
  for (const word of item.split(" ")) {
    if (line.length + 1 + word.length > 79) {
      lines.push(line);
      line = "   ";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
