import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { manualPage } from "../../src/daemons/manual.ts";
import { manuals } from "../../src/daemons/manuals.ts";
import { optionTable } from "../../src/daemons/options.ts";

const isInstalled = spawnSync("groff", ["--version"]).error === undefined;

test.each(manuals)("the manual page of $name", async (manual) => {
  await expect(manualPage(manual, "1.2.3")).toMatchFileSnapshot(`../snapshots/${manual.name}.8`);
});

test("manualPage escapes what roff would read as its own", () => {
  const table = optionTable({
    usage: "",
    column: 0,
    options: [
      { long: "ca", value: "F" },
      { long: "key", help: ".x" },
    ],
  });
  const page = manualPage({ name: "a-b", table, summary: "s", description: ["'quoted \\ text"], sections: {} }, "1");
  expect(page).toContain("\\&'quoted \\e text");
  expect(page).toContain(".TP\n\\fB\\-\\-ca\\fR \\fIF\\fR, \\fB\\-\\-key\\fR\n\\&.x");
});

test.each(manuals)(
  "groff finds nothing to complain about in $name",
  { skip: !isInstalled && process.env.CI !== "true" },
  (manual) => {
    const { stdout, stderr, status } = spawnSync("groff", ["-man", "-Tascii", "-P-cbou", "-ww"], {
      input: manualPage(manual, "1"),
    });
    expect([status, stderr.toString()]).toEqual([0, ""]);
    for (const { long } of manual.table?.options ?? []) expect(stdout.toString()).toContain(`--${long}`);
  },
);
