/** JSON Pointer (RFC 6901): `/Dc/0/Voltage`; the empty text is the whole value. */

export const isJsonPointer = (text: string): boolean => /^(\/([^~/]|~[01])*)*$/.test(text);

/** The value at a pointer; undefined if there is none. */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const escaped of pointer.split("/").slice(1)) {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
