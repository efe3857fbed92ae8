/**
 * signalk-server of npm as a peer of hub-link: installed once, into the user's cache, it reads the frames that hub-cand
 * serves, and serves NMEA 0183 by its plugin and Signal K.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { bound } from "../process.mjs";

/** A version with the Node that it asks for, or else the last that runs on Node 20; and the plugin that writes sentences. */
const plugin = "@signalk/signalk-to-nmea0183@1.18.3";
const versions = [
  ["signalk-server@2.32.0", plugin, `node-linux-${process.arch}@22.23.5`],
  ["signalk-server@2.23.0", plugin],
];

/** The sentences that hub-link sends from the same data, by their names in the settings of the plugin. */
const sentences = [
  ...["RMC", "GGA", "GLL", "VTG", "ZDA", "HDG", "HDM", "HDT", "ROT", "VHW", "DBT", "DPT", "MTW"],
  ...["MWVR", "MWVT", "MWD", "VLW", "RSA", "RMB", "APB", "XTE", "BWC", "XDRBaro", "XDRTemp"],
];

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "hub-bench");
const INSTALL_MS = 300_000;

const folderOf = (/** @type {string[]} */ packages) => join(cache, packages[0] ?? "");

/** Installs packages to stay; undefined if npm does not. */
function install(/** @type {string[]} */ packages) {
  const folder = folderOf(packages);
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  writeFileSync(join(unfinished, "package.json"), '{"private": true}');
  console.error(`installing ${packages.join(" and ")}, once`);
  const args = ["install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", ...packages];
  const { status } = spawnSync("npm", args, { cwd: unfinished, stdio: "ignore", timeout: INSTALL_MS });
  if (status === 0 && !existsSync(folder)) renameSync(unfinished, folder);
  else rmSync(unfinished, { recursive: true });
  return status === 0 ? folder : undefined;
}

/** Makes a folder one that it runs in; false if npm does not install it. */
export function prepare(folder) {
  let installation = versions.map(folderOf).find(existsSync);
  for (const each of versions) installation ??= install(each);
  if (installation !== undefined) symlinkSync(join(installation, "node_modules"), join(folder, "node_modules"));
  return installation !== undefined;
}

/** Starts it on the ports, with frames of Yacht Devices RAW as its only input; without a port it serves no NMEA 0183. */
export function start(folder, { frames, nmea0183 = undefined, signalK }) {
  const hasSentences = nmea0183 !== undefined;
  const settings = {
    interfaces: { "admin-ui": false, tcp: false, mdns: false, "nmea-tcp": hasSentences },
    mdns: false,
    pipedProviders: [
      {
        id: "can0",
        enabled: true,
        pipeElements: [
          {
            type: "providers/simple",
            options: {
              type: "NMEA2000",
              subOptions: { type: "ydwg02-canboatjs", host: "127.0.0.1", port: String(frames) },
            },
          },
        ],
      },
    ],
  };
  mkdirSync(join(folder, "plugin-config-data"), { recursive: true });
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  const plugin = { enabled: hasSentences, configuration: Object.fromEntries(sentences.map((name) => [name, true])) };
  writeFileSync(join(folder, "plugin-config-data/sk-to-nmea0183.json"), JSON.stringify(plugin));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    SIGNALK_NODE_CONFIG_DIR: folder,
    PORT: String(signalK),
    ...(hasSentences && { NMEA0183PORT: String(nmea0183) }),
  };
  const modules = join(folder, "node_modules");
  const own = join(modules, `node-linux-${process.arch}/bin/node`);
  const args = [join(modules, "signalk-server/bin/signalk-server")];
  return bound(spawn(existsSync(own) ? own : process.execPath, args, { cwd: folder, env, stdio: "ignore" }));
}
