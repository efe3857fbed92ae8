/** The packages as files: their content, their dependencies, and the findings of lintian. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { topicSchemas } from "../../src/core/topics/schemas.ts";
import { titled, withoutPackaging } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { architectures, type Packages, packages, run } from "./packages.ts";

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly components?: readonly Component[];
}

const names = [
  ...architectures.map((architecture) => `hub-cand_${architecture}`),
  "hub-config_all",
  "hub-display_all",
  "hub-history_all",
  "hub-link_all",
];

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

describe(titled("the packages", withoutPackaging), { skip: withoutPackaging !== undefined, timeout: 600_000 }, () => {
  let folder: string;
  let current: Packages;
  const deb = (name: string): string => current.get(name)!;
  const field = (name: string, of: string): string => run("dpkg-deb", "--field", deb(name), of).trim();
  /** The folder with the files of a package, unpacked; its control files are in DEBIAN. */
  const unpacked = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = temporaryFolder("packages");
    ({ current } = await packages());
    for (const name of names) run("dpkg-deb", "--raw-extract", deb(name), unpacked(name));
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test("are one for each architecture, and those for all", () => {
    expect([...current.keys()].sort()).toEqual(names);
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const name of names) {
      expect(name).toBe(`${field(name, "Package")}_${field(name, "Architecture")}`);
      // Before it is released it sorts before the release.
      expect(field(name, "Version").replace(/~\d{14}$/, "")).toBe(version);
    }
  });

  test("each has a bill of materials with the npm packages that its copyright file names", () => {
    for (const path of names) {
      const name = path.replace(/_.*$/, "");
      const doc = join(unpacked(path), "usr/share/doc", name);
      const { metadata, components } = JSON.parse(
        gunzipSync(readFileSync(join(doc, `${name}.cdx.json.gz`))).toString(),
      );
      expect(metadata.component).toMatchObject({ name, version: field(path, "Version").replace(/~\d{14}$/, "") });
      const copyright = readFileSync(join(doc, "copyright"), "utf8");
      const said = [...copyright.matchAll(/^Comment: The licence of (\S+) (\d\S*): /gm)].map(
        ([, npm, version]) => `${npm}@${version}`,
      );
      const ofNpm = (components as Component[]).filter(({ purl }) => purl.startsWith("pkg:npm/"));
      const listed = ofNpm.map(
        ({ group, name: npm, version }) => `${group === undefined ? "" : `${group}/`}${npm}@${version}`,
      );
      expect(listed.toSorted()).toEqual(said.toSorted());
      const vex = JSON.parse(readFileSync(join(doc, `${name}.vex.cdx.json`), "utf8"));
      expect(vex).toMatchObject({ metadata: { component: { name } }, vulnerabilities: expect.any(Array) });
    }
  });

  test("the display's names the libraries in its WebAssembly", () => {
    const [display] = names.filter((name) => name.startsWith("hub-display_"));
    const copyright = readFileSync(join(unpacked(display!), "usr/share/doc/hub-display/copyright"), "utf8");
    const linked = [...copyright.matchAll(/^Comment: (\S+) of Debian, whose library is linked into (\S+)$/gm)];
    expect(linked.map(([, name]) => name!.replace(/-\d+-/, "-"))).toEqual([
      "libc++-dev-wasm32",
      "libc++abi-dev-wasm32",
      "libclang-rt-dev-wasm32",
      "wasi-libc",
    ]);
    for (const [, , file] of linked) expect(statSync(join(unpacked(display!), file!)).isFile()).toBe(true);
    const bill = gunzipSync(
      readFileSync(join(unpacked(display!), "usr/share/doc/hub-display/hub-display.cdx.json.gz")),
    );
    const listed = (JSON.parse(bill.toString()).components as Component[]).map(({ purl }) => purl);
    for (const [, name] of linked)
      expect(listed.filter((purl) => purl.startsWith(`pkg:deb/debian/${encodeURIComponent(name!)}@`))).toHaveLength(1);
  });

  test("the console's names what its makers bundled into it", () => {
    const [config] = names.filter((name) => name.startsWith("hub-config_"));
    const bill = gunzipSync(readFileSync(join(unpacked(config!), "usr/share/doc/hub-config/hub-config.cdx.json.gz")));
    const swagger = (JSON.parse(bill.toString()).components as Component[]).find(
      ({ name }) => name === "swagger-ui-dist",
    );
    expect(swagger!.components!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["dompurify", "react", "lodash"]),
    );
  });

  test("lintian finds neither errors nor warnings in them", () => {
    const args = ["--fail-on=error,warning", ...names.map(deb)];
    const { status, stdout } = spawnSync("lintian", args, { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });

  test("are small", () => {
    const size = (name: string): number => statSync(deb(name)).size;
    for (const architecture of architectures) expect(size(`hub-cand_${architecture}`)).toBeLessThanOrEqual(1 << 20);
    expect(size("hub-config_all")).toBeLessThanOrEqual(3 << 20);
    // A third of it is the coastline of the world; the scripts and languages are in it plain, as .gz and as .br.
    expect(size("hub-display_all")).toBeLessThanOrEqual(3.5 * (1 << 20));
    expect(size("hub-link_all")).toBeLessThanOrEqual(1 << 20);
    expect(size("hub-history_all")).toBeLessThanOrEqual(1 << 20);
  });

  test.each(names)("%s has nothing in it that tells where it was built", (name) => {
    const places = [process.cwd(), `${homedir()}/`, "hub-package-"];
    for (const path of filesIn(unpacked(name))) {
      const bytes = readFileSync(join(unpacked(name), path));
      const content = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
      expect(
        places.filter((place) => place.length > 1 && content.includes(place)),
        path,
      ).toEqual([]);
    }
  });

  test.each(names)("%s brings only what is its own, for all to read and for root to write", (name) => {
    const [own] = name.split("_");
    const places = [
      ...[
        "etc/default/hub-",
        "etc/nginx/snippets/hub-",
        "usr/bin/hub-",
        `usr/lib/${own}/`,
        "usr/lib/systemd/system/hub",
      ],
      `usr/lib/sysctl.d/10-${own}.conf`,
      ...[`usr/lib/sysusers.d/${own}.conf`, `usr/share/${own}/`, `usr/share/doc/${own}/`, "usr/share/man/man8/hub-"],
      "usr/share/bash-completion/completions/hub-",
      `usr/share/lintian/overrides/${own}`,
    ];
    const lines = run("dpkg-deb", "--contents", deb(name)).trim().split("\n");
    for (const line of lines) {
      const [mode, owner, , , , path = ""] = line.split(/\s+/);
      expect(owner, path).toBe("root/root");
      if (path.endsWith("/")) {
        expect(mode, path).toBe("drwxr-xr-x");
        continue;
      }
      const isProgram = path.startsWith("./usr/bin/") || path.endsWith("/alarm-sound");
      const isLink = path === `./usr/share/doc/${own}/schemas`;
      expect(mode, path).toBe(isProgram ? "-rwxr-xr-x" : isLink ? "lrwxrwxrwx" : "-rw-r--r--");
      expect(
        places.some((place) => path.startsWith(`./${place}`)),
        path,
      ).toBe(true);
    }
  });

  test.each(names)("%s does nothing but its own while it is installed and removed: no network, no compiler", (name) => {
    for (const script of ["preinst", "postinst", "prerm", "postrm"]) {
      const path = join(unpacked(name), "DEBIAN", script);
      const isThere = filesIn(join(unpacked(name), "DEBIAN")).includes(script);
      if (!isThere) continue;
      run("sh", "-n", path);
      expect(readFileSync(path, "utf8")).not.toMatch(/\b(npm|npx|node|curl|wget|apt|apt-get|pip|git|gcc|g\+\+|make)\b/);
    }
  });

  test("hub-config has the console with the whole documentation, and an empty folder of templates", () => {
    expect(filesIn(join(unpacked("hub-config_all"), "usr/share/hub-config/swagger"))).toEqual(
      filesIn("dist/swagger").filter((path) => !/^(LICENSE|NOTICE)$/.test(path)),
    );
    expect(readdirSync(join(unpacked("hub-config_all"), "usr/share/hub-config/templates"))).toEqual([]);
  });

  test("hub-display has the display", () => {
    const display = join(unpacked("hub-display_all"), "usr/share/hub-display");
    expect(filesIn(display)).toEqual(filesIn("dist/display"));
    for (const path of filesIn(display)) {
      expect(readFileSync(join(display, path)).equals(readFileSync(join("dist/display", path))), path).toBe(true);
    }
  });

  test("hub-cand has the schemas, and differs between architectures in its addon alone", () => {
    const schemas = topicSchemas.map(({ id }) => `${id}.schema.json`).sort();
    const [first, ...others] = architectures.map((name) => unpacked(`hub-cand_${name}`)) as [string, ...string[]];
    expect(readdirSync(join(first, "usr/share/hub-cand/schemas")).sort()).toEqual(schemas);
    for (const other of others) {
      expect(filesIn(other)).toEqual(filesIn(first));
      const different = filesIn(first).filter(
        (path) => !readFileSync(join(first, path)).equals(readFileSync(join(other, path))),
      );
      expect(different).toEqual(["DEBIAN/control", "DEBIAN/md5sums", "usr/lib/hub-cand/hub_can.node"]);
    }
  });

  test("hub-cand has the table of public PGNs, and reads it where it lies", () => {
    const program = join(unpacked("hub-cand_amd64"), "usr/lib/hub-cand");
    expect(readFileSync(join(program, "public-pgns.txt")).equals(readFileSync("dist/public-pgns.txt"))).toBe(true);
    const schema = JSON.parse(run(process.execPath, join(program, "hub-cand.mjs"), "--schema", "65013")) as object;
    expect(schema).toMatchObject({ title: expect.stringContaining("Utility Phase A AC Power") });
  });

  const users = "systemd | systemd-standalone-sysusers | systemd-sysusers";
  test("hub-config needs Node and whatever makes users; hub-display needs nothing", () => {
    expect(field("hub-config_all", "Depends")).toBe(`nodejs (>= 20.19), ${users}`);
    expect(field("hub-display_all", "Depends")).toBe("");
  });

  test.each(architectures)(
    "hub-cand for %s needs Node and the libraries of its addon, which is of that machine",
    (architecture) => {
      const depends = field(`hub-cand_${architecture}`, "Depends").split(", ");
      expect(depends.slice(0, 2)).toEqual(["nodejs (>= 20.19)", users]);
      const packagesOf: Readonly<Record<string, string>> = {
        "libc.so.6": "libc6",
        "libgcc_s.so.1": "libgcc-s1",
        "libstdc++.so.6": "libstdc++6",
        "libm.so.6": "libc6",
        "ld-linux-armhf.so.3": "libc6",
        "ld-linux-aarch64.so.1": "libc6",
      };
      const addon = join(unpacked(`hub-cand_${architecture}`), "usr/lib/hub-cand/hub_can.node");
      const dynamic = run("readelf", "--wide", "--dynamic", addon);
      const needed = [...dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(
        ([, library]) => packagesOf[library!] ?? library,
      );
      expect(depends.slice(2).map((one) => one.replace(/ .*/, ""))).toEqual([...new Set(needed)].sort());
      expect(dynamic).not.toMatch(/RPATH|RUNPATH/);
      expect(dynamic).toContain("BIND_NOW");

      const machines = {
        amd64: { Class: "ELF64", Machine: "Advanced Micro Devices X86-64" },
        arm64: { Class: "ELF64", Machine: "AArch64" },
        armhf: { Class: "ELF32", Machine: "ARM" },
      };
      const header = run("readelf", "--wide", "--file-header", "--sections", "--segments", addon);
      for (const [key, value] of Object.entries(machines[architecture])) {
        expect(header).toMatch(new RegExp(`^ *${key}: +${value}$`, "m"));
      }
      if (architecture === "armhf") expect(run("readelf", "--arch-specific", addon)).toContain("Tag_ABI_VFP_args: VFP");
      expect(header).toMatch(/GNU_STACK .* RW /);
      expect(header).not.toMatch(/\.symtab|\.debug/);
      // Debian 13 has 2.41.
      const glibc = [...run("readelf", "--wide", "--version-info", addon).matchAll(/GLIBC_2\.(\d+)/g)];
      expect(Math.max(...glibc.map(([, minor]) => Number(minor)))).toBeLessThanOrEqual(41);
    },
  );

  const programs = {
    "hub-cand_amd64": ["hub-cand"],
    "hub-link_all": ["hub-alarm", "hub-link"],
    "hub-history_all": ["hub-history"],
    "hub-config_all": ["hub-config-backup", "hub-config-fetch", "hub-configd", "hub-examples"],
  };

  test("the completions of their programs are where bash looks for them", () => {
    for (const [name, its] of Object.entries(programs))
      expect(readdirSync(join(unpacked(name), "usr/share/bash-completion/completions")).sort()).toEqual(its);
  });

  test("the manual pages are in them, and man has nothing to complain about", () => {
    for (const [name, its] of Object.entries(programs)) {
      const man = join(unpacked(name), "usr/share/man/man8");
      expect(readdirSync(man).sort()).toEqual(its.map((page) => `${page}.8.gz`));
      for (const page of its) {
        const { status, stdout, stderr } = spawnSync(
          "man",
          ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", join(man, `${page}.8.gz`)],
          { encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8", MANROFFSEQ: "", MANWIDTH: "80" } },
        );
        expect([status, stderr], page).toEqual([0, ""]);
        expect(stdout.length).toBeGreaterThan(1000);
      }
    }
  });
});
