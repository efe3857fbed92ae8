/**
 * Completion of command lines for bash, from the option table of the help and the manual. The scripts use
 * `_init_completion` and `_filedir` of the package bash-completion, which loads a script by the name of its program.
 */
import type { Option, OptionTable } from "./options.ts";

/** Completions of a value by its name in the help. */
const offers: Readonly<Record<string, string>> = {
  FILE: "_filedir",
  DIR: "_filedir -d",
  IF: 'COMPREPLY=($(compgen -W "$(command ls /sys/class/net)" -- "$cur"))',
};

/** The script for a program, with its last line end. */
export function bashCompletion(name: string, { options }: OptionTable): string {
  const values = options.filter(({ value }) => value !== undefined);
  const complete = `_${name.replaceAll("-", "_")}`;
  return [
    `# Completion of ${name} for bash.`,
    `${complete}() {`,
    "  local cur prev words cword split",
    // -s splits --name=value.
    "  _init_completion -s || return",
    '  case "$prev" in',
    ...values.map((option) => `    ${namesOf(option).join(" | ")}) ${offerOf(option)}return ;;`),
    "  esac",
    // The value of an option that may be without one.
    "  $split && return",
    `  ${offerWords(options.map(({ long }) => `--${long}`))}`,
    "}",
    `complete -F ${complete} ${name}`,
    "",
  ].join("\n");
}

const offerWords = (words: readonly string[]): string => `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur"))`;

function offerOf({ value, choices }: Option): string {
  const offer = choices === undefined ? offers[value!] : offerWords(choices);
  return offer === undefined ? "" : `${offer}; `;
}

const namesOf = ({ short, long }: Option): readonly string[] =>
  short === undefined ? [`--${long}`] : [`-${short}`, `--${long}`];
