import { chmodSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCredentials } from "../../../../src/adapters/node/mqtt/credentials.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const folder = temporaryFolder("credentials");

function file(mode: number, text = '{"username":"boat","password":"secret"}'): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test.each([0o600, 0o400])("a file of mode %o is read", async (mode) => {
  expect(await readCredentials(file(mode))).toEqual({ username: "boat", password: "secret" });
});

test.each([0o644, 0o640, 0o604, 0o620, 0o601])("a file of mode %o is refused", async (mode) => {
  await expect(readCredentials(file(mode))).rejects.toThrow(/readable by others \(mode 06/);
});

test("only a file right in systemd's credentials folder may have group bits", async () => {
  const path = file(0o440);
  expect(await readCredentials(path, folder)).toMatchObject({ username: "boat" });
  await expect(readCredentials(path, tmpdir())).rejects.toThrow("readable by others");
});

test.each([
  ["no JSON, secret", /not JSON$/],
  ["[]", /must be/],
  ["null", /must be/],
  ['{"username":"boat"}', /must be/],
  ['{"username":"boat","password":1}', /must be/],
])("%j is refused without being shown", async (text, message) => {
  const path = file(0o600, text);
  const error = await readCredentials(path).catch(String);
  expect(error).toMatch(message);
  expect(error).not.toContain("secret");
});

test("a file that is not there is an error with its name", async () => {
  await expect(readCredentials(join(folder, "none"))).rejects.toThrow(/ENOENT.*none/);
});
