/**
 * Command line options, written once as a table and read by the parser, the help text and the manual page.
 *
 * Rules of getopt_long: short options may be bundled (`-ov`), values attached (`-ican0`, `--interface=can0`) or the
 * next argument; `--` or the first operand ends the options. Long names are not abbreviated. The parser only reports
 * the given options, left to right, and the first mistake.
 */
import { parseArgs } from "node:util";
import { UsageError } from "./errors.ts";

export interface Option {
  /** One letter. */
  readonly short?: string;
  readonly long: string;
  /** Name of the value in the help; an option without it is a flag. */
  readonly value?: string;
  /** Name in the help of an optional value, which has to be attached, as in `--name=value`. */
  readonly optionalValue?: string;
  /** The possible values, if they are few. */
  readonly choices?: readonly string[];
  /** An option without a help text shares a line of the help with the next option that has one. */
  readonly help?: string;
}

export interface OptionTable<Options extends readonly Option[] = readonly Option[]> {
  /** First line of the help. */
  readonly usage: string;
  /** Column of the descriptions in the help, from 0. */
  readonly column: number;
  readonly options: Options;
  /** Lines of the help below the options. */
  readonly notes?: readonly string[];
}

/** The options of every program. */
export const standardOptions = [
  { short: "h", long: "help", help: "print this help and exit" },
  { short: "V", long: "version", help: "print the version and exit" },
] as const;

/** Infers the literal names of the options. */
export const optionTable = <const Options extends readonly Option[]>(
  table: OptionTable<Options>,
): OptionTable<Options> => table;

/** One option as it was given: its long name, and its text if it takes a value. */
export type Given<Options extends readonly Option[]> = {
  readonly [Index in keyof Options]: Options[Index] extends { readonly value: string }
    ? { readonly name: Options[Index]["long"]; readonly value: string }
    : Options[Index] extends { readonly optionalValue: string }
      ? { readonly name: Options[Index]["long"]; readonly value?: string | undefined }
      : { readonly name: Options[Index]["long"]; readonly value?: undefined };
}[number];

/** Values of the options by long name, undefined for a flag; the last of a repeated option. */
export type Values<Name extends string> = ReadonlyMap<Name, string | undefined>;

/** The mistake at which the parser stopped; `option` is the name as the user wrote it. */
export interface OptionProblem {
  readonly kind: "unknown" | "needs a value" | "takes no value";
  readonly option: string;
}

export interface ParsedOptions<Options extends readonly Option[]> {
  /** Options in the order given, up to the first problem; an option may occur more than once. */
  readonly given: readonly Given<Options>[];
  readonly operands: readonly string[];
  readonly problem?: OptionProblem | undefined;
}

/** The request of a command line. `usage-error`: the message is one line for stderr, the exit code is 1. */
export type Command<Settings> =
  | { readonly kind: "run"; readonly settings: Settings }
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "version" }
  | { readonly kind: "usage-error"; readonly message: string };

export function parseOptions<Options extends readonly Option[]>(
  { options }: OptionTable<Options>,
  args: readonly string[],
): ParsedOptions<Options> {
  // The tokens of parseArgs follow getopt in all but one rule, that the first operand ends the options. Its strict mode
  // stops at a mistake without the options before it, and would refuse values that begin with a hyphen.
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(options.map((option) => [option.long, parseArgsOption(option)])),
    strict: false,
    tokens: true,
  });
  const given: { name: string; value: string | undefined }[] = [];
  const result = (operands: readonly string[], problem?: OptionProblem): ParsedOptions<Options> => ({
    given: given as Given<Options>[],
    operands,
    problem,
  });
  for (const token of tokens) {
    if (token.kind === "positional") return result(args.slice(token.index));
    if (token.kind === "option-terminator") return result(args.slice(token.index + 1));
    const { name, rawName, value } = token;
    const option = options.find(({ long }) => long === name);
    if (option === undefined) return result([], { kind: "unknown", option: rawName });
    const takesValue = option.value !== undefined || option.optionalValue !== undefined;
    if (option.value !== undefined && value === undefined)
      return result([], { kind: "needs a value", option: rawName });
    if (!takesValue && value !== undefined) return result([], { kind: "takes no value", option: rawName });
    given.push({ name, value });
  }
  return result([]);
}

/**
 * The command of a program that takes no operands, from arguments left to right: an option that ends the program
 * (`--help`, `--version`, or one for which `endingOf` has a command) wins over a mistake after it. `settingsOf` gets
 * values by long name, the last of a repeated option, and throws UsageError for a mistake.
 */
export function commandOf<
  const Options extends readonly Option[],
  Settings,
  Ending extends { readonly kind: string } = never,
>(
  table: OptionTable<Options>,
  args: readonly string[],
  settingsOf: (values: Values<Given<Options>["name"]>, given: readonly Given<Options>[]) => Settings,
  endingOf: (option: Given<Options>) => Ending | undefined = () => undefined,
): Command<Settings> | Ending {
  const { given, operands, problem } = parseOptions(table, args);
  for (const option of given) {
    if (option.name === "help") return { kind: "help", text: helpText(table) };
    if (option.name === "version") return { kind: "version" };
    const ending = endingOf(option);
    if (ending) return ending;
  }
  try {
    if (problem?.kind === "unknown") throw new UsageError(`unknown option ${problem.option}, see --help`);
    if (problem) throw new UsageError(`${problem.option} ${problem.kind}`);
    if (operands.length > 0) throw new UsageError(`unexpected argument ${operands[0]}, see --help`);
    return { kind: "run", settings: settingsOf(new Map(given.map(({ name, value }) => [name, value])), given) };
  } catch (error) {
    if (error instanceof UsageError) return { kind: "usage-error", message: error.message };
    throw error;
  }
}

/** An optional value is only ever attached, which parseArgs allows for a flag when it is not strict. */
const parseArgsOption = ({ short, value }: Option) => ({
  type: value === undefined ? ("boolean" as const) : ("string" as const),
  ...(short !== undefined && { short }),
});

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
  // biome-ignore lint/plugin: notes are listed in the source
  lines.push(...notes);
  return `${lines.join("\n")}\n`;
}
