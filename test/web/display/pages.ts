/** The pages of the display, run outside of a browser: what they touch while they are loaded is a stand-in. */
import { createContext, runInContext } from "node:vm";
import { build, type Plugin } from "esbuild";

interface Page {
  readonly name: string;
}

interface Display {
  readonly pages: readonly Page[];
  /** Pages that small screens list on the page `more`. */
  readonly restPages: readonly Page[];
  readonly filtersOf: (page: Page, prefix: string) => readonly string[];
  readonly instruments: Readonly<Record<string, { readonly reads: readonly { readonly pgn: number }[] }>>;
  readonly keyOf: (data: { readonly pgn: number; readonly [name: string]: unknown }) => string;
}

const contents = `
  export { pages, restPages } from "./src/web/display/pages/index.ts";
  export { filtersOf } from "./src/web/display/pages/page.ts";
  export { instruments } from "./src/web/display/instruments/instruments.ts";
  export { keyOf } from "./src/web/display/data/message-keys.ts";
`;
/** Neither connects nor draws. */
const withoutLibraries: Plugin = {
  name: "without-libraries",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(mqtt|uplot)$/ }, ({ path }) => ({ path, namespace: "library" }));
    onLoad({ filter: /./, namespace: "library" }, () => ({ contents: "export default {};" }));
  },
};
const { outputFiles } = await build({
  stdin: { contents, resolveDir: process.cwd() },
  define: { HUB_VERSION: '""' },
  plugins: [withoutLibraries],
  ...{ bundle: true, write: false, format: "iife", globalName: "display", jsx: "automatic", jsxImportSource: "preact" },
});

const nothing = (): void => {};
const element = { style: {}, dataset: {}, addEventListener: nothing };
const browser = createContext({
  addEventListener: nothing,
  document: { ...element, documentElement: element, createElement: () => element },
  location: new URL("http://boat/display/"),
  localStorage: { getItem: () => null, setItem: nothing },
  matchMedia: () => ({ matches: false, addEventListener: nothing }),
  navigator: {},
  ...{ TextDecoder, TextEncoder, URL, URLSearchParams, performance, setTimeout, clearTimeout, setInterval, console },
});
runInContext("var self = globalThis, window = globalThis;", browser);

export const { pages, restPages, filtersOf, instruments, keyOf } = runInContext(
  `${outputFiles[0]!.text}; display`,
  browser,
) as Display;
