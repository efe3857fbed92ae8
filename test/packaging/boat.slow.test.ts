/** `apt install ./hub-….deb` on a boat's computer: a booted Debian 13, from installation to purge. */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundled } from "../support/bundled.ts";
import { withoutDebian as obstacle, titled } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { asWritten, type Container, message, openContainer } from "./container.ts";
import { packages } from "./packages.ts";

const daemons = ["hub-config.service", "hub-cand@can0.service", "hub-link.service", "hub-history.service"];
const units = ["hub.target", ...daemons, "hub-config-backup.timer"];
const names = ["hub-config", "hub-cand", "hub-link", "hub-history", "hub-display"];
const examples = "/usr/share/doc/hub-config/examples";
const stamp = "/var/lib/systemd/timers/stamp-hub-config-backup.timer";

/**
 * All files but those of Debian's own databases and logs, which every installation changes, and of the running system.
 */
const listFiles =
  "find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /srv -o -path /var/log -o -path /var/cache" +
  " -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/lib/mosquitto -o -path /var/lib/victoria-metrics -o -path '/var/lib/systemd/deb-systemd-*' -o -path '/var/tmp/systemd-private-*' \\) -prune -o -print | sort";

describe(titled("on a boat's computer", obstacle), { skip: obstacle !== undefined }, () => {
  let boat: Container;
  let folder: string;
  let untouched: string;

  const install = (set: "previous" | "current"): string => `apt-get install -y --allow-downgrades /srv/${set}/*.deb`;
  const get = (path: string): Promise<string> => boat.run(`curl -sSf http://127.0.0.1${path}`);
  const send = async (method: string, path: string, body = ""): Promise<string> => {
    const data = body === "" ? "" : `--data-binary '${body}'`;
    return (
      await boat.run(`curl -sS -o /dev/null -w '%{http_code}' -X ${method} ${data} http://127.0.0.1${path}`)
    ).trim();
  };
  const show = async (unit: string, property: string): Promise<string> =>
    (await boat.run(`systemctl show -P ${property} ${unit}`)).trim();
  const properties = async (unit: string): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (await boat.run(`systemctl show --all ${unit}`)).split("\n").map((line) => {
        const end = line.indexOf("=");
        return [line.slice(0, end), line.slice(end + 1)];
      }),
    );
  const untilServing = (): Promise<string> => boat.until("curl -sSf http://127.0.0.1:12000/health");
  /** Every file of a folder is what nginx answers below a path; all in one process. */
  const isServed = async (path: string, files: string): Promise<void> => {
    const requests = `find . -type f -printf 'url = "http://127.0.0.1${path}/%P"\\noutput = "%P"\\n'`;
    await boat.run(
      `cd ${files} && ${requests} | curl -sSf --fail-early --create-dirs --output-dir /srv/served -K - && diff -r . /srv/served && rm -r /srv/served`,
    );
  };
  const areActive = async (): Promise<void> => {
    expect((await boat.attempt(`systemctl is-active ${units.join(" ")}`)).stdout).toBe("active\n".repeat(units.length));
    expect(await boat.run("systemctl --failed --no-legend --plain")).toBe("");
  };

  beforeAll(async () => {
    folder = temporaryFolder("boat-packages");
    boat = await openContainer();
    for (const [set, debs] of Object.entries(await packages())) {
      mkdirSync(boat.file(`/srv/${set}`));
      for (const name of names) {
        copyFileSync((debs.get(`${name}_amd64`) ?? debs.get(`${name}_all`))!, boat.file(`/srv/${set}/${name}.deb`));
      }
    }
    await boat.boot();
    // A power cut of a container costs nothing that was written, so that dpkg need not wait for the disk either.
    await boat.run("mkdir -p /data && echo force-unsafe-io > /etc/dpkg/dpkg.cfg.d/unsafe-io");
    untouched = await boat.run(listFiles);
  }, 600_000);

  afterAll(async () => {
    await boat?.close();
    rmSync(folder, { recursive: true });
  });

  test("installing starts everything, without a network", async () => {
    expect(await boat.run("ip -brief link")).toMatch(/^lo .*\n$/);
    await boat.run(install("previous"));
    await areActive();
    await untilServing();
    expect(await boat.run("stat -c '%U:%G %a' /etc/hub")).toBe("hub:hub 755\n");
    expect(await show("hub-config-perms.service", "Result")).toBe("success");
    for (const program of ["hub-configd", "hub-cand", "hub-link", "hub-history"]) {
      expect(await boat.run(`${program} --version`)).toMatch(/\d+\.\d+\.\d+\n$/);
    }
  });

  test("a drop-in lets one instance open serial ports, and it waits for the gateway", async () => {
    await boat.run("cp /etc/default/hub-cand-can0 /srv/default");
    await asWritten(boat, "/usr/share/doc/hub-cand/examples/serial-gateway.conf");
    expect((await message(boat, "can/can0/interface", "no such file")).data).toMatchObject({
      interface: "can0",
      up: false,
      gateway: { source: "actisense:///dev/ttyUSB0", reason: "no such file or directory" },
    });
    expect(await show("hub-cand@can0.service", "DevicePolicy")).toBe("closed");
    expect(await show("hub-cand@can1.service", "PrivateDevices")).toBe("yes");
    await boat.run(
      "rm -r /etc/systemd/system/hub-cand@can0.service.d && mv /srv/default /etc/default/hub-cand-can0 && systemctl daemon-reload && systemctl restart hub-cand@can0",
    );
  });

  test("nginx and Mosquitto take the examples as they are written", async () => {
    await asWritten(boat, `${examples}/boat.nginx`);
    await asWritten(boat, `${examples}/hub.mosquitto.conf`);
    expect(await boat.run("nginx -t 2>&1")).not.toContain("warn");
    expect(await boat.run("cat /var/log/mosquitto/mosquitto.log")).not.toContain("Warning");
    expect(JSON.parse(await boat.until("curl -sSf http://127.0.0.1/api/config/info"))).toMatchObject({
      name: "hub-configd",
      hostname: "boat",
    });
  });

  test("the console works behind the prefix", async () => {
    const page = await get("/api/config/");
    const linked = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
    expect(linked.length).toBeGreaterThan(3);
    const scripts = await Promise.all(
      linked.filter((path) => path.endsWith(".js")).map((path) => get(`/api/config/${path}`)),
    );
    const imported = scripts.flatMap((text) => [...text.matchAll(/from "(\.\/[^"]+)"/g)].map(([, path]) => path!));
    for (const path of [...linked, ...imported]) await get(`/api/config/${path}`);
    const { servers, paths } = JSON.parse(await get("/api/config/openapi.json"));
    expect(Object.keys(paths).length).toBeGreaterThan(20);
    // Relative to the page, or absent, which means the same.
    for (const { url } of servers ?? []) expect(url).not.toMatch(/^(\/|https?:)/);
  });

  test("the documentation lies behind the prefix, all of it", async () => {
    cpSync("dist/swagger/docs", boat.file("/srv/docs"), { recursive: true });
    expect(readdirSync(boat.file("/srv/docs"))).toContain("index.html");
    await isServed("/api/config/docs", "/srv/docs");
  });

  test("the daemons tell on the broker who they are", async () => {
    for (const daemon of ["config", "can-can0"]) {
      expect(await message(boat, `app/${daemon}/info`, '"online":true')).toMatchObject({ hostname: "boat" });
    }
  });

  test("a simulated voyage reaches a display through nginx, which cannot write to the broker", async () => {
    await boat.run(
      "echo 'HUB_CAND_OPTIONS=\"--simulate --serve-frames 0.0.0.0:1457\"' > /etc/default/hub-cand-can0 && systemctl restart hub-cand@can0",
    );
    const { data } = await message(boat, "can/can0/navigation", '"position":');
    expect(data.position).toMatchObject({ hasFix: true });
    expect(await boat.run("timeout 20 bash -c 'head -1 </dev/tcp/127.0.0.1/1457'")).toMatch(
      /^[\d:.]{12} R [\dA-F]{8}[ \dA-F]*\r\n$/,
    );
    expect(await boat.run("timeout 20 bash -c 'grep -a -m 1 GPRMC.*,A, </dev/tcp/127.0.0.1/10110'")).toMatch(
      /^\$GPRMC,\d{6}\.\d{2},A,/,
    );
    const program = await bundled(
      folder,
      `import { connect } from "mqtt";
       const client = connect("ws://127.0.0.1/mqtt");
       client.on("connect", () => client.subscribe(["can/can0/navigation", "can/can0/forged"]));
       const heard = [];
       client.on("message", (topic) => {
         heard.push(topic);
         if (heard.length === 1) client.publish("can/can0/forged", "x", { qos: 1 });
         if (heard.length === 20) { console.log([...new Set(heard)].join()); process.exit(); }
       });`,
    );
    copyFileSync(program, boat.file("/srv/display.mjs"));
    expect(await boat.run("node /srv/display.mjs")).toBe("can/can0/navigation\n");
    expect(await boat.run("curl -sSI http://127.0.0.1/")).toMatch(/^location: \/display\/\r$/im);
    await isServed("/display", "/usr/share/hub-display");
    expect(await get("/display/")).toContain("<title>");
    expect(await boat.run("curl -sSI http://127.0.0.1/display/")).toMatch(/cache-control: no-cache/i);
    const script = readdirSync(boat.file("/usr/share/hub-display")).find((name) => /^main-.*\.js$/.test(name));
    expect(await boat.run(`curl -sSI http://127.0.0.1/display/${script}`)).toMatch(/cache-control: .*immutable/i);
    expect(await boat.run("curl -sSI http://127.0.0.1/display/manifest.webmanifest")).toMatch(/manifest\+json/);
    // A page of the boat's own.
    await boat.run(
      "mkdir -p /var/lib/hub-display/pages/galley && echo kettle > /var/lib/hub-display/pages/galley/index.html",
    );
    expect(await get("/pages/galley/")).toBe("kettle\n");
    expect(await boat.run("curl -sSI http://127.0.0.1/pages/galley/")).toMatch(/cache-control: no-cache/i);
    expect(await boat.run("curl -sS -o /dev/null -w '%{http_code}' http://127.0.0.1/pages/")).toBe("403");
    expect(JSON.parse(await get("/charts/"))).toEqual([]);
    await boat.run("printf PMTiles > /var/lib/hub-display/charts/harbour.pmtiles");
    expect(JSON.parse(await get("/charts/"))).toMatchObject([{ name: "harbour.pmtiles", type: "file" }]);
    expect(await boat.run("curl -sS -r 2-4 http://127.0.0.1/charts/harbour.pmtiles")).toBe("Til");
  });

  test("the history is written and kept in limited memory, and nginx passes on queries of one value alone", async () => {
    await asWritten(boat, "/usr/share/doc/hub-history/examples/victoria-metrics.conf");
    expect(await show("victoria-metrics.service", "MemoryMax")).toBe(String(256 * 2 ** 20));
    await boat.run(
      "sed -i 's/--simulate/--simulate --lanes 10/' /etc/default/hub-cand-can0 && systemctl restart hub-cand@can0",
    );
    const flags = await boat.until("curl -sSf http://127.0.0.1:8428/flags");
    expect(flags).toMatch(/^-retentionPeriod="1y"$/m);
    expect(await boat.run("ss -Hltn 'sport = :8428'")).toMatch(/^LISTEN +\d+ +\d+ +127\.0\.0\.1:8428 .*\n$/);
    const depths = encodeURIComponent('last_over_time(navigation_depth_water_depth{bus="can/can0"}[1m])');
    const url = `http://127.0.0.1/api/history/query_range?query=${depths}&start=-10m&step=10s`;
    const response = await boat.until(`curl -sSf '${url}' | grep '"values":\\[\\['`);
    const { data } = JSON.parse(response) as { data: { result: readonly { values: readonly [number, string][] }[] } };
    expect(Number(data.result[0]!.values.at(-1)![1])).toBeGreaterThan(0);
    const status = (...options: readonly string[]): Promise<string> =>
      boat.run(`curl -sS -g -o /dev/null -w '%{http_code}' ${options.join(" ")}`);
    expect(await status("-X POST", `'${url}'`)).toBe("403");
    expect(await status(`'${url}&x=1'`)).toBe("400");
    for (const path of ["write", "export?match[]=x", "admin/tsdb/delete_series?match[]=x", ""])
      expect(await status(`'http://127.0.0.1/api/history/${path}'`), path).toBe("404");
    // The other tests find the boat as it was.
    await boat.run(
      "rm -r /etc/systemd/system/victoria-metrics.service.d && sed -i 's/ --lanes 10//' /etc/default/hub-cand-can0 && systemctl daemon-reload && systemctl restart victoria-metrics hub-cand@can0",
    );
  });

  test("voyages are kept in the folder of the service, nginx passes them on, and apps have the track by Signal K", async () => {
    const options = (text: string) =>
      boat.run(
        `sed -i 's|^HUB_HISTORY_OPTIONS=.*|HUB_HISTORY_OPTIONS="${text}"|' /etc/default/hub-history && systemctl restart hub-history`,
      );
    await options("--voyages /var/lib/hub-history/voyages");
    await boat.until("curl -sSf http://127.0.0.1/api/voyages | grep picturesLeft");
    const points = [0, 1].map((at) => `<trkpt lat="54.${at}" lon="10"><time>2026-05-01T10:0${at}:00Z</time></trkpt>`);
    writeFileSync(boat.file("/srv/old.gpx"), `<gpx><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`);
    const send = "curl -sSf -H 'Content-Type: application/gpx+xml' --data-binary @/srv/old.gpx";
    expect(await boat.run(`${send} http://127.0.0.1/api/voyages`)).toContain('{"names":["2026-05-01T100000Z"],');
    expect(await get("/api/voyages/2026-05-01T100000Z.gpx")).toContain('<trkpt lat="54.1" lon="10">');
    expect(await get("'/signalk/v1/api/self/track?from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00Z'")).toBe(
      '{"type":"MultiLineString","coordinates":[[[10,54],[10,54.1]]]}',
    );
    await boat.run("ls /var/lib/private/hub-history/voyages/2026-05-01T100000Z.jsonl");
    await options("");
  });

  test("Home Assistant on another computer hears the boat, and a broker that refuses it is told in the log", async () => {
    await boat.run(
      "echo 'HUB_CAND_OPTIONS=\"--simulate --home-assistant\"' > /etc/default/hub-cand-can0 && systemctl restart hub-cand@can0",
    );
    await asWritten(boat, `${examples}/other-computers.mosquitto.conf`);
    const asHomeAssistant = "mosquitto_sub -p 1884 -u homeassistant -P 'change me' -W 10";
    const discovery = await boat.until(`${asHomeAssistant} -C 1 -t homeassistant/device/hub_navigation_can0/config`);
    const { state_topic: topic } = JSON.parse(discovery).components.speed_course_sog;
    expect(topic).toBe("can/can0/every/1/navigation");
    // The first messages after a start have not all values.
    await boat.until(`${asHomeAssistant} -t ${topic} | grep -m 1 '"speed_course"'`);
    await boat.until(`${asHomeAssistant} -t can/can0/every/1/device/20/pgn/127508/1 | grep -m 1 voltageV`);
    expect((await boat.attempt("mosquitto_sub -p 1884 -t '#' -C 1 -W 5")).stdout).toBe("");
    const refusals = "journalctl -u hub-cand@can0 -o cat -g code=PUBLISH_REFUSED";
    expect((await boat.attempt(refusals)).stdout).toBe("");
    await boat.run(
      "sed -i '/homeassistant/d' /etc/mosquitto/hub.acl && systemctl restart mosquitto && systemctl restart hub-cand@can0",
    );
    const told = await boat.until(`${refusals} | grep homeassistant`);
    expect(told.trim().split("\n")).toHaveLength(1);
    await boat.run(
      `install -o mosquitto -g mosquitto -m 0600 ${examples}/hub.acl /etc/mosquitto && rm /etc/mosquitto/conf.d/other-computers.conf /etc/mosquitto/other-computers.* && echo 'HUB_CAND_OPTIONS="--simulate"' > /etc/default/hub-cand-can0 && systemctl restart mosquitto hub-cand@can0`,
    );
    await message(boat, "can/can0/navigation", '"position":');
  });

  test("a command of the boat's own, off at first, runs while an alarm has no answer, with the group of the sound cards", async () => {
    const unit = "hub-alarm.service";
    expect((await boat.attempt(`systemctl is-enabled ${unit}; systemctl is-active ${unit}`)).stdout).toBe(
      "disabled\ninactive\n",
    );
    await boat.run("echo horn >/srv/sound && chgrp audio /srv/sound && chmod 640 /srv/sound");
    // The ships of the simulation are left out, because their alarms have no answer either.
    await boat.run(
      "cp /etc/default/hub-cand-can0 /srv/default && echo >/etc/default/hub-cand-can0 && systemctl restart hub-cand@can0",
    );
    // The access control list lets programs of this computer publish below the prefix.
    const command =
      'mosquitto_pub -r -t can/can0/horn -m "{\\"say\\": \\"$(cat /srv/sound): $HUB_ALARM_TITLE\\"}"; sleep 1000';
    writeFileSync(boat.file("/etc/default/hub-alarm"), `HUB_ALARM_COMMAND='${command}'\n`);
    await boat.run(`systemctl enable --now ${unit} 2>&1`);
    const bilge = '{"severity": "alarm", "message": "Water in the bilge"}';
    await boat.run(`mosquitto_pub -r -t can/can0/alarms/external/bilge/set -m '${bilge}'`);
    expect(await message(boat, "can/can0/horn")).toEqual({ say: "horn: Water in the bilge" });
    // A process that ends meanwhile has no file any more, which would be a failure of the first grep.
    const sleeps = "grep -slx sleep /proc/[0-9]*/comm | grep .";
    expect(await boat.until(sleeps)).toMatch(/^\/proc\//);
    await boat.run("mosquitto_pub -t can/can0/alarms/external-bilge/set -m acknowledge");
    await boat.until(`! ${sleeps}`);
    for (const topic of ["alarms/external/bilge/set", "horn"])
      await boat.run(`mosquitto_pub -r -t can/can0/${topic} -n`);
    await boat.run(
      `systemctl disable --now ${unit} 2>&1; mv /srv/default /etc/default/hub-cand-can0 && systemctl restart hub-cand@can0`,
    );
  });

  test("on the boat's network hub-link is announced, and answers where it is said to", async () => {
    const setOptions = (options: string) =>
      boat.run(
        `sed -i 's/^HUB_LINK_OPTIONS=.*/HUB_LINK_OPTIONS="${options}"/' /etc/default/hub-link && systemctl restart hub-link`,
      );
    await boat.run(
      [
        "set -e",
        "ip link add boat0 type veth peer name boat1 && ip address add 10.65.0.1/24 dev boat0",
        "ip link set boat0 up && ip link set boat1 up",
      ].join("\n"),
    );
    await setOptions("--nmea0183 0.0.0.0:10110 --signalk 0.0.0.0:3000");
    await asWritten(boat, "/usr/share/doc/hub-link/examples/hub-link.avahi");
    const places = { "_nmea-0183._tcp": 10110, "_signalk-http._tcp": 3000, "_signalk-ws._tcp": 3000 };
    for (const [type, port] of Object.entries(places)) {
      const found = await boat.until(`avahi-browse --resolve --parsable --terminate ${type} | grep '^=;boat0;IPv4;'`);
      expect(found).toContain(`;boat.local;10.65.0.1;${port};`);
    }
    const discovery = JSON.parse(await boat.until("curl -sSf http://10.65.0.1:3000/signalk"));
    expect(discovery.endpoints.v1["signalk-ws"]).toBe("ws://10.65.0.1:3000/signalk/v1/stream");
    await boat.until("timeout 20 bash -c 'grep -a -m 1 RMC </dev/tcp/10.65.0.1/10110'");
    await boat.run("rm /etc/avahi/services/hub-link.service && ip link delete boat0");
    await setOptions("");
    // The next tests need no messages, which would keep processors busy until the end.
    await boat.run("echo 'HUB_CAND_OPTIONS=\"\"' > /etc/default/hub-cand-can0 && systemctl restart hub-cand@can0");
  });

  test("networkd takes the example, and would complain about a mistake in it", async () => {
    const mistaken = "/etc/systemd/network/70-mistaken.network";
    await boat.run(`sed s/BitRate/Bitrat/ /usr/share/doc/hub-cand/examples/80-can0.network > ${mistaken}`);
    await asWritten(boat, "/usr/share/doc/hub-cand/examples/80-can0.network");
    const complaints = await boat.run("journalctl -u systemd-networkd -o cat --grep network:");
    expect(complaints).toContain("70-mistaken.network");
    expect(complaints).not.toContain("can0");
    await boat.until("systemctl is-active systemd-networkd-persistent-storage");
    await boat.run(
      `rm ${mistaken} /etc/systemd/network/*-can0*.network && systemctl disable --now systemd-networkd systemd-networkd.socket 2>&1`,
    );
  });

  test("what is deployed is served, also while the service is away", async () => {
    expect(await send("PUT", "/api/config/project/hull-42", '{"name": "Hull 42"}')).toBe("201");
    expect(await send("PUT", "/api/config/project/hull-42/deploy")).toBe("201");
    const deployed = await get("/api/deploy.json");
    expect(JSON.parse(deployed)).toMatchObject({ name: "Hull 42" });
    await boat.run("systemctl stop hub-config");
    expect(await get("/api/deploy.json")).toBe(deployed);
    expect(await send("GET", "/api/config/health")).toBe("502");
    await boat.run("systemctl start hub-config");
    await untilServing();
    expect(await get("/api/deploy.json")).toBe(deployed);
  });

  test("what is deployed is served from the file when the service is sick, and an error of its own is passed on", async () => {
    await boat.run("systemctl stop hub-config");
    const deployed = await boat.run("cat /etc/hub/deploy.json");
    const standIn = async (program: string): Promise<void> => {
      writeFileSync(boat.file("/srv/stand-in.cjs"), program);
      await boat.run("systemd-run --quiet --collect --unit=stand-in node /srv/stand-in.cjs");
      await boat.until("ss -tlnH sport = :12000 | grep .");
    };
    const answering = (status: number) =>
      standIn(
        `require("http").createServer((_, r) => { r.statusCode = ${status}; r.end("sick"); }).listen(12000, "127.0.0.1")`,
      );
    for (const status of [502, 503, 504]) {
      await answering(status);
      expect(await get("/api/deploy.json"), String(status)).toBe(deployed);
      await boat.run("systemctl stop stand-in");
    }
    await answering(500);
    expect(await send("GET", "/api/deploy.json")).toBe("500");
    await boat.run("systemctl stop stand-in");
    // The service hangs, and the queue of connections is full: new ones are not even refused. Without the timeout of
    // the snippet nginx would wait for a minute.
    await standIn('require("net").createServer().listen({ port: 12000, host: "127.0.0.1", backlog: 1 })');
    await boat.run("systemctl kill --signal=STOP stand-in");
    writeFileSync(
      boat.file("/srv/crowd.cjs"),
      'for (let n = 0; n < 8; n += 1) require("net").connect(12000, "127.0.0.1").on("error", () => {});',
    );
    await boat.run("systemd-run --quiet --collect --unit=crowd node /srv/crowd.cjs");
    await boat.until("ss -tnH state syn-sent dport = :12000 | grep .");
    expect(await boat.run("curl -sSf --max-time 30 http://127.0.0.1/api/deploy.json")).toBe(deployed);
    await boat.run("systemctl stop crowd; systemctl kill --signal=KILL stand-in");
    await boat.until("! ss -tlnH sport = :12000 | grep .");
    await boat.run("systemctl start hub-config");
    await untilServing();
  });

  test("the units are what the document says", async () => {
    expect(await properties("hub-config.service")).toMatchObject({
      Type: "notify",
      WatchdogUSec: "1min",
      User: "hub",
      Group: "hub",
      UMask: "0022",
      ConfigurationDirectory: "hub",
      ConfigurationDirectoryMode: "0755",
      ExecStart: expect.stringMatching(/argv\[\]=\/usr\/bin\/hub-configd -c \$\{HUB_CONFIG_FOLDER\} ;/),
      Environment: "HUB_CONFIG_FOLDER=/etc/hub MALLOC_TRIM_THRESHOLD_=131072",
      After: expect.stringContaining("hub-config-perms.service"),
      Wants: expect.stringContaining("hub-config-perms.service"),
      Restart: "always",
      RestartUSec: "30s",
      PartOf: "hub.target",
      RestrictNetworkInterfaces: "lo",
      ProtectSystem: "strict",
      PrivateDevices: "yes",
      PrivateTmp: "yes",
      NoNewPrivileges: "yes",
      CapabilityBoundingSet: "",
    });
    expect(await properties("hub-config-perms.service")).toMatchObject({
      Type: "oneshot",
      ExecStart: expect.not.stringContaining("ignore_errors=no"),
    });
    expect(await properties("hub-config-backup.timer")).toMatchObject({
      TimersCalendar: expect.stringContaining("OnCalendar=*-*-* 00:00:00 ;"),
      Persistent: "yes",
      Triggers: "hub-config-backup.service",
    });
    expect(await properties("hub-config-backup.service")).toMatchObject({
      Type: "oneshot",
      User: "hub",
      ExecStart: expect.stringContaining("argv[]=/usr/bin/hub-config-backup ;"),
      PrivateNetwork: "yes",
    });
    expect(await properties("hub-cand@can0.service")).toMatchObject({
      User: "hub",
      Restart: "always",
      RestartUSec: "5s",
      PartOf: "hub.target",
      EnvironmentFiles: "/etc/default/hub-cand-can0 (ignore_errors=yes)",
      RestrictAddressFamilies: "AF_CAN AF_INET AF_INET6 AF_NETLINK AF_UNIX",
    });
    expect(await properties("hub-link.service")).toMatchObject({
      DynamicUser: "yes",
      Restart: "always",
      PartOf: "hub.target",
      EnvironmentFiles: "/etc/default/hub-link (ignore_errors=yes)",
    });
    const files = await boat.run("cd /usr/lib/systemd/system && ls hub*");
    const all = files.replaceAll("@.", "@can0.").trim().split("\n").join(" ");
    expect(await boat.run(`systemd-analyze verify --man=no ${all} 2>&1`)).toBe("");
  });

  test("systemd finds the sandboxes tight", async () => {
    const limits = {
      "hub-config": 1,
      "hub-cand@": 1.2,
      "hub-link": 1.2,
      "hub-alarm": 1.2,
      "hub-history": 1.2,
      "hub-config-backup": 0.2,
      "hub-config-fetch": 1,
      "hub-config-perms": 1.2,
    };
    for (const [name, limit] of Object.entries(limits)) {
      const file = `/usr/lib/systemd/system/${name}.service`;
      const said = await boat.run(`systemd-analyze security --offline=yes --no-pager ${file}`);
      expect(Number(/exposure level for \S+: ([\d.]+) /.exec(said)?.[1]), name).toBeLessThanOrEqual(limit);
    }
  });

  test("the daemons run in their sandbox", async () => {
    const folders = [
      ["/etc/hub", "/var/lib/hub-display/charts"],
      ["/var/lib/hub-cand/can0"],
      ["/var/lib/private/hub-link"],
      ["/var/lib/private/hub-history"],
    ];
    for (const [index, unit] of daemons.entries()) {
      const pid = await show(unit, "MainPID");
      const status = await boat.run(`cat /proc/${pid}/status`);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status).toMatch(/^Seccomp:\t2$/m);
      expect(status).toMatch(/^CapBnd:\t0+$/m);
      expect(status).not.toMatch(/^Uid:\t0/m);
      // In the service's view of the files only its folders are writable.
      const mounts = await boat.run(`cat /proc/${pid}/mountinfo`);
      const writable = [
        ...mounts.matchAll(/^\S+ \S+ \S+ \S+ (\S+) rw,.* - (?!proc|tmpfs|devpts|mqueue|devtmpfs|hugetlbfs)\S+ /gm),
      ];
      expect(
        writable.map(([, path]) => path).filter((path) => !/^\/(tmp|var\/tmp|run\/host\/.*)$/.test(path!)),
      ).toEqual(folders[index]);
    }
    expect(await boat.run("ss -tlnH 'sport = :12000'")).toMatch(/127\.0\.0\.1:12000/);
  });

  test("killed they come back, and one that works no more is ended by its watchdog", async () => {
    for (const unit of daemons) {
      await boat.run(`mkdir -p /etc/systemd/system/${unit}.d`);
      writeFileSync(boat.file(`/etc/systemd/system/${unit}.d/soon.conf`), "[Service]\nWatchdogSec=6\nRestartSec=1\n");
    }
    await boat.run(`systemctl daemon-reload && systemctl restart ${daemons.join(" ")}`);
    await areActive();
    const mainPids = (): Promise<string[]> => Promise.all(daemons.map((unit) => show(unit, "MainPID")));
    const killed = await mainPids();
    expect(Math.min(...killed.map(Number))).toBeGreaterThan(1);
    await boat.run(`kill -9 ${killed.join(" ")}`);
    for (const unit of daemons)
      await boat.until(`test "$(systemctl show -P NRestarts ${unit})" = 1 && systemctl is-active ${unit}`);
    expect(await untilServing()).toContain("ready");
    const pids = await mainPids();
    // Longer than the watchdog waits: they tell it that they work.
    await delay(8000);
    expect(await mainPids()).toEqual(pids);
    await boat.run(`kill -STOP ${pids.join(" ")}`);
    for (const [index, unit] of daemons.entries()) {
      await boat.until(`test "$(systemctl show -P MainPID ${unit})" != ${pids[index]} && systemctl is-active ${unit}`);
      expect(await boat.run(`journalctl -b -u ${unit} -g 'Watchdog timeout' -o cat`)).toContain("Watchdog timeout");
    }
    expect(await untilServing()).toContain("ready");
    await boat.run(`rm -r ${daemons.map((unit) => `/etc/systemd/system/${unit}.d`).join(" ")}`);
    await boat.run(`systemctl daemon-reload && systemctl restart ${daemons.join(" ")}`);
    await areActive();
  });

  test("the perms unit gives files back to the service, and follows no link", async () => {
    const id = "/etc/hub/configuration/by-hand.json";
    await boat.run(`echo '{}' > ${id} && chmod 600 ${id} /etc/hub/deploy.json && chmod 700 /etc/hub/configuration`);
    await boat.run("echo secret > /data/secret && chmod 600 /data/secret");
    await boat.run("ln -s /data/secret /etc/hub/configuration/link.json && systemctl restart hub-config");
    await untilServing();
    // nginx serves the deployed configuration itself while hub-configd is away.
    expect(await boat.run(`stat -c '%U %a' ${id} /etc/hub/deploy.json /etc/hub/configuration /data/secret`)).toBe(
      "hub 644\nhub 644\nhub 755\nroot 600\n",
    );
    await boat.run(`rm ${id} /etc/hub/configuration/link.json`);
  });

  test("the timer keeps backups, also of a day that was missed", async () => {
    expect(await show("hub-config-backup.timer", "Persistent")).toBe("yes");
    // The copies are removed, as if the file had been deployed by hand: the service makes copies itself.
    await boat.run("rm -rf /etc/hub/backup");
    // The timer's stamp is set back, as if the boat had been off since the day before yesterday.
    await boat.run(
      `systemctl stop hub-config-backup.timer && touch -d '-2 days' ${stamp} && systemctl start hub-config-backup.timer`,
    );
    await boat.until("test -L /etc/hub/backup/last_backup");
    expect(await boat.run("cat /etc/hub/backup/last_backup")).toBe(await boat.run("cat /etc/hub/deploy.json"));
    await boat.until('test "$(systemctl show -P ActiveState hub-config-backup.service)" = inactive');
    expect(await show("hub-config-backup.service", "Result")).toBe("success");
    expect(await boat.run("journalctl -u hub-config-backup -o cat")).toContain("Backup created: /etc/hub/backup/");
    await boat.run("systemctl start hub-config-backup");
    expect(await boat.run("ls /etc/hub/backup")).toMatch(/^deploy\.json-[\d_-]+\nlast_backup\n$/);
  });

  test("the fleet's configuration is fetched once that is switched on, and what is older is refused", async () => {
    const timer = "hub-config-fetch.timer";
    expect((await boat.attempt(`systemctl is-enabled ${timer}; systemctl is-active ${timer}`)).stdout).toBe(
      "disabled\ninactive\n",
    );
    await boat.run("systemctl start hub-config-fetch");
    expect(await show("hub-config-fetch", "ConditionResult")).toBe("no");

    const fleet = join(folder, "fleet");
    mkdirSync(fleet);
    const openssl = (...args: readonly string[]): void =>
      expect(spawnSync("openssl", args, { cwd: fleet }).status, args.join(" ")).toBe(0);
    openssl("genpkey", "-algorithm", "ed25519", "-out", "key.pem");
    openssl("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem");
    const request = "req -x509 -newkey rsa:2048 -nodes -days 30 -keyout server.key -out server.pem -subj /CN=fleet.lan";
    openssl(...request.split(" "), "-addext", "subjectAltName=DNS:fleet.lan");
    mkdirSync(boat.file("/srv/fleet"));
    const publish = (version: number): void => {
      const project = JSON.stringify({ uid: "1", name: `Fleet ${version}` });
      writeFileSync(join(fleet, "signed"), `Hub-Config: 1\nChannel: hull-42\nVersion: ${version}\n\n${project}`);
      openssl(...["pkeyutl", "-sign", "-rawin", "-inkey", "key.pem", "-in", "signed", "-out", "signature"]);
      const parts = ["signature", "signed"].map((name) => readFileSync(join(fleet, name)));
      writeFileSync(boat.file("/srv/fleet/hull-42.release"), Buffer.concat(parts));
    };
    for (const name of ["server.key", "server.pem"]) copyFileSync(join(fleet, name), boat.file(`/srv/fleet/${name}`));
    copyFileSync(join(fleet, "public.pem"), boat.file("/etc/hub-config-fetch.pem"));
    writeFileSync(
      boat.file("/etc/nginx/conf.d/fleet.conf"),
      "server { listen 127.0.0.1:443 ssl; ssl_certificate /srv/fleet/server.pem; ssl_certificate_key /srv/fleet/server.key; root /srv/fleet; }\n",
    );
    await boat.run("systemctl reload nginx && echo 127.0.0.1 fleet.lan >> /etc/hosts && cp /etc/hub/deploy.json /srv");
    await boat.run(
      "echo 'HUB_CONFIG_FETCH_OPTIONS=\"--url https://fleet.lan/hull-42.release --channel hull-42 --ca /srv/fleet/server.pem\"' > /etc/default/hub-config-fetch",
    );
    const fetchStatus = async (): Promise<object> => JSON.parse(await get("/api/config/health")).fetch;

    publish(7);
    await boat.run(`systemctl enable --now ${timer} 2>&1`);
    expect(await show(timer, "NextElapseUSecRealtime")).not.toBe("");
    await boat.run("systemctl start hub-config-fetch");
    expect(JSON.parse(await get("/api/deploy.json"))).toMatchObject({ name: "Fleet 7" });
    expect(await fetchStatus()).toMatchObject({ result: "deployed", version: 7 });
    // The deployment before has a copy.
    await boat.run(
      "for copy in /etc/hub/backup/deploy.json-*; do cmp -s $copy /srv/deploy.json && exit 0; done; exit 1",
    );
    await boat.run("systemctl start hub-config-fetch");
    expect(await fetchStatus()).toMatchObject({ result: "unchanged", version: 7 });
    expect(await boat.run("tail -1 /var/log/nginx/access.log")).not.toContain("hull-42.release");
    expect(await boat.run("grep -c 'hull-42.release HTTP/1.1. 304' /var/log/nginx/access.log")).toBe("1\n");
    publish(6);
    expect((await boat.attempt("systemctl start hub-config-fetch")).stdout).toBe("");
    expect(await show("hub-config-fetch", "Result")).toBe("exit-code");
    expect(await fetchStatus()).toMatchObject({ result: "refused", reason: expect.stringContaining("older than 7") });
    expect(await boat.run("journalctl -u hub-config-fetch -o cat -g code=FETCH_REFUSED")).toContain("older than 7");
    expect((await message(boat, "app/config/fetch", "refused")).data).toMatchObject({ channel: "hull-42", version: 7 });
    // The sea.
    await boat.run("systemctl stop nginx && systemctl start hub-config-fetch && systemctl start nginx");
    expect(await fetchStatus()).toMatchObject({ result: "failed", reason: expect.stringContaining("ECONNREFUSED") });

    await boat.run(`systemctl disable --now ${timer} 2>&1`);
    await boat.run(
      `rm /etc/hub-config-fetch.pem /etc/nginx/conf.d/fleet.conf && sed -i '/fleet.lan/d' /etc/hosts && systemctl reload nginx`,
    );
    expect(await send("PUT", "/api/config/project/hull-42/deploy")).toBe("201");
    expect(await send("DELETE", "/api/config/project/fetched-hull-42-7")).toBe("200");
    // Units that are started as often as here are held up by systemd.
    await boat.run("systemctl reset-failed && rm /etc/hub/backup/* && systemctl start hub-config-backup");
  });

  test("one drop-in moves the folder for all units, and those that can run do so while it is away", async () => {
    await boat.run("mkdir -p /data/hub");
    await asWritten(boat, `${examples}/folder.conf`);
    await untilServing();
    expect(await get("/api/config/project")).toBe("[]\n");
    expect(await send("PUT", "/api/config/project/elsewhere")).toBe("201");
    expect(await boat.run("stat -c %U /data/hub/configuration/elsewhere.json")).toBe("hub\n");
    await send("PUT", "/api/config/project/elsewhere/settings/alarms", '{"wind": {"enabled": false}}');
    expect(await send("PUT", "/api/config/project/elsewhere/deploy")).toBe("201");
    await message(boat, "can/can0/alarms", '"wind":"off"');
    // A disk that is away.
    await boat.run("rm -r /data/hub && systemctl restart hub-config 'hub-cand@*' hub-link hub-history; true");
    const others = "hub-cand@can0 hub-link hub-history";
    await boat.until(`systemctl is-active ${others}`);
    expect(await boat.run(`systemctl show -P NRestarts ${others}`)).toBe("0\n\n0\n\n0\n");
    await boat.run(
      "rm -r /etc/systemd/system/hub-.service.d && systemctl daemon-reload && systemctl restart hub-config 'hub-cand@*' hub-link hub-history",
    );
    await untilServing();
    expect(await get("/api/config/project")).toContain("hull-42");
    await message(boat, "can/can0/alarms", '"wind":"no data"');
    await boat.run("systemctl reset-failed");
  });

  test("an upgrade keeps what is there and restarts the daemons", async () => {
    const before = await boat.run(
      "cat /etc/hub/deploy.json /etc/hub/configuration/hull-42.json /etc/default/hub-cand-can0",
    );
    const pids = await Promise.all(units.slice(1, 3).map((unit) => show(unit, "MainPID")));
    const bus2 = "systemctl enable --now hub-cand@can1 2>&1 && systemctl show -P MainPID hub-cand@can1";
    const second = (await boat.run(bus2)).trim().split("\n").at(-1)!;
    const snippets = ["hub-config-api", "hub-display", "hub-history", "hub-signalk"];
    const old = (): Promise<string[]> => Promise.all(snippets.map((name) => send("GET", `/0.0.9/${name}.conf`)));
    expect(await old()).toEqual(snippets.map(() => "204"));
    await boat.run(install("current"));
    // nginx has read those of this version.
    await expect.poll(old).toEqual(snippets.map(() => "404"));
    await areActive();
    await untilServing();
    expect(
      await boat.run("cat /etc/hub/deploy.json /etc/hub/configuration/hull-42.json /etc/default/hub-cand-can0"),
    ).toBe(before);
    for (const [index, unit] of units.slice(1, 3).entries()) expect(await show(unit, "MainPID")).not.toBe(pids[index]);
    expect(await show("hub-cand@can1.service", "ActiveState")).toBe("active");
    expect(await show("hub-cand@can1.service", "MainPID")).not.toBe(second);
    const versions = await boat.run(`dpkg-query -W -f '\${Version}\\n' ${names.join(" ")}`);
    expect(versions).not.toContain("0.0.9");
    await boat.run("systemctl disable --now hub-cand@can1");
  });

  test("the power is cut during an upgrade", async () => {
    const content = "cat /etc/hub/deploy.json /etc/hub/configuration/*.json /etc/default/hub-cand-can0 | sha256sum";
    const before = await boat.run(content);
    // To dpkg a step back is an upgrade, too.
    boat.spawn(`touch /srv/begun; ${install("previous")}`);
    await boat.until("test -e /srv/begun");
    await delay(2000);
    await boat.cutPower();
    await boat.boot();
    await untilServing();
    await boat.until(`systemctl is-active ${units.join(" ")}`);
    expect(await boat.run(content)).toBe(before);
    // After an interrupted unpacking, apt requires dpkg first, and dpkg the package again; after interrupted triggers,
    // systemd waits for its own.
    await boat.run("dpkg --configure -a; dpkg --install /srv/previous/*.deb");
    await areActive();
  });

  test("without hub-config, hub-cand goes on; the proxy still starts", async () => {
    const pid = await show("hub-cand@can0.service", "MainPID");
    await boat.run("apt-get remove -y hub-config");
    expect((await boat.attempt("systemctl is-active hub-config hub-config-backup.timer hub.target")).stdout).toBe(
      "inactive\n".repeat(3),
    );
    expect(await show("hub-cand@can0.service", "MainPID")).toBe(pid);
    await boat.run("nginx -t");
    expect(JSON.parse(await get("/api/deploy.json"))).toHaveProperty("name");
    await boat.run(install("current"));
    await areActive();
  });

  test("removing ends the daemons and keeps configuration and data", async () => {
    await boat.run(`apt-get remove -y ${names.join(" ")}`);
    expect(await boat.run("systemctl list-units --all --no-legend --plain 'hub*.service' 'hub*.timer'")).not.toMatch(
      / running | waiting /,
    );
    expect(await boat.run("ls /etc/hub /etc/hub/configuration /etc/default/hub-cand-can0")).toContain("hull-42.json");
    expect(
      (await boat.attempt("ls /usr/lib/hub-config /usr/lib/hub-cand /usr/lib/hub-link /usr/share/hub-config")).stdout,
    ).toBe("");
  });

  test("purging keeps what a person made", async () => {
    await boat.run(
      "echo 'HUB_CAND_OPTIONS=\"\"' > /etc/default/hub-cand-can1 && mkdir /etc/hub/notes && echo x > /var/lib/hub-cand/can0/trip.log",
    );
    const before = await boat.run("find /etc/hub -type f | sort");
    await boat.run(`apt-get purge -y ${names.join(" ")}`);
    expect(await boat.run("find /etc/hub -type f | sort")).toBe(before);
    await boat.run(
      "test -d /etc/hub/notes && cat /etc/default/hub-cand-can1 /var/lib/hub-cand/can0/trip.log && id hub",
    );
    await boat.run("ls /var/lib/hub-history/voyages/2026-05-01T100000Z.jsonl");
    expect((await boat.attempt("ls /etc/nginx/snippets/hub* /etc/default/hub-cand-can0")).stdout).toBe("");
  });

  test("after a purge everything can be installed again, and finds what was kept", async () => {
    await boat.run(install("current"));
    await areActive();
    await untilServing();
    expect(await boat.run("curl -sSf http://127.0.0.1:12000/project")).toContain("hull-42");
  });

  test("purging leaves nothing where a person made nothing", async () => {
    await boat.run(
      "rm -r /etc/hub/* /etc/default/hub-cand-can1 /var/lib/hub-cand/can0/trip.log /var/lib/hub-display/pages/galley /var/lib/hub-display/charts/* /var/lib/hub-history/voyages /data/secret /etc/nginx/sites-*/boat /etc/mosquitto/conf.d/hub.conf /etc/mosquitto/hub*.acl",
    );
    await boat.run("ln -s ../sites-available/default /etc/nginx/sites-enabled/default");
    // hub-cand keeps the user, also where it has never run.
    await boat.run("systemctl stop 'hub-cand@*' && rm -r /var/lib/hub-cand && apt-get purge -y hub-config && id hub");
    await boat.run(`apt-get purge -y ${names.join(" ")}`);
    expect((await boat.attempt("id hub; getent group hub")).stdout).toBe("");
    const left = (await boat.run(listFiles)).split("\n");
    const there = new Set(untouched.split("\n"));
    // systemd makes this folder for units with a user of their own.
    expect(left.filter((path) => !there.has(path) && path !== "/var/lib/private")).toEqual([]);
    const remaining = new Set(left);
    expect([...there].filter((path) => !remaining.has(path))).toEqual([]);
  });
});
