/** Completion as bash makes it: with the package bash-completion, which finds the script by the name of the program. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bashCompletion } from "../../src/daemons/program/completion.ts";
import { manuals } from "../../src/daemons/program/manual-texts.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const library = "/usr/share/bash-completion/bash_completion";
const skip = !existsSync(library) && process.env.CI !== "true";

describe.skipIf(skip)(`completion by bash${skip ? ` (skipped: no ${library})` : ""}`, () => {
  let folder: string;

  beforeAll(() => {
    folder = temporaryFolder("completion");
    const completions = join(folder, "bash-completion/completions");
    mkdirSync(completions, { recursive: true });
    for (const { name, table } of manuals) writeFileSync(join(completions, name), bashCompletion(name, table));
    mkdirSync(join(folder, "trips"));
    writeFileSync(join(folder, "trip.log"), "");
  });

  /** Completions that bash offers for a line whose last word is being typed. */
  function offered(line: string): readonly string[] {
    const [program] = line.split(" ") as [string];
    const script = `
      . ${library}
      _completion_loader ${program} || :
      COMP_LINE=$1 COMP_POINT=\${#1} COMP_TYPE=9 COMP_KEY=9
      words=\${1//=/ = }
      COMP_WORDS=($words); [[ $words == *" " ]] && COMP_WORDS+=("")
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      function=$(complete -p ${program} | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      "$function" ${program} "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", line], {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_DATA_HOME: folder,
        BASH_COMPLETION_USER_DIR: join(folder, "bash-completion"),
      },
    });
    expect(stderr).toBe("");
    return stdout
      .split("\n")
      .filter((word) => word !== "")
      .sort();
  }

  test.each(manuals)("$name: all of its options", ({ name, table }) => {
    expect(offered(`${name} `)).toEqual(table.options.map(({ long }) => `--${long}`).sort());
  });

  test("the options that begin so", () => {
    expect(offered("hub-cand --re")).toEqual(["--record", "--record-limit", "--replay"]);
    expect(offered("hub-config-fetch --url https://fleet.example/a --c")).toEqual(["--ca", "--cert", "--channel"]);
  });

  test("values: files, folders, interfaces, levels, and none where nothing can be known", () => {
    for (const line of ["hub-cand --replay tri", "hub-cand -r tri", "hub-cand --replay=tri"])
      expect(offered(line), line).toEqual(["trip.log", "trips"]);
    expect(offered("hub-cand --record tri")).toEqual(["trips"]);
    expect(offered("hub-cand -i ")).toEqual(expect.arrayContaining(Object.keys(networkInterfaces())));
    for (const line of ["hub-link --log-level ", "hub-link -l ", "hub-link --log-level="])
      expect(offered(line), line).toEqual(["debug", "error", "info", "warn"]);
    for (const line of ["hub-cand --prefix ", "hub-cand --simulate="]) expect(offered(line), line).toEqual([]);
  });
});
