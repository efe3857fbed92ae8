/** hub on Deno: the portable tests, at night the types, and both daemons with the permissions of deno.json and no more. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { expectServing } from "../runtimes/configd.ts";
import { programOf } from "../runtimes/programs.ts";
import { nodeReading, outputOf, readingArguments, slowlyReadOutputOf, writeRecording } from "../runtimes/recorded.ts";
import { atNight, titled, withoutRuntimes } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const program = programOf("@deno", "deno");
const options = { skip: withoutRuntimes !== undefined };

/** Deno's translations of the sources, which are the same for all tests. */
let cache: string;
let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  cache = temporaryFolder("deno");
  const own = { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  environment = { ...process.env, ...own };
});

test.each(atNight(["test"], ["check", "test"]))(titled("deno task %s passes", withoutRuntimes), options, (task) => {
  const files = task === "test" ? ["test/deno/portable.ts"] : [];
  const { status, stdout, stderr } = spawnSync(program!, ["task", task, ...files], {
    env: environment,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const failures = stdout.slice(Math.max(0, stdout.indexOf(" ERRORS ")));
  expect(status, `${failures}\n${stderr}`).toBe(0);
  // A filter that finds nothing would pass too.
  if (task === "test") expect(Number(/(\d+) passed \| 0 failed/.exec(stdout)?.[1])).toBeGreaterThan(600);
});

/** The arguments of `deno` in a task: from `run` to the program itself, or with its arguments. */
function argumentsOf(task: "start" | "can"): string {
  const { tasks } = JSON.parse(readFileSync("deno.json", "utf8")) as { tasks: Record<typeof task, string> };
  return tasks[task].slice(tasks[task].indexOf("run "));
}

test(
  titled(
    "the daemon starts with the permissions of its task, serves with the contract's framing and stops",
    withoutRuntimes,
  ),
  options,
  async () => {
    const folder = temporaryFolder("runtime");
    const args = argumentsOf("start").replaceAll(".hub", folder).replace("dist/swagger", folder);
    await expectServing(program!, args.split(" "), folder, environment);
  },
);

test(
  titled("hub-cand says of a recording what it says on Node, with the permissions of its task", withoutRuntimes),
  options,
  async () => {
    const folder = temporaryFolder("runtime");
    const recording = writeRecording(folder);
    const args = [...argumentsOf("can").split(" "), ...readingArguments(recording, folder)];
    const output = outputOf(program!, args, environment);
    expect(output.split("\n").length).toBeGreaterThan(1000);
    expect(output).toBe(await nodeReading(recording, folder));
    expect(slowlyReadOutputOf(program!, args, environment)).toBe(output);
  },
);

test(titled("without the permission for the addon hub-cand says so and ends", withoutRuntimes), options, () => {
  const folder = temporaryFolder("runtime");
  const args = argumentsOf("can").replace(/--allow-ffi=\S+ /, "");
  const { status, stderr } = spawnSync(
    program!,
    [...args.split(" "), ...readingArguments(writeRecording(folder), folder)],
    { env: environment, encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([1, expect.stringMatching(/the addon does not load: .*ffi/)]);
});
