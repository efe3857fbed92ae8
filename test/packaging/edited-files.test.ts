/** The files in /etc/default keep the text of the release before: dpkg asks about one that its owner has edited too. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = "packaging/default";

/** SHA-256 of the files as they were first released; a new release adds its new files, and changes no line. */
const released: Readonly<Record<string, string>> = {
  "hub-alarm": "89d95f7a5a87c57868d7606594c2ce8e3720a48be46483e05f6a366871b80e49",
  "hub-cand-can0": "de9cf1483958f74c6f41625cccd76898b46583f550f03f4193ee089b3c57868f",
  "hub-config-fetch": "ab18b852a1eeec0518f523e6e6e634f64fe5fa152619dc9c15dd33decd0bef4f",
  "hub-history": "728f7b225e2868475111683ffc04399eaca9c44b00ce0beac883fac6efe474ce",
  "hub-link": "d90c0d716e1003ad8fb03a9d911baa55645a142240f6f83a40dd6dc4d9e2a780",
};

test("every file that an owner edits has a released text", () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(released).sort());
});

test.each(Object.entries(released))("%s has the released text, byte for byte", (name, digest) => {
  expect(
    createHash("sha256")
      .update(readFileSync(`${folder}/${name}`))
      .digest("hex"),
  ).toBe(digest);
});
