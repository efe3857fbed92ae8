/** The copies of examples in /etc, in a folder in place of the root: an upgrade replaces those that nobody has edited. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { releasedFile, releasedVersion, withoutReleased } from "./released.ts";

const copied = "packaging/copied";
const packages = readdirSync(copied).filter((name) => !name.startsWith("hub-examples"));
const rows = packages.flatMap((owner) =>
  readFileSync(join(copied, owner, "copied-examples"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [name = "", place = "", , ...former] = line.split(" ");
      return { owner, name, place, former };
    }),
);

/** A system with the packages of this version; runs the command. */
function system() {
  const root = temporaryFolder("examples");
  for (const owner of packages) cpSync(join(copied, owner), join(root, "usr/share/doc", owner), { recursive: true });
  for (const { owner, name } of rows)
    cpSync(`packaging/examples/${name}`, join(root, "usr/share/doc", owner, "examples", name));
  return {
    file: (place: string) => join(root, place),
    copy(place: string, text: string, mode = 0o644) {
      mkdirSync(dirname(join(root, place)), { recursive: true });
      writeFileSync(join(root, place), text);
      chmodSync(join(root, place), mode);
    },
    run(...args: string[]) {
      const { stdout, stderr, status } = spawnSync(join(copied, "hub-examples"), args, {
        env: { ...process.env, DPKG_ROOT: root },
        encoding: "utf8",
      });
      return { stdout, stderr, status };
    },
  };
}

const example = (name: string): string => readFileSync(`packaging/examples/${name}`, "utf8");

test.each(rows)("$name is an example, and its copy is where its first lines say", ({ name, place }) => {
  const said = readdirSync("packaging/examples").flatMap((each) =>
    each.endsWith(".json") ? [] : example(each).split("\n").slice(0, 14),
  );
  const target = place.endsWith(`/${name}`) ? [place, dirname(place)] : [place];
  const isSaid = said.some(
    (line) => /\b(cp|install)\b/.test(line) && target.some((each) => ` ${line} `.includes(` ${each} `)),
  );
  expect(isSaid, place).toBe(true);
});

test.skipIf(withoutReleased !== undefined)(`the lists know the examples of ${releasedVersion}`, () => {
  // Until 1.2.0 this one had the restart that is in a file of its own now: its owner has to install both.
  for (const { name, former } of rows.filter((row) => row.name !== "80-can0.network")) {
    const released = releasedFile(`packaging/examples/${name}`);
    if (released !== undefined) expect(former, name).toContain(createHash("md5").update(released).digest("hex"));
  }
});

test("copies of former versions become those of this one, with their owner and mode; edited ones stay, and are shown", () => {
  const { file, copy, run } = system();
  const site = "/etc/nginx/sites-available/boat";
  const acl = "/etc/mosquitto/hub.acl";
  const conf = "/etc/mosquitto/conf.d/hub.conf";
  // A text whose sum is put into the list, because former versions are not in the tree.
  const former = "of a former version\n";
  const list = file("usr/share/doc/hub-config/copied-examples");
  const sum = createHash("md5").update(former).digest("hex");
  writeFileSync(list, readFileSync(list, "utf8").replaceAll(/^(boat\.nginx|hub\.acl) .*/gm, `$& ${sum}`));
  copy(site, former);
  copy(acl, former, 0o600);
  copy(conf, `${example("hub.mosquitto.conf")}# my own\n`);
  expect(run()).toEqual({ stdout: `former ${site}\nformer ${acl}\nedited ${conf}\n`, stderr: "", status: 0 });
  expect(run("diff").stdout).toContain("-# my own\n");
  expect(run("update")).toEqual({
    stdout: `hub: ${site} is that of this version now\nhub: ${acl} is that of this version now\nhub: ${conf} has been edited and stays; hub-examples diff shows what is new\n`,
    stderr: "",
    status: 0,
  });
  expect(readFileSync(file(site), "utf8")).toBe(example("boat.nginx"));
  expect(readFileSync(file(acl), "utf8")).toBe(example("hub.acl"));
  expect(statSync(file(acl)).mode & 0o777).toBe(0o600);
  expect(readFileSync(file(conf), "utf8")).toContain("# my own");
  expect(readdirSync(dirname(file(acl))).sort()).toEqual(["conf.d", "hub.acl"]);
  expect(run("list").stdout).toBe(`current ${site}\ncurrent ${acl}\nedited ${conf}\n`);
  expect(run("nonsense")).toMatchObject({ status: 1, stderr: expect.stringContaining("Usage") });
});
