/** Paths with names of members of a message in braces: `tanks.{fluidType}.{instance}`. */
import { segmentOf } from "./pgn-paths.ts";

/** The path for a message; undefined if the message lacks a member of the path. */
export type PathOf = (data: Readonly<Record<string, unknown>>) => string | undefined;

/**
 * @example
 * pathOf("propulsion.{engineInstance}.revolutions")({ engineInstance: 1 }) // "propulsion.starboard.revolutions"
 */
export function pathOf(template: string): PathOf {
  // Texts at even places, the names between them at odd ones.
  const [first = "", ...parts] = template.split(/[{}]/);
  return (data) => {
    let path = first;
    for (let index = 0; index < parts.length; index += 2) {
      const name = parts[index]!;
      const segment = segmentOf(name, data[name]);
      if (segment === undefined) return undefined;
      path += segment + parts[index + 1]!;
    }
    return path;
  };
}
