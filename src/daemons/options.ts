/**
 * Command line options, written once as a table and read as parser and as help text (and as man page).
 *
 * Rules of getopt_long: short options may be bundled (`-ov`), values attached (`-ican0`, `--interface=can0`) or the next
 * argument; `--` or the first operand ends the options. Long names are not abbreviated. The parser decides nothing and
 * ends nothing: it says what was given, left to right, and where it could not go on.
 */

export interface Option {
  /** One letter. */
  readonly short?: string;
  readonly long: string;
  /** What the help calls the value; without it the option is a flag. */
  readonly value?: string;
  /** What the help calls a value that may be left out; it is given attached, as `--name=value`. */
  readonly optionalValue?: string;
  /** Without it the option stands on one line of the help with the next one that has it. */
  readonly help?: string;
}

export interface OptionTable<Options extends readonly Option[] = readonly Option[]> {
  /** First line of the help. */
  readonly usage: string;
  /** Where the help's right side begins, counted from 0. */
  readonly column: number;
  readonly options: Options;
  /** What the help says behind the options, a line each. */
  readonly notes?: readonly string[];
}

/** Keeps the names of the options for the type checker. */
export const optionTable = <const Options extends readonly Option[]>(
  table: OptionTable<Options>,
): OptionTable<Options> => table;

/** One option as it was given: its long name, and its text if it takes a value. */
export type Given<Options extends readonly Option[]> = {
  readonly [Index in keyof Options]: Options[Index] extends { readonly value: string }
    ? { readonly name: Options[Index]["long"]; readonly value: string }
    : Options[Index] extends { readonly optionalValue: string }
      ? { readonly name: Options[Index]["long"]; readonly value?: string }
      : { readonly name: Options[Index]["long"]; readonly value?: undefined };
}[number];

/** Why the parser stopped: `option` as the user wrote it. */
export interface OptionProblem {
  readonly kind: "unknown" | "needs a value" | "takes no value";
  readonly option: string;
}

export interface ParsedOptions<Options extends readonly Option[]> {
  /** In the order they were given, up to the problem if there is one; an option may be there more than once. */
  readonly given: readonly Given<Options>[];
  readonly operands: readonly string[];
  readonly problem?: OptionProblem;
}

export function parseOptions<Options extends readonly Option[]>(
  { options }: OptionTable<Options>,
  args: readonly string[],
): ParsedOptions<Options> {
  const given: { name: string; value?: string }[] = [];
  const done = (operands: readonly string[], problem?: OptionProblem): ParsedOptions<Options> => ({
    given: given as Given<Options>[],
    operands,
    ...(problem && { problem }),
  });

  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index]!;
    if (argument === "--") return done(args.slice(index + 1));
    if (argument === "-" || !argument.startsWith("-")) return done(args.slice(index));

    if (argument.startsWith("--")) {
      const equals = argument.indexOf("=");
      const name = argument.slice(2, equals === -1 ? undefined : equals);
      const option = options.find(({ long }) => long === name);
      if (option === undefined) return done([], { kind: "unknown", option: `--${name}` });
      if (option.value === undefined) {
        if (equals !== -1 && option.optionalValue !== undefined) {
          given.push({ name, value: argument.slice(equals + 1) });
          continue;
        }
        if (equals !== -1) return done([], { kind: "takes no value", option: `--${name}` });
        given.push({ name });
        continue;
      }
      if (equals === -1) index += 1;
      const value = equals === -1 ? args[index] : argument.slice(equals + 1);
      if (value === undefined) return done([], { kind: "needs a value", option: `--${name}` });
      given.push({ name, value });
      continue;
    }

    for (let at = 1; at < argument.length; at += 1) {
      const letter = argument[at]!;
      const option = options.find(({ short }) => short === letter);
      if (option === undefined) return done([], { kind: "unknown", option: `-${letter}` });
      if (option.value === undefined) {
        given.push({ name: option.long });
        continue;
      }
      const attached = argument.slice(at + 1);
      if (attached === "") index += 1;
      const value = attached === "" ? args[index] : attached;
      if (value === undefined) return done([], { kind: "needs a value", option: `-${letter}` });
      given.push({ name: option.long, value });
      break;
    }
  }
  return done([]);
}

/** The help text, with its last line end. */
export function helpText({ usage, column, options, notes = [] }: OptionTable): string {
  const lines = [usage];
  let names: string[] = [];
  for (const { short, long, value, optionalValue, help } of options) {
    const shown = value !== undefined ? ` ${value}` : optionalValue !== undefined ? `[=${optionalValue}]` : "";
    names.push(`${short === undefined ? "" : `-${short}, `}--${long}${shown}`);
    if (help === undefined) continue;
    const indent = names[0]!.startsWith("--") ? "      " : "  ";
    const left = indent + names.join(", ");
    lines.push((left.length < column ? left.padEnd(column) : `${left}   `) + help);
    names = [];
  }
  lines.push(...notes);
  return `${lines.join("\n")}\n`;
}
