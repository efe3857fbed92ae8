/**
 * `npm run test:quick`: the tests to run while working. Without guests, containers, browsers, other runtimes, fuzzing,
 * soaks and long replays; each program is started by one file of tests, and there are fewer random cases and
 * recordings.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Modules that start something slow: a test that imports one, directly or not, is left out. */
const slowParts = [
  "browser",
  "guest/tests",
  "packaging/packages",
  "packaging/roots",
  "runtimes/programs",
  "workerd/workerd",
];
const slow = new Map(slowParts.map((name) => [`test/${name}.ts`, true]));

function isSlow(path: string): boolean {
  const known = slow.get(path);
  if (known !== undefined) return known;
  slow.set(path, false);
  // Texts of programs look like imports too.
  if (!existsSync(path)) return false;
  const imports = [...readFileSync(path, "utf8").matchAll(/^(?:import\b.*|\}) from "(\.[^"]+\.ts)";$/gm)];
  const modules = imports.map(([, name]) => join(dirname(path), name!)).filter((name) => name.startsWith("test/"));
  slow.set(path, modules.some(isSlow));
  return slow.get(path)!;
}

const files = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));
const long = [
  // `npm run check` runs these.
  "architecture.test.ts",
  "mutation/**",
  // These start a program dozens of times. The file that is named after the program stays.
  "daemons/hub-cand-{calls,ending,findings,gateways,j1939,metrics,mqtt,networks,nmea0183}.test.ts",
  "daemons/hub-cand-{reassembly,record,recordings,sensors,serve-frames,settings}.test.ts",
  "daemons/{hub-config-backup,hub-config-fetch,hub-configd-proxy,hub-history-losses,hub-link-gpsd,hub-link-signalk,options-by-effect,wrong-clock}.test.ts",
  "daemons/unwritable-log.test.ts",
  "scripts/start.test.ts",
  "adapters/node/{can/can-bus-lifetime,gateways/source,http/second-process}.test.ts",
  // These compare or count every message of minutes of the voyage, of recordings or of garbage.
  "bridge/{false-alarms,hostile-bus,published,simulated}.test.ts",
  "findings/planted-faults.test.ts",
  "{n2k,nav}/recordings.test.ts",
  "nav/{ais-recordings,any-messages}.test.ts",
  "nmea0183/decoders.test.ts",
  "signalk/n2k-signalk.test.ts",
  "simulation/devices.test.ts",
  "api/transaction-time.test.ts",
  "security/{broker,commands}.test.ts",
  "bus/**",
  "crash/**",
  "docs/{commands,grafana}.test.ts",
  "fuzz/fuzz.test.ts",
  // These make documents, messages and recordings of any shape, or megabytes of them.
  "api/{any-request,request-work,round-trip}.test.ts",
  "adapters/{recording-reader,wasm/reassembler}.test.ts",
  "adapters/node/{mqtt/incoming-packets,recording/recording-file}.test.ts",
  "{fuzz/targets,link/malformed,n2k/laws,recording/any-bytes,text/ascii-buffer}.test.ts",
  // These are beside other programs and whole tables.
  "{bridge/home-assistant/{findings,home-assistant},scripts/debian}.test.ts",
  "{recording/canboat-programs,signalk/compared-paths,simulation/traffic}.test.ts",
  // These are exhaustive: every code of 16 bits, every public layout.
  "n2k/{numbers,public-pgns}.test.ts",
  "native/{hardening,native,sanitizers}.test.ts",
  "**/*-{lasting,soak}.test.ts",
];

export default mergeConfig(
  base,
  defineConfig({
    test: {
      exclude: [...long, ...files.filter((name) => isSlow(`test/${name}`))].map((path) => `test/${path}`),
      setupFiles: ["test/quick.ts"],
    },
  }),
);
