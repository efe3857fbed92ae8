import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { manualPage } from "../../src/daemons/program/manual.ts";
import { manuals } from "../../src/daemons/program/manual-texts.ts";
import { optionTable, parseOptions } from "../../src/daemons/program/options.ts";

const without = (program: string): boolean => spawnSync(program, ["--help"]).error !== undefined;
const isCi = process.env.CI === "true";
const release = { version: "1.2.3", date: "2026-11-21" };

test("a manual page as a whole: the shortest, for all are made in one way", async () => {
  const manual = manuals.find(({ name }) => name === "hub-config-backup")!;
  await expect(manualPage(manual, release)).toMatchFileSnapshot("../snapshots/hub-config-backup.8");
});

test("manualPage wraps lines, and no line of text begins like a request of roff", () => {
  const description = [`${"word ".repeat(14)}twelve .long ${"x".repeat(100)} 'quoted`];
  const table = optionTable({ usage: "Usage: a", column: 0, options: [] });
  const page = manualPage({ name: "a", table, summary: "s", description, examples: [], sections: {} }, release);
  const [, text] = /\.SH DESCRIPTION\n([\s\S]*)\n\.SH OPTIONS\n/.exec(page)!;
  expect(text).toBe(`${"word ".repeat(14)}twelve\n\\&.long\n${"x".repeat(100)}\n\\&'quoted`);
});

test("manualPage escapes what roff would read as its own", () => {
  const table = optionTable({
    usage: "Usage: a-b --ca F [OPTION]...",
    column: 0,
    options: [
      { long: "ca", value: "F" },
      { long: "key", help: ".x" },
    ],
  });
  const page = manualPage(
    { name: "a-b", table, summary: "s", description: ["'quoted \\ text"], examples: [], sections: {} },
    release,
  );
  expect(page).toContain(".B a\\-b\n\\fB\\-\\-ca\\fR F [\\fIOPTION\\fR]...\n");
  expect(page).toContain("\\&'quoted \\e text");
  expect(page).toContain(".TP\n\\fB\\-\\-ca\\fR \\fIF\\fR, \\fB\\-\\-key\\fR\n\\&.x");
});

test.each(manuals)("groff finds nothing to complain about in $name", { skip: without("groff") && !isCi }, (manual) => {
  const { stdout, stderr, status } = spawnSync("groff", ["-man", "-Tascii", "-P-cbou", "-ww"], {
    input: manualPage(manual, release),
  });
  expect([status, stderr.toString()]).toEqual([0, ""]);
  for (const { long } of manual.table.options) expect(stdout.toString()).toContain(`--${long}`);
});

test.each(manuals)("mandoc has no warning for $name", { skip: without("mandoc") && !isCi }, (manual) => {
  const { stdout } = spawnSync("mandoc", ["-Tlint"], { input: manualPage(manual, release), encoding: "utf8" });
  expect(stdout).toBe("");
});

test.each(manuals)("the examples of $name are command lines that it takes", ({ name, table, examples }) => {
  const own = examples.filter(([command]) => command.startsWith(`${name} `));
  expect(own.length).toBeGreaterThan(0);
  for (const [command] of own) {
    const words = command.match(/'[^']*'|\S+/g)!;
    const { problem, operands } = parseOptions(table, words.slice(1));
    expect([problem, operands], command).toEqual([undefined, []]);
  }
});
