/** The recipes of all pages on one boat: none replaces the file of another. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const pages = ["README.md", ...readdirSync("docs").map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);
/** Commands, each with its place. */
const commands = pages.flatMap((page) =>
  readFileSync(page, "utf8")
    .split("\n")
    .flatMap((line) =>
      [...line.matchAll(/systemctl edit [^`|]*/g)].map(([command]) => ({ page, command: command.trim() })),
    ),
);

test("each drop-in that a page makes has a name of its own", () => {
  const dropIns = commands.map(({ page, command }) => {
    const name = /--drop-in=([a-z-]+)/.exec(command)?.[1];
    expect(name, `${page}: ${command}`).toBeDefined();
    return `${command.split(" ").at(-1)}/${name}`;
  });
  expect(dropIns.length).toBeGreaterThan(2);
  expect(dropIns.toSorted()).toEqual([...new Set(dropIns)].toSorted());
});

test("options are added to those of other pages: no recipe replaces a file of options that the packages bring", () => {
  const brought = readdirSync("packaging/default");
  const texts = [...pages, ...readdirSync("packaging/examples").map((name) => `packaging/examples/${name}`)];
  const written = texts.flatMap((place) =>
    [...readFileSync(place, "utf8").matchAll(/(?<!>)> ?\/etc\/default\/([\w-]+)/g)].map(([, name]) => ({
      place,
      name,
    })),
  );
  expect(written.map(({ name }) => name)).toContain("hub-cand-boat");
  expect(written.filter(({ name }) => brought.includes(name!))).toEqual([]);
});

test("the page that removes hub names each drop-in of another program", () => {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const others = readdirSync("packaging/examples").flatMap((name) => [
    ...readFileSync(`packaging/examples/${name}`, "utf8").matchAll(
      /\/etc\/systemd\/system\/((?!hub-)[a-z-]+\.service\.d\/\S+\.conf)/g,
    ),
  ]);
  expect(others.length).toBeGreaterThan(1);
  for (const [, target] of others) expect(page).toContain(`\`${target}\``);
});

test("examples that become files of one folder have different names there", () => {
  const targets = readdirSync("packaging/examples").flatMap((name) => {
    const text = readFileSync(`packaging/examples/${name}`, "utf8");
    return [...text.matchAll(/(\/etc\/systemd\/system\/\S+\.d\/\S+\.conf)/g)].map(([, target]) => target!);
  });
  expect(targets.length).toBeGreaterThan(1);
  expect(targets.toSorted()).toEqual([...new Set(targets)].toSorted());
});
