/** The addon of the packages is built with the hardening flags of Debian, and not for glibc alone. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { buildAddon, compilerFlags } from "../../scripts/addon.mjs";
import { withoutPackaging as obstacle, titled } from "../support/size.ts";

/** The tools of each architecture, an instruction that guards branches, and flags that dpkg has since Debian 13. */
const machines = {
  amd64: { tools: "x86_64-linux-gnu", guard: /\bendbr64\b/g, flags: ["-fcf-protection"] },
  arm64: { tools: "aarch64-linux-gnu", guard: /\b(paciasp|bti\tc)\b/g, flags: ["-mbranch-protection=standard"] },
  armhf: { tools: "arm-linux-gnueabihf", guard: undefined, flags: [] },
} as const;

const runs = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

describe.each(Object.entries(machines))("the addon for %s", (architecture, { tools, guard, flags }) => {
  const hasDpkg = runs("dpkg-buildflags", "--version") || process.env.CI === "true";

  test.skipIf(!hasDpkg)(
    "is compiled with every hardening flag that dpkg-buildflags names, and those of Debian 13",
    () => {
      const { stdout } = spawnSync("dpkg-buildflags", ["--get", "CXXFLAGS"], {
        encoding: "utf8",
        env: { ...process.env, DEB_HOST_ARCH: architecture },
      });
      const named = stdout
        .trim()
        .split(" ")
        .filter((flag) => /^-[Wfm]/.test(flag) && !flag.startsWith("-ffile-prefix"));
      expect(named).toContain("-fstack-protector-strong");
      const expected = [...named, "-Werror=format-security", "-fstack-clash-protection", ...flags];
      expect(compilerFlags(architecture)).toEqual(expect.arrayContaining(expected));
    },
  );

  test.skipIf(obstacle !== undefined)(
    titled("is bound at load time, and its branches are guarded", obstacle),
    () => {
      const addon = buildAddon(architecture);
      const dynamic = spawnSync("readelf", ["--wide", "--dynamic", "--segments", addon], { encoding: "utf8" }).stdout;
      expect(dynamic).toContain("BIND_NOW");
      expect(dynamic).toContain("GNU_RELRO");
      if (guard === undefined) return;
      const { stdout } = spawnSync(`${tools}-objdump`, ["--disassemble", "--section=.text", addon], {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      expect(stdout.match(guard)?.length ?? 0).toBeGreaterThan(100);
    },
    120_000,
  );

  test.skipIf(obstacle !== undefined)(
    titled("calls what other C libraries than glibc have, too", obstacle),
    () => {
      const { stdout } = spawnSync("readelf", ["--wide", "--dyn-syms", buildAddon(architecture)], { encoding: "utf8" });
      const ownNames = [...stdout.matchAll(/ UND (\w+_np)@GLIBC/g)].map(([, name]) => name);
      // musl has this one.
      expect(ownNames).toEqual(["pthread_setname_np"]);
    },
    120_000,
  );
});
