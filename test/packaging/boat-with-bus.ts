/**
 * The program that `bus.test.ts` runs in the guest: a boat with a bus, on which hub-cand is installed by dpkg. Prints
 * its observations as one line of JSON.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { skipIdleTime } from "../guest/idle-time.ts";
import { openContainer } from "./container.ts";

/** Observations on the boat. */
export interface Seen {
  /** The output of `ip` about can0 once networkd has read the example. */
  readonly can0: unknown;
  /** PGN messages and reports by their topic. */
  readonly messages: Readonly<Record<string, string>>;
  /** The process behind the unit of can0, as /proc has it. */
  readonly status: string;
  readonly failed: string;
}

const [folder] = process.argv.slice(2) as [string];

spawnSync("mount", ["-t", "cgroup2", "cgroup2", "/sys/fs/cgroup"]);
// Set up with another bitrate, as on a boat where none has been configured.
for (const how of ["down", "type can bitrate 125000 restart-ms 0"]) {
  spawnSync("ip", ["link", "set", "can0", ...how.split(" ")], { stdio: "inherit" });
}
const boat = await openContainer();
const say = (sentence: string): void => console.error(`${Math.round(performance.now() / 1000)} s: ${sentence}`);
for (const name of ["hub-cand.deb", "trip.log"]) copyFileSync(join(folder, name), boat.file(`/srv/${name}`));
// On an emulated processor a boot takes long: without the services that have no part in this, nor the work of a first
// boot.
const idle = ["avahi-daemon.service", "avahi-daemon.socket", "console-getty.service", "nginx.service"];
for (const name of [...idle, "systemd-logind.service", "victoria-metrics.service"]) {
  symlinkSync("/dev/null", boat.file(`/etc/systemd/system/${name}`));
}
for (const folder of ["/etc", "/var"]) writeFileSync(boat.file(`${folder}/.updated`), "");
await boat.boot();
for (const name of ["can0", "can1"]) boat.connect(name);
say("booted");
await boat.run("dpkg -i /srv/hub-cand.deb");
say("installed");

await boat.run(
  "cp /usr/share/doc/hub-cand/examples/*-can0*.network /etc/systemd/network && systemctl enable --now systemd-networkd && ip link set can1 up",
);
await boat.until("ip link show can0 | grep -w LOWER_UP");
const can0 = JSON.parse(await boat.run("ip -details -json link show can0"))[0];
say("networkd has set up can0");
// Nearly all programs are in memory now: what is left waits for messages, and not for files of the host.
skipIdleTime();

const messages: Record<string, string> = {};
/** Waits for a message on a topic, while something is done again and again. */
const hear = async (topic: string, words: string, meanwhile = "true"): Promise<void> => {
  messages[topic] = await boat.until(`${meanwhile}; mosquitto_sub -t '${topic}' -C 1 -W 2 | grep '${words}'`);
  say(topic);
};
// A heading of 1.0 rad from address 7, heard by the controller of the installed default.
await hear("can/can0/interface", '"up":true');
const ended = once(
  boat.spawn("for n in 1 2 3 4 5; do cansend can1 09F11207#0010270000000001; sleep 0.3; done"),
  "close",
);
await hear("can/can0/device/7/pgn/127250", "headingDeg");
await ended;

boat.spawn("exec canplayer -l i -I /srv/trip.log can1=can0");
await hear("can/can0/navigation", '"position":');
for (const pgn of [129029, 129038]) await hear(`can/can0/device/+/pgn/${pgn}`, `"pgn":${pgn}`);
await hear("can/can0/device/+/infos", "functionName");
await hear("can/can0/ais", "mmsi");
const status = await boat.run("cat /proc/$(systemctl show -P MainPID hub-cand@can0)/status");
const failed = await boat.run("systemctl --failed --no-legend --plain");
console.log(JSON.stringify({ can0, messages, status, failed } satisfies Seen));
await boat.close();
