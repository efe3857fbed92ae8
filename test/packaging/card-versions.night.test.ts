/**
 * New versions on a boat's computer with the updating program of a card, booted in a container: apt, dpkg, the services and
 * their site are those of Debian, and /usr is read-only as on a card.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeProgram } from "../../scripts/bundle.mjs";
import type { UpdateReport } from "../../src/core/report/update.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { asWritten, type Container, openContainer } from "./container.ts";
import { packages, repack } from "./packages.ts";

const examples = "/usr/share/doc/hub-config/examples";
const units = ["hub-update.service", "hub-update.path", "hub-update-night.service"];

/** Time for a version without a display to go back, on a machine of many tests. */
const BACK_MS = 1_200_000;

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("new versions on a card", () => {
  let boat: Container;
  let keys: string;
  /** Folder of the packages of this version. */
  let from: string;
  let first: string;

  const must = (command: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(command, args, { env: { ...process.env, GNUPGHOME: keys }, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  };

  /** Adds the packages of a folder to the boat's repository. */
  const publish = (folder: string): void =>
    must(
      process.execPath,
      ...["scripts/repository.mjs", "--key", "owner@boat.invalid", "--packages", folder],
      ...["--out", boat.file("/srv/repository"), "--url", "file:/srv/repository"],
    );

  /** A version of all packages, with what is new in it; `change` changes those of the display. */
  function release(version: string, change: string): void {
    const target = boat.file(`/srv/${version}`);
    mkdirSync(target);
    for (const name of readdirSync(from).filter((each) =>
      /^hub-(cand|config|display)_.*_(all|amd64)\.deb$/.test(each),
    )) {
      const changes = [`sed -i "s/^Version: .*/Version: ${version}/" DEBIAN/control`];
      if (name.startsWith("hub-display_")) changes.push(change);
      if (name.startsWith("hub-config_"))
        changes.push(
          `cd usr/share/doc/hub-config && (printf 'hub (${version}) UNRELEASED; urgency=medium\\n\\n  * News of ${version}.\\n\\n' && gunzip -c changelog.gz) | gzip -n >new && mv new changelog.gz`,
        );
      repack(join(from, name), join(target, name.replace(/_[^_]+_/, `_${version}_`)), changes.join(" && "));
    }
    publish(target);
  }

  const report = async (): Promise<UpdateReport> =>
    JSON.parse(await boat.until("curl -sSf http://127.0.0.1/api/config/update")) as UpdateReport;

  /** Asks hub-configd for an update, and waits for the report of the outcome. */
  async function update(request: string): Promise<UpdateReport> {
    const { at } = await report();
    await boat.run(`curl -sSf -X PUT http://127.0.0.1/api/config/update/${request}`);
    for (const end = Date.now() + BACK_MS; ; ) {
      await boat.run("sleep 2");
      const now = await report();
      if (now.phase === "idle" && now.at !== at) return now;
      if (Date.now() > end) throw new Error(JSON.stringify(now));
    }
  }

  const display = (): Promise<string> => boat.run("curl -sSf http://127.0.0.1/display/");
  const installed = async (): Promise<readonly string[]> => [
    ...new Set((await boat.run("dpkg-query -W 'hub-*' | cut -f 2 | grep .")).trim().split("\n")),
  ];
  const isUsrReadOnly = async (): Promise<boolean> => (await boat.attempt("touch /usr/x")).status !== 0;

  /** As the card's initramfs leaves it; its layer ends with the power here. */
  const closeUsr = (): Promise<string> =>
    boat.run(
      "mkdir -p /run/usr/upper /run/usr/work && mount -t overlay -o ro,lowerdir=/usr,upperdir=/run/usr/upper,workdir=/run/usr/work hub-usr /usr",
    );

  beforeAll(async () => {
    boat = await openContainer();
    const { current } = await packages();
    from = dirname(current.get("hub-config_all")!);
    keys = temporaryFolder("keys");
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
    publish(from);

    const own = boat.file("/usr/lib/hub-card");
    mkdirSync(join(own, "packages"), { recursive: true });
    for (const name of ["hub-cand_amd64", "hub-config_all", "hub-display_all"])
      copyFileSync(current.get(name)!, join(own, "packages", basename(current.get(name)!)));
    await writeProgram(join(own, "hub-card.mjs"), { entryPoints: ["packaging/card/hub-card.ts"] });
    copyFileSync(boat.file("/srv/repository/hub.sources"), boat.file("/etc/apt/sources.list.d/hub.sources"));
    for (const path of [
      "systemd/system/hub-config.service.d",
      "tmpfiles.d",
      ...units.map((unit) => `systemd/system/${unit}`),
    ])
      cpSync(join("packaging/card/root/etc", path), boat.file(`/etc/${path}`), { recursive: true });
    const wanted = boat.file("/etc/systemd/system/multi-user.target.wants");
    for (const unit of ["hub-update.service", "hub-update.path"]) symlinkSync(`../${unit}`, join(wanted, unit));
    await boat.boot();
    await boat.run("apt-get install -y /usr/lib/hub-card/packages/*.deb 2>&1");
    await asWritten(boat, `${examples}/boat.nginx`);
    await asWritten(boat, `${examples}/hub.mosquitto.conf`);
    await boat.run(
      `sed -i 's/^HUB_CAND_OPTIONS=.*/HUB_CAND_OPTIONS="--simulate"/' /etc/default/hub-cand-can0 && systemd-tmpfiles --create && systemctl restart hub-config hub-cand@can0`,
    );
    // From a web server apt copies packages to its own folder too.
    await boat.run("sed -i s,file:,copy:, /etc/apt/sources.list.d/hub.sources");
    await closeUsr();
    await boat.run("systemctl restart hub-update");
    [first] = (await installed()) as [string];
  }, 900_000);

  afterAll(async () => {
    await boat?.close();
    spawnSync("gpgconf", ["--kill", "all"], { env: { ...process.env, GNUPGHOME: keys } });
    rmSync(keys, { recursive: true });
  });

  test(
    "there is none at first, then one with what is new, which one press installs",
    async () => {
      expect(await update("check")).toMatchObject({ installed: first, result: "unchanged" });
      release("90.0", "true");
      expect(await update("check")).toMatchObject({ installed: first, available: "90.0", news: ["News of 90.0."] });
      expect(await update("install")).toMatchObject({ installed: "90.0", before: first, result: "installed" });
      expect(await installed()).toEqual(["90.0"]);
      expect(await isUsrReadOnly()).toBe(true);
      await display();
    },
    BACK_MS,
  );

  test(
    "one without a display goes back by itself",
    async () => {
      release("90.1", "find . -name 'index.html*' -delete");
      expect(await update("install")).toMatchObject({
        ...{ installed: "90.0", available: "90.1", before: first, result: "returned" },
        reason: "the site has no display",
      });
      expect(await installed()).toEqual(["90.0"]);
      expect(await isUsrReadOnly()).toBe(true);
      await display();
    },
    BACK_MS,
  );

  test(
    "the version of before is taken again without the repository",
    async () => {
      await boat.run("mv /srv/repository /srv/away");
      expect(await update("back")).toMatchObject({ installed: first, before: "90.0", result: "installed" });
      expect(await installed()).toEqual([first]);
      expect(await update("check")).toMatchObject({ installed: first, result: "failed" });
      await boat.run("mv /srv/away /srv/repository");
    },
    BACK_MS,
  );

  test(
    "a power cut in the middle leaves the version of before",
    async () => {
      await boat.cutPower();
      await boat.boot();
      await boat.until("curl -sSf http://127.0.0.1/api/config/update");
      await boat.run("curl -sSf -X PUT http://127.0.0.1/api/config/update/install");
      await boat.until("dpkg-query -W 'hub-*' | grep -q 90.1");
      await boat.cutPower();
      await boat.boot();
      await boat.until("test ! -e /var/lib/hub-update/trial.json");
      expect(await installed()).toEqual([first]);
      expect(await boat.run("dpkg --audit")).toBe("");
      await boat.until("curl -sSf http://127.0.0.1/display/");
    },
    BACK_MS,
  );
});
