import { describe, expect, test } from "vitest";
import { keyNames, publishedFields } from "../../../src/core/n2k/layout.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { filtersOf, instruments, keyOf, pages, restPages } from "./pages.ts";

const matches = (filter: string, topic: string): boolean =>
  new RegExp(`^${filter.replace(/\+/g, "[^/]+").replace(/\/#$/, "(/.*)?")}$`).test(topic);

const topics = [
  "navigation",
  "ais",
  "devices",
  "interface",
  "health",
  "device/3/infos",
  "device/3/pgn/127488",
  "device/3/pgn/129025",
];

describe.each(pages)("the page $name", (page) => {
  test("no message comes to it by two filters", () => {
    for (const topic of [...topics.map((one) => `can/can0/${one}`), "app/can-can0/info"])
      expect(filtersOf(page, "can/can0").filter((filter) => matches(filter, topic)).length).toBeLessThanOrEqual(1);
  });

  test("it hears the navigation report", () => {
    expect(filtersOf(page, "a/b/c").some((filter) => matches(filter, "a/b/c/navigation"))).toBe(true);
  });
});

describe.each(Object.entries(instruments))("the instrument %s", (_, { reads }) => {
  test("every page subscribes to the messages that it reads", () => {
    for (const { pgn } of reads)
      for (const page of pages)
        expect(filtersOf(page, "p").some((filter) => matches(filter, `p/device/3/pgn/${pgn}`))).toBe(true);
  });

  test("messages of two sensors do not overwrite one another", () => {
    for (const { pgn } of reads) {
      const definition = definitions.find((each) => each.pgn === pgn)!;
      const published = new Set(publishedFields(definition).map(({ name }) => name));
      for (const name of keyNames(definition).filter((each) => published.has(each)))
        expect(keyOf({ pgn, [name]: 1 })).not.toBe(keyOf({ pgn, [name]: 2 }));
    }
  });
});

/** `npm run snapshot` rewrites it. */
test("names, in the order of the navigation and of the digit keys, and those that small screens list", async () => {
  const names = pages.map((page) => (restPages.includes(page) ? `${page.name} (more)` : page.name));
  expect(new Set(names).size).toBe(pages.length);
  await expect(`${names.join("\n")}\n`).toMatchFileSnapshot("../../snapshots/pages.txt");
});
