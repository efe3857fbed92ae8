/** Markdown for snapshots: without what says nothing, blank lines and the head of each table but the first. */
export function withoutForm(markdown: string): string {
  const lines = markdown.split("\n");
  const isHead = (line: string, index: number): boolean =>
    line.startsWith("| -") || (line.startsWith("|") && lines[index + 1]?.startsWith("| -") === true);
  const said = lines.filter((line, index) => line !== "" && !(isHead(line, index) && lines.indexOf(line) < index));
  return `${said.join("\n")}\n`;
}

/** Rows of a table that stood under an earlier heading too, two and more at once, by the first word of that heading. */
export function withoutRepeatedRows(text: string): string {
  const places = new Map<string, string>();
  const written: string[] = [];
  const repeated: string[] = [];
  let [heading, of] = ["", ""];
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) heading = line.split(" ")[1]!;
    const place = line.startsWith("| ") ? places.get(line) : undefined;
    if (place !== of) {
      const rows = repeated.splice(0);
      written.push(...(rows.length > 1 ? [`| ${rows.length} rows of ${of} |`] : rows));
    }
    if (place === undefined || place === heading) {
      of = "";
      written.push(line);
      if (line.startsWith("| ")) places.set(line, heading);
    } else {
      of = place;
      repeated.push(line);
    }
  }
  return written.join("\n");
}
