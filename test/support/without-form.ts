/** Markdown for snapshots: without what says nothing, blank lines and the head of each table but the first. */
export function withoutForm(markdown: string): string {
  const lines = markdown.split("\n");
  const isHead = (line: string, index: number): boolean =>
    line.startsWith("| -") || (line.startsWith("|") && lines[index + 1]?.startsWith("| -") === true);
  const said = lines.filter((line, index) => line !== "" && !(isHead(line, index) && lines.indexOf(line) < index));
  return `${said.join("\n")}\n`;
}
