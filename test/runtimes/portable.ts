/** The test files that run on every runtime: those of deno.json, except the ones for Deno alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Configuration {
  readonly test: { readonly include: readonly string[]; readonly exclude: readonly string[] };
}

/** Paths of the files, from the checkout. */
export function portableTests(): readonly string[] {
  const { include, exclude } = (JSON.parse(readFileSync("deno.json", "utf8")) as Configuration).test;
  const [are, areNot] = [include, exclude].map(
    (names) =>
      new RegExp(`^(${names.map((name) => name.replaceAll(".", "\\.").replaceAll("*", "[^/]+")).join("|")})(/|$)`),
  );
  return readdirSync("test", { recursive: true, encoding: "utf8" })
    .map((name) => join("test", name))
    .filter((path) => path.endsWith(".test.ts") && are!.test(path) && !areNot!.test(path))
    .sort();
}
