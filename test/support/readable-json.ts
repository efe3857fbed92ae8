/** JSON for snapshots that are read: what fits into a line stands in one. */

const WIDTH = 120;

/** The text of a value, without a line end; `column`: characters before it in its line, and behind it. */
function textOf(value: unknown, indent: string, column: number): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null) return flat;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const spaced = Array.isArray(value)
    ? `[${value.map((member) => textOf(member, "", Number.NEGATIVE_INFINITY)).join(", ")}]`
    : `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${textOf(member, "", Number.NEGATIVE_INFINITY)}`).join(", ")} }`;
  if (members.length === 0) return flat;
  if (column + spaced.length <= WIDTH) return spaced;
  const inner = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const key = Array.isArray(value) ? "" : `${JSON.stringify(name)}: `;
    return `${inner}${key}${textOf(member, inner, inner.length + key.length + 1)}`;
  });
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

export const readableJson = (value: unknown): string => `${textOf(JSON.parse(JSON.stringify(value)), "", 0)}\n`;
