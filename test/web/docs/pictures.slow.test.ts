/** The pictures of README.md show the display as it is: `npm run pictures` takes them anew. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { openBrowser, withoutChromium } from "../../support/browser.ts";

interface Picture {
  readonly name: string;
}
const { folder, forEachPicture, pictures, size } = (await import("../../../scripts/pictures.mjs" as string)) as {
  readonly folder: string;
  readonly pictures: readonly Picture[];
  readonly size: { readonly width: number; readonly height: number };
  forEachPicture(browser: unknown, take: (picture: Picture, page: unknown, words: string) => void): Promise<void>;
};

test.each(pictures)("$name.png is small, as large as it says, and in README.md", ({ name }) => {
  const file = resolve(folder, `${name}.png`);
  expect(statSync(file).size).toBeLessThan(200_000);
  const bytes = readFileSync(file);
  expect({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }).toEqual(size);
  expect(readFileSync("README.md", "utf8")).toContain(`(docs/pictures/${name}.png)`);
});

describe.skipIf(withoutChromium !== undefined)(`with Chromium ${withoutChromium ?? ""}`, () => {
  test("the words in the pictures are those of the display", async () => {
    const browser = await openBrowser();
    const shown = new Map<string, string>();
    await forEachPicture(browser, ({ name }, _page, words) => void shown.set(name, words));
    await browser.close();
    for (const { name } of pictures)
      expect(shown.get(name), "npm run pictures").toBe(readFileSync(resolve(folder, `${name}.txt`), "utf8").trimEnd());
  });
});
