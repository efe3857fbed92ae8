/**
 * A boat that runs the release before this version is upgraded, taken back and upgraded again: `apt install`,
 * unattended.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { titled } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { asWritten, type Container, message, openContainer } from "./container.ts";
import { packages } from "./packages.ts";
import { releasedPackages, releasedVersion, withoutReleased } from "./released.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const services = ["hub-config.service", "hub-cand@can0.service", "hub-cand@can1.service"];
const units = ["hub.target", ...services, "hub-config-backup.timer"];
const examples = "/usr/share/doc/hub-config/examples";

/** Copies of examples that nobody has edited, which follow the packages. */
const followed = [
  "/etc/mosquitto/conf.d/hub.conf",
  "/etc/mosquitto/hub-displays.acl",
  "/etc/nginx/sites-available/boat",
];
/** All that a person has made or edited. */
const places = [
  ...["/etc/hub", "/etc/mosquitto", "/etc/nginx/sites-available", "/etc/nginx/sites-enabled", "/var/lib/hub-cand"],
  ...["/etc/nginx/snippets/hub-mqtt.conf", "/etc/default/hub-cand-can?", "/etc/systemd/system/hub-config.service.d"],
].join(" ");

describe(titled(`a boat with ${releasedVersion}`, withoutReleased), { skip: withoutReleased !== undefined }, () => {
  let boat: Container;
  /** Folder of the owner's keys. */
  let keys: string;
  const sources = "/etc/apt/sources.list.d/hub.sources";
  /** Reads the lists of the boat's own repository alone: the tests have no other. */
  const update = `apt-get update --error-on=any -o Dir::Etc::sourcelist=${sources} -o Dir::Etc::sourceparts=- 2>&1`;
  const password = createHash("sha256").update("fair winds").digest("hex");

  /** Installs as README says. dpkg has no terminal: a question about a configuration file would be an error. */
  const install = (set: "released" | "current", names = "hub-{config,cand,display}"): Promise<string> =>
    boat.run(
      `bash -c 'apt-get install -y -o Dpkg::Options::=--force-confold --allow-downgrades /srv/${set}/${names}_*.deb' 2>&1`,
    );
  const request = (method: string, path: string, body = ""): Promise<string> =>
    boat.run(
      `curl -sSf -X ${method} -H 'Authorization: Bearer ${password}' --data-binary '${body}' http://127.0.0.1/api/config/${path}`,
    );
  const put = (path: string, entry: object | string = ""): Promise<string> =>
    request("PUT", path, typeof entry === "string" ? entry : JSON.stringify(entry));
  const files = (): Promise<string> =>
    boat.run(
      `find ${places} \\( -type f -exec sha256sum {} \\; -o -true \\) -printf '%M %u:%g %p %l\\n' | grep -v ${followed.map((path) => `-e '${path} *$'`).join(" ")}`,
    );
  const enabled = async (): Promise<string> => (await boat.attempt(`systemctl is-enabled ${units.join(" ")}`)).stdout;
  const pids = (): Promise<string> => boat.run(`systemctl show -P MainPID ${services.join(" ")}`);
  const retained = async (): Promise<string[]> => {
    const { stdout } = await boat.attempt("mosquitto_sub -t '#' --retained-only -F %t -W 2");
    return [...new Set(stdout.trim().split("\n"))].sort();
  };
  /** Both daemons say so on the broker, the settings are in force, and all runs that is to run. */
  const isRunning = async (of: string): Promise<void> => {
    for (const daemon of ["config", "can-can0"])
      await message(boat, `app/${daemon}/info`, `"version":"${of}.*"online":true`);
    await message(boat, "can/can0/navigation", '"position":.*"configLoaded":true');
    const { data } = await message(boat, "can/can0/ais", "299001200");
    expect(JSON.stringify(data)).not.toContain("299001100");
    expect((await boat.attempt(`systemctl is-active ${units.join(" ")}`)).stdout).toBe(
      `${"active\n".repeat(4)}inactive\n`,
    );
    expect(await boat.run("systemctl --failed --no-legend --plain")).toBe("");
    expect(await boat.run("systemctl show -P Nice hub-config")).toBe("5\n");
    await boat.run(
      "nginx -t && for page in display/ api/config/ api/deploy.json; do curl -sSf http://127.0.0.1/$page; done",
    );
    expect(
      (await boat.attempt("curl -sSf -X PUT http://127.0.0.1/api/config/project/hull-42/sensor/x")).status,
    ).not.toBe(0);
  };

  beforeAll(async () => {
    boat = await openContainer();
    const [released, { current }] = await Promise.all([releasedPackages(), packages()]);
    for (const [set, debs] of Object.entries({ released, current })) {
      mkdirSync(boat.file(`/srv/${set}`));
      for (const [name, path] of debs) {
        if (/_(all|amd64)$/.test(name)) copyFileSync(path, boat.file(`/srv/${set}/${basename(path)}`));
      }
    }
    keys = temporaryFolder("keys");
    const environment = { ...process.env, GNUPGHOME: keys };
    const must = (command: string, ...args: readonly string[]): void => {
      const { status, stderr } = spawnSync(command, args, { env: environment, encoding: "utf8" });
      expect(status, stderr).toBe(0);
    };
    must(
      "gpg",
      "--batch",
      "--passphrase",
      "",
      "--quick-generate-key",
      "owner <owner@boat.invalid>",
      "ed25519",
      "sign",
      "0",
    );
    const repository = (key: string): readonly string[] => [
      ...["scripts/repository.mjs", "--key", key, "--url", "file:/srv/repository"],
      ...["--packages", boat.file("/srv/current"), "--out", boat.file("/srv/repository")],
    ];
    must(process.execPath, ...repository("owner@boat.invalid"));
    // A mistyped key leaves the repository as it is served.
    const mistyped = spawnSync(process.execPath, repository("owner@boot.invalid"), {
      env: environment,
      encoding: "utf8",
    });
    expect([mistyped.status, mistyped.stderr]).toEqual([1, expect.stringMatching(/^hub: gpg .*owner@boot\.invalid/m)]);
    must("gpgconf", "--kill", "all");
    await boat.boot();
  }, 600_000);
  afterAll(() => {
    rmSync(keys, { recursive: true });
    return boat?.close();
  });

  let before: { readonly files: string; readonly enabled: string; readonly retained: readonly string[] };
  let project: string;

  test("is set up by a person", async () => {
    await install("released");
    await asWritten(boat, `${examples}/boat.nginx`);
    await asWritten(boat, `${examples}/hub.mosquitto.conf`);
    const drop = "/etc/systemd/system/hub-config.service.d";
    await boat.run(
      [
        "set -e",
        `sed -i 's/^HUB_CAND_OPTIONS=.*/HUB_CAND_OPTIONS="--simulate --home-assistant"/' /etc/default/hub-cand-can0`,
        "cp /etc/default/hub-cand-can0 /etc/default/hub-cand-can1 && sed -i s/--simulate// /etc/default/hub-cand-can1",
        "sed -i 's/1h/2h/' /etc/nginx/snippets/hub-mqtt.conf && systemctl reload nginx",
        "printf 'topic write homeassistant/#\\ntopic write boat/#\\n' >>/etc/mosquitto/hub.acl && systemctl restart mosquitto",
        `mkdir ${drop} && printf '[Service]\\nNice=5\\n' >${drop}/nice.conf && systemctl daemon-reload`,
        "systemctl restart hub-config hub-cand@can0 && systemctl enable --now hub-cand@can1 2>&1",
        "systemctl disable --now hub-config-backup.timer 2>&1",
        "echo '(1795260593.277) can0 09F11204#FF00112233445566' >/var/lib/hub-cand/can0/trip.log",
      ].join("\n"),
    );
    await boat.until("curl -sSf http://127.0.0.1/api/config/health");
    await put("project/hull-42", { name: "Hull 42", crew: ["Ada", "Grete"] });
    await put("project/hull-42/sensor/bilge", { unit: "cm", value: 1.5, note: "façade" });
    await put("project/hull-42/view/bridge", { tags: ["day"], enabled: true });
    await put("project/hull-42/settings/navigation", { ownMmsi: 299001100, windDamping: 3 });
    await put("project/hull-42/settings/can", { pgn: { 127490: "off" } });
    await put("project/hull-42/settings/password", { hash: password });
    await put("project/hull-42/deploy");
    await put("project/other", { name: "Other" });
    await put("apps/logbook", { entries: 3 });
    await boat.run("systemctl start hub-config-backup && mosquitto_pub -r -q 1 -t boat/name -m Hull");
    await isRunning(releasedVersion);
    await boat.until("mosquitto_sub -t homeassistant/device/hub_navigation_can0/config -C 1 -W 5");
    before = { files: await files(), enabled: await enabled(), retained: await retained() };
    project = await request("GET", "project/hull-42/backup");
  });

  test("is upgraded without a question: all is kept, and the daemons run anew", async () => {
    const old = await pids();
    await install("current");
    await isRunning(version);
    expect(await files()).toBe(before.files);
    expect((await boat.run("hub-examples")).trim().split("\n").sort()).toEqual([
      ...followed.map((path) => `current ${path}`),
      "edited /etc/mosquitto/hub.acl",
    ]);
    expect(await boat.run("hub-examples diff")).toContain("-topic write boat/#");
    expect(await boat.run("stat -c '%a %U' /etc/mosquitto/hub-displays.acl")).toBe("600 mosquitto\n");
    expect(await enabled()).toBe(before.enabled);
    expect(await retained()).toEqual(expect.arrayContaining([...before.retained]));
    for (const pid of old.trim().split("\n\n")) expect((await pids()).split("\n\n")).not.toContain(pid);
    expect(await request("GET", "project/hull-42/backup")).toBe(project);
    expect((await message(boat, "can/can0/health")).data.ignoredSettings).toEqual([]);
  });

  test("takes the new packages beside it", async () => {
    await install("current", "hub-{link,history}");
    await boat.until("systemctl is-active hub-link hub-history");
    await boat.run("timeout 20 bash -c 'grep -a -m 1 GPRMC </dev/tcp/127.0.0.1/10110'");
    await isRunning(version);
    expect(await files()).toBe(before.files);
  });

  test("goes back: the release before reads what this one has written, and loses nothing of it", async () => {
    await put("project/hull-42/settings/lanes", { lanes: [1], deadBands: { "127508.voltageV": 0.05 } });
    await put("project/hull-42/settings/alarms", { wind: { enabled: false } });
    await put("project/hull-42/sensor/bilge", '{"value":1.50,"big":9007199254740993.0}');
    await put("project/hull-42/deploy");
    await boat.until("mosquitto_sub -t can/can0/every/1/navigation -C 1 -W 5");
    await boat.run("mosquitto_pub -t can/can0/alarms/anchorWatch/set -m '{\"radius\":40}'");
    await message(boat, "can/can0/alarms", '"wind":"off"');
    const written = await files();
    project = await request("GET", "project/hull-42/backup");

    await install("released");
    await isRunning(releasedVersion);
    expect(await files()).toBe(written);
    expect(await enabled()).toBe(before.enabled);
    expect(await retained()).toEqual(expect.arrayContaining([...before.retained]));
    expect(JSON.parse(await request("GET", "project/hull-42/backup"))).toEqual(JSON.parse(project));
    // A change by the older version keeps the entries that it does not know.
    await put("project/hull-42/sensor/mast", { unit: "deg" });
    await put("project/hull-42/deploy");
    expect(JSON.parse(await boat.run("cat /etc/hub/deploy.json")).settings).toEqual(JSON.parse(project).settings);
    await boat.run("systemctl start hub-config-backup");
  });

  test("has a repository for the processors of all boats", () => {
    const suite = boat.file("/srv/repository/dists/hub");
    expect(readFileSync(`${suite}/Release`, "utf8")).toMatch(/^Architectures: amd64 arm64 armhf$/m);
    for (const processor of ["amd64", "arm64", "armhf"])
      expect(readFileSync(`${suite}/main/binary-${processor}/Packages`, "utf8")).toMatch(/^Package: hub-link$/m);
  });

  test("takes nothing from a repository that somebody else has changed", async () => {
    const index = boat.file("/srv/repository/dists/hub/main/binary-amd64/Packages");
    const [right, packed] = [readFileSync(index), readFileSync(`${index}.gz`)];
    writeFileSync(index, right.toString().replace("Version: ", "Version: 9"));
    writeFileSync(`${index}.gz`, gzipSync(readFileSync(index)));
    await boat.run(`cp /srv/repository/hub.sources ${sources}`);
    expect((await boat.attempt(update)).status).not.toBe(0);
    writeFileSync(index, right);
    writeFileSync(`${index}.gz`, packed);
    // A key that is not the owner's.
    await boat.run(
      `sed -i 's/^Signed-By:.*/Signed-By: \\/usr\\/share\\/keyrings\\/debian-archive-keyring.gpg/; /^ /d' ${sources}`,
    );
    expect((await boat.attempt(update)).status).not.toBe(0);
    expect(await boat.run("dpkg-query -W hub-cand")).toContain(releasedVersion);
  });

  test("is upgraded again, through a signed repository, and its settings are in force again", async () => {
    await boat.run(`cp /srv/repository/hub.sources ${sources} && ${update}`);
    await boat.run("apt-get upgrade -y -o Dpkg::Options::=--force-confold 2>&1");
    await isRunning(version);
    // The same over HTTP.
    await boat.run(
      "echo 'server { listen 127.0.0.1:8099; root /srv/repository; }' >/etc/nginx/conf.d/repository.conf && systemctl reload nginx",
    );
    await boat.run(
      `sed -i 's|^URIs: .*|URIs: http://127.0.0.1:8099|' ${sources} && rm -r /var/lib/apt/lists/*hub* && ${update}`,
    );
    await boat.run("apt-get install -y --reinstall hub-cand 2>&1");
    await isRunning(version);
    expect(await enabled()).toBe(before.enabled);
    await message(boat, "can/can0/alarms", '"wind":"off"');
    await message(boat, "can/can0/every/1/navigation", '"position":');
    expect((await message(boat, "can/can0/health")).data.ignoredSettings).toEqual([]);
  });

  test("takes later versions unattended, by the file beside the sources, which names the repository as it names itself", async () => {
    await boat.run("cp /srv/repository/52hub /etc/apt/apt.conf.d");
    const patterns = await boat.run("apt-config dump Unattended-Upgrade::Origins-Pattern");
    expect(patterns).toContain('Unattended-Upgrade::Origins-Pattern:: "origin=hub,label=hub";');
    expect(await boat.run("apt-cache policy")).toMatch(/^ +release o=hub,a=hub,n=hub,l=hub,/m);
    expect(readFileSync("README.md", "utf8").replaceAll("\n", " ")).toContain(
      "`unattended-upgrades` takes them too if `52hub`",
    );
  });
});
