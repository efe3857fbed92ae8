/**
 * signalk-server of npm as a peer of hub-link: installed into its own folder, it reads the frames that hub-cand serves,
 * and serves NMEA 0183 by its plugin and Signal K.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The last version that runs on Node 20, and the plugin that writes sentences. */
const packages = ["signalk-server@2.23.0", "@signalk/signalk-to-nmea0183@1.18.3"];

/** The sentences that hub-link sends from the same data, by their names in the settings of the plugin. */
const sentences = [
  ...["RMC", "GGA", "GLL", "VTG", "ZDA", "HDG", "HDM", "HDT", "ROT", "VHW", "DBT", "DPT", "MTW"],
  ...["MWVR", "MWVT", "MWD", "VLW", "RSA", "RMB", "APB", "XTE", "BWC", "XDRBaro", "XDRTemp"],
];

/** Installs it; false if the registry does not have it. */
export function install(folder) {
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  const args = ["install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", ...packages];
  return spawnSync("npm", args, { cwd: folder, stdio: "ignore" }).status === 0;
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
  return spawn(process.execPath, [join(folder, "node_modules/signalk-server/bin/signalk-server")], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SIGNALK_NODE_CONFIG_DIR: folder,
      PORT: String(signalK),
      ...(hasSentences && { NMEA0183PORT: String(nmea0183) }),
    },
    stdio: "ignore",
  });
}
