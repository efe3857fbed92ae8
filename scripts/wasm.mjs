/**
 * Compiles the reassembler to WebAssembly with Debian's clang, for the page Recordings of the display. A machine without
 * that compiler builds a display without the page; `npm start` on a fresh clone needs no more than before.
 *
 *     node scripts/wasm.mjs      prints build/wasm/reassembler.wasm, or fails with the missing packages
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = "build/wasm/reassembler.wasm";

/** The files of the reassembler, which need neither Node nor a system. */
const sources = ["wasm/reassembler", "reassembler", "fast_packet", "iso_tp", "packet_ring"];

const options = [
  ...["--target=wasm32-wasi", "-mexec-model=reactor", "-nostartfiles", "-std=c++17", "-O2", "-flto"],
  ...["-fno-exceptions", "-fno-rtti", "-DNDEBUG", "-Wall", "-Wextra", "-Werror", "-Inative"],
  "-Wl,--no-entry,--strip-all,--gc-sections",
];

/** Debian's packages of the compiler. */
export const wasmPackages = ["clang", "lld", "wasi-libc", "libc++-dev-wasm32", "libclang-rt-dev-wasm32"];

const clang = process.env.WASM_CXX ?? "clang++";

/** Why it cannot be compiled here; undefined: it can. */
export function wasmProblem() {
  const probe = ["--target=wasm32-wasi", "-fsyntax-only", "-x", "c++", "-"];
  const { status, error } = spawnSync(clang, probe, { input: "#include <memory>\n", encoding: "utf8" });
  const linker = spawnSync("wasm-ld", ["--version"]);
  if (status === 0 && error === undefined && linker.error === undefined) return undefined;
  return `no compiler for WebAssembly; on Debian: apt install ${wasmPackages.join(" ")}`;
}

/** Compiles what is out of date, and gives the path; throws the errors of the compiler. */
export function buildWasm() {
  const output = join(root, target);
  const files = sources.map((name) => `native/${name}.cc`);
  const inputs = [
    ...files,
    ...readdirSync(join(root, "native"))
      .filter((name) => name.endsWith(".h"))
      .map((name) => `native/${name}`),
  ];
  const modified = (file) => statSync(join(root, file)).mtimeMs;
  if (existsSync(output) && inputs.every((file) => modified(file) < modified(target))) return output;
  mkdirSync(dirname(output), { recursive: true });
  const { status, stderr, error } = spawnSync(clang, [...options, "-o", target, ...files], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${clang}: ${stderr ?? error}`);
  return output;
}

/** The Debian packages of the libraries that clang links into the output, by the places where it finds them. */
export function linkedPackages() {
  const run = (program, ...args) => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${program}: ${stderr ?? error}`);
    return stdout.trim();
  };
  const find = (...args) => realpathSync(run(clang, "--target=wasm32-wasi", ...args));
  const libraries = [
    ...["libc++.a", "libc++abi.a", "libc.a"].map((name) => find(`-print-file-name=${name}`)),
    find("--rtlib=compiler-rt", "-print-libgcc-file-name"),
  ];
  return [...new Set(libraries.map((path) => run("dpkg", "-S", path).split(":")[0]))].sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = wasmProblem();
  if (problem !== undefined) {
    console.error(problem);
    process.exit(1);
  }
  console.log(buildWasm());
}
