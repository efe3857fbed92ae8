/** Releases that openssl has signed, and every way in which a file is none. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openRelease, readPublicKeys } from "../../../../src/adapters/node/http/signed-release.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const folder = temporaryFolder("signed-release");

function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr}`);
}

const keyFile = join(folder, "public.pem");
let keys: Awaited<ReturnType<typeof readPublicKeys>>;

beforeAll(async () => {
  openssl("genpkey", "-algorithm", "ed25519", "-out", "key.pem");
  openssl("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem");
  keys = await readPublicKeys(keyFile);
});

/** The signature by openssl, and the text behind it. */
function signed(text: string): Buffer {
  writeFileSync(join(folder, "signed"), text);
  openssl("pkeyutl", "-sign", "-rawin", "-inkey", "key.pem", "-in", "signed", "-out", "signature");
  return Buffer.concat([readFileSync(join(folder, "signature")), Buffer.from(text)]);
}

const header = "Hub-Config: 1\nChannel: hull-42\nVersion: 7\n\n";

test("openRelease gives channel, version and the bytes of the project", () => {
  // Line ends, a byte order mark and numbers beyond a double are passed on.
  const project = '\uFEFF{"name": 18446744073709551615,\r\n"é": "Hub-Config: 1"}\n';
  const release = openRelease(signed(header + project), keys);
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(release.project)).toBe(project);
  expect(release).toMatchObject({
    channel: "hull-42",
    version: 7,
    digest: createHash("sha256")
      .update(header + project)
      .digest("hex"),
  });
});

test("openRelease refuses every file that differs in a bit, and every half", () => {
  const release = signed(`${header}{"name": "x"}`);
  for (let place = 0; place < release.length; place++) {
    const changed = Buffer.from(release);
    changed[place]! ^= 1 << (place % 8);
    expect(() => openRelease(changed, keys), `bit of byte ${place}`).toThrow(/^the signature is wrong/);
    expect(() => openRelease(release.subarray(0, place), keys), `${place} bytes`).toThrow(/^the signature is wrong/);
  }
  expect(() => openRelease(Buffer.concat([release, Buffer.from(" ")]), keys)).toThrow(/^the signature is wrong/);
  expect(() => openRelease(release, [])).toThrow(/^the signature is wrong/);
});

test.each([
  "",
  "{}",
  header.replace("Hub-Config: 1", "Hub-Config: 2"),
  header.replace("hull-42", "hull_42"),
  header.replace("hull-42", "x".repeat(33)),
  header.replace("hull-42", ""),
  ...["0", "07", "-1", "1.5", "1e3", "", "1000000000000000"].map((version) => header.replace("7", version)),
  header.replaceAll("\n", "\r\n"),
  header.slice(0, -1),
  ` ${header}`,
  header.replace("Version", "Other: x\nVersion"),
])("openRelease takes no other text, though signed: %j", (text) => {
  const release = signed(`${text}{}`);
  expect(() => openRelease(release, keys)).toThrow(/^the file is signed, but it is no release$/);
});

test("openRelease takes the largest version", () => {
  expect(openRelease(signed(header.replace("7", "9".repeat(15))), keys).version).toBe(999_999_999_999_999);
});

test("readPublicKeys names the file that has no key, or another one", async () => {
  const place = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  openssl("genpkey", "-algorithm", "rsa", "-pkeyopt", "rsa_keygen_bits:2048", "-out", "rsa.key");
  openssl("pkey", "-in", "rsa.key", "-pubout", "-out", "rsa.pem");
  const pem = readFileSync(keyFile, "utf8");
  await expect(readPublicKeys(join(folder, "none.pem"))).rejects.toThrow(/ENOENT.*none\.pem/);
  await expect(readPublicKeys(join(folder, "key.pem"))).rejects.toThrow(/key\.pem: has no public key in PEM$/);
  await expect(readPublicKeys(join(folder, "rsa.pem"))).rejects.toThrow(/rsa\.pem: has a key that is not Ed25519$/);
  const broken = place("broken.pem", pem.replace("MCow", "MCox"));
  await expect(readPublicKeys(broken)).rejects.toThrow(/broken\.pem: has a public key that cannot be read$/);
  const both = place("both.pem", `the old one\n${pem}the new one\n${readFileSync(join(folder, "rsa.pem"), "utf8")}`);
  await expect(readPublicKeys(both)).rejects.toThrow(/not Ed25519/);
  expect(await readPublicKeys(place("twice.pem", pem + pem))).toHaveLength(2);
});
