/** The reassembler as WebAssembly, compiled for tests as for the display. */
import { readFileSync } from "node:fs";

interface Scripts {
  wasmProblem(): string | undefined;
  buildWasm(): string;
}
const { wasmProblem, buildWasm } = (await import("../../scripts/wasm.mjs" as string)) as Scripts;

/** Why it cannot be compiled here; with CI=true its tests fail instead. */
export const withoutWasm: string | undefined = process.env.CI === "true" ? undefined : wasmProblem();

/** The part of the interface of WebAssembly that tests need: it is a global of Node's, whose types leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

let module: object | undefined;

/** A new instance of the module, with a memory of its own. */
export function compiledReassembler(): { readonly exports: object } {
  module ??= new WebAssembly.Module(readFileSync(buildWasm()));
  return new WebAssembly.Instance(module);
}
