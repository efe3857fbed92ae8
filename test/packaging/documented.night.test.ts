/**
 * A boat's computer set up by the commands of the documents alone, behind the packaged broker, and booted after a power
 * cut.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { asWritten, type Container, message, openContainer } from "./container.ts";
import { packages, repack } from "./packages.ts";

const names = ["hub-cand", "hub-config", "hub-display", "hub-link"];
const examples = "/usr/share/doc/hub-config/examples";
const edited = "/etc/nginx/snippets/hub-config-api.conf";

/** The commands of a document that begin so. */
const commandOf = (document: string, start: string): string => {
  const line = readFileSync(document, "utf8")
    .split("\n")
    .find((line) => line.startsWith(start));
  if (line === undefined) throw new Error(`${document} has no command ${start}`);
  return line.replace(/\s+#\s.*$/, "");
};

/** The commands of a block of a document by the name behind its language. */
const blockOf = (document: string, name: string): string => {
  const [, text] = new RegExp(`^\`\`\`text ${name}\\n([^]*?)^\`\`\`$`, "m").exec(readFileSync(document, "utf8"))!;
  return `set -e\n${text}`;
};

describe("a boat's computer, as documented", {}, () => {
  let boat: Container;
  /** The folder in place of `/data` where the root is read-only. */
  let data: string;

  /** Runs a command by bash in the folder of a set, without input. */
  const inFolder = (set: string, command: string): Promise<string> =>
    boat.run(`cd /srv/${set} && bash -c '${command}' </dev/null 2>&1`);
  const installed = async (): Promise<string> =>
    (await boat.run(`dpkg-query -W -f '\${db:Status-Abbrev}\${Version}\\n' ${names.join(" ")}`)).trim();
  const seconds = async (command: string): Promise<number> => Number(await boat.run(command)) / 1e6;

  beforeAll(async () => {
    data = temporaryFolder("data");
    boat = await openContainer();
    for (const [set, debs] of Object.entries(await packages())) {
      mkdirSync(boat.file(`/srv/${set}`));
      for (const name of names) {
        const deb = (debs.get(`${name}_amd64`) ?? debs.get(`${name}_all`))!;
        copyFileSync(deb, boat.file(`/srv/${set}/${basename(deb)}`));
        // Beside it, as `npm run package` leaves them, are those for the other machines.
        for (const other of name === "hub-cand" ? ["arm64", "armhf"] : [])
          repack(
            deb,
            boat.file(`/srv/${set}/${basename(deb).replace("amd64", other)}`),
            `sed -i s/amd64/${other}/ DEBIAN/control`,
          );
      }
    }
    await boat.boot();
  }, 600_000);
  afterAll(async () => {
    await boat?.close();
    rmSync(data, { recursive: true });
  });

  test("the packages are installed from the folder with those for all machines", async () => {
    await inFolder("previous", commandOf("README.md", "apt install ./hub-"));
    for (const line of (await installed()).split("\n")) expect(line).toBe("ii 0.0.9");
  });

  test("an unattended upgrade keeps files that were edited, and leaves every package set up", async () => {
    await boat.run(`echo '# Mine.' >>${edited}`);
    await inFolder("current", commandOf("README.md", "apt install -y "));
    for (const line of (await installed()).split("\n")) expect(line).toMatch(/^ii (?!0\.0\.9)/);
    expect(await boat.run("dpkg --audit")).toBe("");
    expect(await boat.run(`tail -2 ${edited}`)).toBe("# 0.0.9\n# Mine.\n");
    expect(await boat.run(`cat ${edited}.dpkg-dist`)).not.toContain("0.0.9");
    await boat.until("systemctl is-active hub-config hub-cand@can0 hub-link");
  });

  test("a gateway in place of can0 publishes behind the packaged access control list", async () => {
    await asWritten(boat, `${examples}/hub.mosquitto.conf`);
    await boat.run(
      "ip address add 192.168.4.1/32 dev lo && systemd-run --quiet --collect --unit=gateway --property=StandardOutput=null hub-cand -i gateway --simulate --stdout --serve-frames 192.168.4.1:1457",
    );
    await boat.run(blockOf("docs/connect.md", "gateway"));
    expect((await message(boat, "can/can0/navigation", '"hasFix":true')).data).toHaveProperty("speed_course");
    await message(boat, "can/can0/device/+/pgn/127250", "headingDeg");
    expect(await message(boat, "app/can-can0/info", '"online":true')).toMatchObject({ hostname: "boat" });
    await boat.until("timeout 20 bash -c 'grep -a -m 1 GPRMC.*,A, </dev/tcp/127.0.0.1/10110'");
  });

  test("hub-link may send to the Internet after the drop-in of the document", async () => {
    const permitted = (): Promise<string> => boat.run("systemctl show -P IPAddressAllow hub-link");
    expect(await permitted()).not.toContain("203.0.113.7");
    await boat.run(`${blockOf("docs/chart-plotters.md", "Internet")} 2>&1`);
    expect(await permitted()).toContain("203.0.113.7/32");
    expect(await permitted()).toContain("192.168.0.0/16");
    await boat.run("systemctl is-active hub-link && systemctl revert hub-link 2>&1 && systemctl restart hub-link");
  });

  test("a second bus publishes beside it", async () => {
    await boat.run(`${blockOf("docs/connect.md", "second bus")} 2>&1`);
    for (const name of ["boat", "can0"]) await message(boat, `can/${name}/navigation`, '"hasFix":true');
    await message(boat, "app/can-boat/info", '"online":true');
    await boat.run(
      "sed -i 's,^HUB_LINK_OPTIONS=.*,HUB_LINK_OPTIONS=\"--prefix can/boat\",' /etc/default/hub-link && systemctl disable --now hub-cand@can0 2>&1 && systemctl restart hub-link",
    );
    await boat.until("timeout 20 bash -c 'grep -a -m 1 GPRMC.*,A, </dev/tcp/127.0.0.1/10110'");
    await boat.run(
      "systemctl disable --now hub-cand@boat 2>&1; systemctl enable hub-cand@can0 2>&1; sed -i 's,^HUB_LINK_OPTIONS=.*,HUB_LINK_OPTIONS=\"\",' /etc/default/hub-link",
    );
  });

  test("the services read their passwords by the commands of the document, from files that nobody else may read", async () => {
    await boat.run(
      [
        "set -e",
        "ip address add 192.168.4.9/32 dev lo",
        "printf '%s\\n' 'listener 1883 192.168.4.9' 'allow_anonymous false' 'password_file /etc/mosquitto/services.passwords' >/etc/mosquitto/conf.d/services.conf",
        "mosquitto_passwd -b -c /etc/mosquitto/services.passwords reader 'change me'",
        "mosquitto_passwd -b /etc/mosquitto/services.passwords plotter 'change me'",
        "chown mosquitto /etc/mosquitto/services.passwords && systemctl restart mosquitto",
      ].join("\n"),
    );
    await boat.until("mosquitto_sub -h 192.168.4.9 -u reader -P 'change me' -t '#' -C 1 -W 5");
    expect((await boat.attempt("mosquitto_sub -h 192.168.4.9 -t '#' -C 1 -W 5")).status).not.toBe(0);
    await boat.run(blockOf("docs/security.md", "credentials of hub-cand"));
    // The gateway of the test before is there too.
    expect(await boat.run("grep ^HUB /etc/default/hub-cand-can0")).toMatch(/--broker .*--source /);
    await boat.run(`${blockOf("docs/security.md", "credentials of hub-link")} 2>&1`);
    expect(await boat.run("stat -c '%U %a' /etc/hub-cand.json /etc/hub-link.json")).toBe("hub 600\nroot 600\n");
    await boat.until("timeout 20 bash -c 'grep -a -m 1 GPRMC.*,A, </dev/tcp/127.0.0.1/10110'");
    // Theirs are the only connections to that address.
    await boat.until("test $(ss -tnH state established dst 192.168.4.9:1883 | wc -l) = 2");
    await boat.run(
      "systemctl revert hub-link 2>&1 && echo 'HUB_LINK_OPTIONS=\"\"' >/etc/default/hub-link && rm /etc/hub-cand.json /etc/hub-link.json /etc/mosquitto/conf.d/services.conf && systemctl restart mosquitto hub-link",
    );
  });

  test("with the example for can0 and no other link of networkd the boot waits for nothing", async () => {
    await asWritten(boat, "/usr/share/doc/hub-cand/examples/80-can0.network");
    await boat.run("echo 'HUB_CAND_OPTIONS=\"--simulate\"' >/etc/default/hub-cand-can0 && mkdir -p /var/log/journal");
    await boat.cutPower();
    await boat.boot();
    expect(await boat.run("systemctl is-active systemd-networkd")).toBe("active\n");
    expect(await boat.run("systemctl --failed --no-legend --plain")).toBe("");
    await message(boat, "can/can0/navigation", '"hasFix":true');
    const start = await seconds("systemctl show -P UserspaceTimestampMonotonic");
    for (const unit of ["mosquitto", "nginx"]) {
      const active = await seconds(`systemctl show -P ActiveEnterTimestampMonotonic ${unit}`);
      expect(active - start, unit).toBeLessThan(10);
    }
    const connected = await seconds(
      "journalctl -b -u hub-cand@can0 -g 'connected to the broker' -o json | sed -n '1s/.*\"__MONOTONIC_TIMESTAMP\":\"\\([0-9]*\\)\".*/\\1/p'",
    );
    expect(connected - start).toBeLessThan(10);
  });

  test("on a read-only root what cannot run says why, and all else runs", async () => {
    await boat.until("curl -sSf http://127.0.0.1:12000/health");
    for (const path of ["hull-42", "hull-42/deploy"])
      await boat.run(`curl -sSf -X PUT http://127.0.0.1:12000/project/${path}`);
    // Deploying has made its copy: this is one that hub-config-backup has to make.
    await boat.run("echo >>/etc/hub/deploy.json");
    await boat.cutPower();
    await boat.boot("--read-only");
    await boat.until("journalctl -b -o cat -u hub-config | grep 'configuration folder /etc/hub: not writable'");
    expect((await boat.attempt("hub-config-backup")).stderr).toMatch(
      /^hub-config-backup: EROFS: read-only file system/,
    );
    expect(await boat.run("systemctl is-active hub-cand@can0 hub-link")).toBe("active\nactive\n");
    await boat.until("journalctl -b -o cat -u hub-cand@can0 | grep 'deployed configuration read'");
  });

  test("on a read-only root all runs with the two places that can be written, and keeps what is changed", async () => {
    const bind = `--bind=${data}:/data`;
    await boat.cutPower();
    await boat.boot(bind);
    await boat.run(blockOf("docs/security.md", "read-only root"));
    for (const name of ["first", "second"]) {
      await boat.cutPower();
      await boat.boot(bind, "--read-only");
      expect((await boat.attempt("touch /x")).stderr).toContain("Read-only file system");
      expect(await boat.run("systemctl --failed --no-legend --plain")).toBe("");
      await boat.until("curl -sSf http://127.0.0.1:12000/health");
      for (const path of [name, `${name}/deploy`])
        await boat.run(`curl -sSf -X PUT http://127.0.0.1:12000/project/${path}`);
      await boat.run("systemctl start hub-config-backup && cmp /etc/hub/backup/last_backup /etc/hub/deploy.json");
      await message(boat, "can/can0/navigation", '"hasFix":true');
    }
    expect(await boat.run("ls /etc/hub/configuration")).toBe("first.json\nhull-42.json\nsecond.json\n");
  });
});
