import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTlsFiles } from "../../../src/adapters/node/tls-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("tls-files");

test("a file that is missing or no certificate is named", async () => {
  const path = join(folder, "nonsense.pem");
  writeFileSync(path, "nonsense");
  await expect(readTlsFiles({ ca: join(folder, "none.pem") })).rejects.toThrow(/ENOENT.*none\.pem/);
  await expect(readTlsFiles({ cert: path })).rejects.toThrow(/nonsense\.pem/);
  await expect(readTlsFiles({ key: path })).rejects.toThrow(/nonsense\.pem/);
});
