/** Pages name Debian's package of each command that a fresh Debian lacks. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const packages = {
  curl: "curl",
  mosquitto_sub: "mosquitto-clients",
  mosquitto_pub: "mosquitto-clients",
  sudo: "sudo",
  socat: "socat",
  candump: "can-utils",
  "avahi-browse": "avahi-utils",
} as const;

/** Pages of instructions; those of decisions and measurements have no commands for readers. */
const pages = readdirSync("docs").filter((name) => name.endsWith(".md") && !/^(decisions|performance)/.test(name));

test.each(pages)("docs/%s", (page) => {
  const text = readFileSync(`docs/${page}`, "utf8");
  // At the beginning of a line of a block, of code in a line, or behind a pipe.
  const used = Object.entries(packages).filter(([command]) => new RegExp(`(^|[\`|] ?)${command} `, "m").test(text));
  const unnamed = used.filter(([, name]) => !new RegExp(`\`${name}\`|apt install [^\`\n]*\\b${name}\\b`).test(text));
  expect(unnamed).toEqual([]);
});
