import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { defineConfig, type Options } from "tsup";
import { formsAsData } from "./scripts/forms-as-data.mjs";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** Time of the last change to the source, in seconds since 1970, the same for every build of it. */
const built =
  process.env.SOURCE_DATE_EPOCH ?? (spawnSync("git", ["log", "-1", "--format=%ct"]).stdout?.toString().trim() || "0");

/**
 * Replaces characters beyond ASCII in comments. A character beyond Latin-1 makes V8 store the whole source as UTF-16,
 * at twice the size.
 */
const asciiOnly = {
  name: "ascii-only",
  renderChunk(code: string) {
    const ascii = code.replace(/^\s*(?:\/?\*|\/\/).*$/gm, (comment) => comment.replace(/[\u0080-\uffff]/g, "?"));
    const other = /^.*[\u0080-\uffff].*$/m.exec(ascii);
    if (other !== null) throw new Error(`beyond ASCII, and no comment: ${other[0]}`);
    return { code: ascii };
  },
};

/**
 * Bundles only the client of MQTT.js. The publishers open their sockets themselves, so its code for WebSocket, proxies
 * and browsers would only be read and kept in memory.
 */
const mqttClientAlone: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "mqtt-client-alone",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^mqtt$/ }, () => ({ path: "mqtt", namespace: "client-alone" }));
    onLoad({ filter: /^mqtt$/, namespace: "client-alone" }, () => ({
      contents: 'export const MqttClient = require("mqtt/lib/client").default;',
      resolveDir: import.meta.dirname,
    }));
  },
};

/** Parts of packages that no daemon uses, but that would be read, compiled and kept in memory. */
const withoutUnused: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "without-unused",
  setup({ onResolve, onLoad }) {
    // The messages of zod in forty languages.
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: `${import.meta.dirname}/node_modules/zod/v4/locales`,
    }));
    // HTTP/2 of @hono/node-server, and the timers of MQTT.js in a browser.
    onResolve({ filter: /^(node:http2|worker-timers)$/ }, ({ path }) => ({ path, namespace: "unused" }));
    onLoad({ filter: /./, namespace: "unused" }, () => ({
      contents: "export class Http2ServerRequest {}\nexport const constants = {};",
    }));
    // A copy of the streams of Node.js, for its older versions.
    onResolve({ filter: /^readable-stream$/ }, () => ({ path: "node:stream", namespace: "builtin" }));
  },
};

/**
 * Loads Node's modules at their first use. An import would load them at the start: a replay spends a tenth of its start
 * on `node:crypto`, `node:net` and `node:zlib`, which it never uses.
 */
const lazyBuiltins: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "lazy-builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, namespace }) =>
      namespace === "builtin" ? { path, external: true } : { path, namespace: "builtin", sideEffects: false },
    );
    onLoad({ filter: /./, namespace: "builtin" }, async ({ path }) => {
      const { default: exported } = await import(path);
      // A class, such as that of `node:events`, is loaded at once: it cannot be replaced by members that wait.
      if (typeof exported === "function") return { contents: `module.exports = require("${path}");` };
      const members = Object.keys(exported).map((name) => `get ${name}() { return loaded().${name}; }`);
      return {
        contents: `let all; const loaded = () => (all ??= require("${path}"));\nmodule.exports = { ${members.join(", ")} };`,
      };
    });
  },
};

/**
 * Each daemon becomes one file that runs without node_modules; with the ending `.mjs` no package.json has to name its
 * type.
 */
export default defineConfig({
  entry: [
    "hub-cand",
    "hub-configd",
    "hub-config-backup",
    "hub-config-fetch",
    "hub-link",
    "hub-alarm",
    "hub-history",
  ].map((daemon) => `src/daemons/${daemon}.ts`),
  env: { HUB_VERSION: version, HUB_BUILT: built },
  outExtension: () => ({ js: ".mjs" }),
  format: ["esm"],
  platform: "node",
  target: "node20",
  splitting: false,
  // The prefix `node:` stays: the plugin below recognizes HTTP/2 by it.
  removeNodeProtocol: false,
  dts: false,
  plugins: [asciiOnly],
  noExternal: [/.*/],
  esbuildPlugins: [mqttClientAlone, withoutUnused, lazyBuiltins, formsAsData],
  // This follows the first line of a daemon, which names its interpreter: the CommonJS packages in the bundle call
  // require() for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
