/** The command line of hub-config-backup: its options. */
import { helpText, optionTable, standardOptions } from "./program/options.ts";

export const hubConfigBackupOptions = optionTable({
  usage: "Usage: hub-config-backup [OPTION]...",
  column: 17,
  options: [...standardOptions],
  notes: [
    "Copies /etc/hub/deploy.json to /etc/hub/backup if it differs from the newest copy, and keeps the newest 30.",
  ],
});

export type HubConfigBackupCommand =
  | { readonly kind: "run" }
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "version" };

/** The first option that ends the program decides; all other arguments are ignored. */
export function hubConfigBackupCommand(args: readonly string[]): HubConfigBackupCommand {
  for (const argument of args) {
    if (argument === "-h" || argument === "--help") return { kind: "help", text: helpText(hubConfigBackupOptions) };
    if (argument === "-V" || argument === "--version") return { kind: "version" };
  }
  return { kind: "run" };
}
