/** The command line of hub-configd: its options, and the settings that they give. */
import { helpText, optionTable, parseOptions } from "./program/options.ts";

export const hubConfigdOptions = optionTable({
  usage: "Usage: hub-configd [OPTION]... [COMMAND]",
  column: 23,
  options: [
    { short: "h", long: "help", help: "print this help and exit" },
    { short: "v", long: "verbose", help: "log every request and commissioning decision" },
    { short: "V", long: "version", help: "print the version and exit" },
    { short: "p", long: "port", value: "PORT", help: "TCP port on 127.0.0.1 (default 12000)" },
    { short: "c", long: "config", value: "DIR", help: "configuration folder (default /etc/hub)" },
    {
      short: "s",
      long: "swagger",
      value: "DIR",
      help: "folder served at / (default /usr/share/hub-config/swagger)",
    },
    { long: "charts", value: "DIR", help: "folder of the boat's own charts (default /var/lib/hub-display/charts)" },
  ],
});

export interface HubConfigdSettings {
  readonly verbose: boolean;
  readonly port: number;
  readonly configFolder: string;
  readonly swaggerFolder: string;
  readonly chartFolder: string;
}

/** The request of a command line. `usage-error`: the message is one line for stderr, the exit code is 1. */
export type HubConfigdCommand =
  | { readonly kind: "run"; readonly settings: HubConfigdSettings }
  | { readonly kind: "help"; readonly text: string; readonly problem?: string }
  | { readonly kind: "version" }
  | { readonly kind: "usage-error"; readonly message: string };

/**
 * Options count from left to right: the first one that ends the program decides how. An unknown option shows the help.
 */
export function hubConfigdCommand(args: readonly string[]): HubConfigdCommand {
  const { given, problem } = parseOptions(hubConfigdOptions, args);
  let verbose = false;
  let port = 12000;
  let configFolder = "/etc/hub";
  let swaggerFolder = "/usr/share/hub-config/swagger";
  let chartFolder = "/var/lib/hub-display/charts";
  for (const option of given) {
    switch (option.name) {
      case "help":
        return { kind: "help", text: helpText(hubConfigdOptions) };
      case "version":
        return { kind: "version" };
      case "verbose":
        verbose = true;
        break;
      case "port": {
        const value = parsePort(option.value);
        if (value === undefined) return { kind: "usage-error", message: `invalid port: ${option.value}` };
        port = value;
        break;
      }
      case "config":
        configFolder = option.value;
        break;
      case "swagger":
        swaggerFolder = option.value;
        break;
      case "charts":
        chartFolder = option.value;
        break;
    }
  }
  if (problem !== undefined) {
    const { kind, option } = problem;
    const sentence = kind === "unknown" ? `unknown option ${option}` : `${option} ${kind}`;
    return { kind: "help", text: helpText(hubConfigdOptions), problem: sentence };
  }
  return { kind: "run", settings: { verbose, port, configFolder, swaggerFolder, chartFolder } };
}

const LARGEST = 2n ** 64n - 1n;

/**
 * A port as read by C's strtoul with base 0 into a 16-bit variable: `0x2EE0`, `027340` and `12000` are one port, 77536
 * wraps to 12000. Undefined for text that is not a number, or has more after it.
 */
export function parsePort(text: string): number | undefined {
  const [, sign, digits] = /^[ \t\n\v\f\r]*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = BigInt(digits.replace(/^0(?=[0-7])/, "0o"));
  // strtoul returns ULONG_MAX for a number that does not fit, and negates one that does.
  const long = value > LARGEST ? LARGEST : sign === "-" ? BigInt.asUintN(64, -value) : value;
  return Number(BigInt.asUintN(16, long));
}
