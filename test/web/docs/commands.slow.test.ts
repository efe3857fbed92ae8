/**
 * Every command and snippet of README and docs is run as it stands there, against a running boat in a network of its
 * own.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulatedCandump } from "../../../src/services/simulation/candump-text.ts";
import { withoutMosquitto } from "../../support/mosquitto.ts";
import { type Namespace, openNamespace, withoutNamespace } from "../../support/namespace.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const documents = ["README.md", ...readdirSync("docs").map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);

interface Block {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = documents.flatMap((document) =>
  [...readFileSync(document, "utf8").matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    document,
    language: language!,
    text: text!,
  })),
);

/**
 * Commands of a block: a line, or several while a quote is open. Without comments, and without the output of a session.
 */
function commandsOf({ language, text }: Block): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (language !== "sh") return lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  const commands: string[] = [];
  for (const line of lines) {
    const isOpen = commands.length > 0 && (commands.at(-1)!.split("'").length - 1) % 2 === 1;
    if (isOpen) commands[commands.length - 1] += `\n${line}`;
    else commands.push(line.replace(/\s+#\s.*$/, ""));
  }
  return commands;
}

/** The lines that a document shows below a command of a session. */
const shownBelow = (command: string): string | undefined =>
  blocks.find(({ text }) => text.startsWith(`$ ${command}\n`))?.text.split("\n")[1];

/** The same JSON with other values: names, types and order. */
const shapeOf = (json: string): string =>
  JSON.stringify(JSON.parse(json), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? value : typeof value,
  );

/** A line `topic JSON` without its values. */
function sessionLine(line: string): string {
  const at = line.indexOf(" ");
  return `${line.slice(0, at)} ${shapeOf(line.slice(at + 1))}`;
}

test("CHANGELOG.md upgrades by the command of README.md, which test/packaging/documented.night.test.ts runs", () => {
  const [command] = /^apt install -y .*$/m.exec(readFileSync("README.md", "utf8"))!;
  expect(readFileSync("CHANGELOG.md", "utf8")).toContain(`\`${command}\``);
});

/** Run by other tests, or by people only, with the reason. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm (start|test|run)\b/, "the scripts have tests of their own, and would run this one"],
  [/^sudo (editor|systemctl) /, "test/packaging/boat.slow.test.ts sets hub-alarm up on a booted Debian"],
  [/^(sudo )?(apt|head|cp|install) /, "test/packaging/boat.slow.test.ts does so on a booted Debian"],
  [
    /^(podman load|podman-compose) /,
    "test/packaging/image.night.test.ts loads the image and starts what compose.yaml has",
  ],
  [/^(sha256sum -c|xz -dc) hub-/, "test/packaging/card.night.test.ts makes and writes the image"],
  [/^candump /, "test/bus records on a virtual bus"],
];

/** A hub-cand in the place of the boat's: a replay refuses to run beside that one, and a live one ends it. */
const takesItsPlace = (command: string): boolean =>
  /\bhub-cand(\.mjs)? /.test(command) && !/ --(stdout|findings)\b/.test(command);

/** Programs that do not end by themselves are ended after this many seconds, and must not have failed before. */
const SECONDS = 4;
const TIMED_OUT = 124;

const skip = withoutMosquitto ?? withoutNamespace;

describe.skipIf(skip !== undefined)(`commands of the documents${skip ? ` (${skip})` : ""}`, () => {
  let folder: string;
  let inside: Namespace;
  const programs: ChildProcess[] = [];
  /** Output of the boat's programs, for the message of a failure. */
  let said = "";
  const environment = (): Record<string, string> => ({
    PATH: `${join(folder, "bin")}:${process.env.PATH}:/usr/sbin:/sbin`,
    HOME: folder,
  });

  /** Runs a command in the folder, on the boat. */
  async function run(command: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const script = `cd "${folder}" && ${command}`;
    const child = inside.spawn("timeout", [String(SECONDS), "bash", "-o", "pipefail", "-c", script], environment());
    let output = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk: Buffer) => {
        if (output.length < 100_000) output += chunk;
      });
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output };
  }

  function start(command: string, ...args: readonly string[]): ChildProcess {
    const program = inside.spawn(command, args, environment());
    for (const stream of [program.stdout!, program.stderr!])
      stream.on("data", (chunk: Buffer) => {
        if (said.length < 10_000) said += chunk;
      });
    programs.push(program);
    return program;
  }

  async function untilItSucceeds(command: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { code, output } = await run(command);
      if (code === 0) return;
      if (tries === 60) throw new Error(`${command}: ${code} ${output} ${said}`);
      await new Promise((retry) => setTimeout(retry, 200));
    }
  }

  /** Ends the boat's hub-cand, while it runs. */
  let endBridge: (() => Promise<unknown>) | undefined;
  async function startBridge(): Promise<void> {
    if (endBridge !== undefined) return;
    const bridge = start("hub-cand", "--simulate");
    const ended = once(bridge, "close");
    endBridge = () => {
      bridge.kill();
      return ended;
    };
    await untilItSucceeds("mosquitto_sub -C 1 -t can/can0/navigation");
  }
  async function stopBridge(): Promise<void> {
    await endBridge?.();
    endBridge = undefined;
  }

  beforeAll(async () => {
    folder = temporaryFolder("commands");
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "mosquitto.conf"), "listener 1883 127.0.0.1\nallow_anonymous true\nuser root\n");
    writeFileSync(
      join(folder, "trip.log.gz"),
      gzipSync([...simulatedCandump(10_000, Date.UTC(2026, 10, 21))].join("")),
    );
    const script = (name: string, text: string): void => {
      writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, "bin", name), 0o755);
    };
    for (const name of ["hub-cand", "hub-configd", "hub-config-backup", "hub-link"])
      script(name, `exec "${process.execPath}" "${resolve(`dist/${name}.mjs`)}" "$@"`);
    // A refusal is a failure of the command.
    script("curl", 'exec /usr/bin/curl --silent --show-error --fail-with-body "$@"');
    inside = await openNamespace();
    inside.run("mkdir", "-p", "/etc/hub/configuration", "/etc/hub/backup");
    // The clients of Mosquitto look for localhost.
    writeFileSync(inside.file("/etc/hosts"), "127.0.0.1 localhost\n");
    for (const day of [20, 21])
      writeFileSync(inside.file(`/etc/hub/backup/deploy.json-2026-11-${day}_08-14-26`), '{"sensor": []}');
    writeFileSync(inside.file("/etc/hub/configuration/my-boat.json"), '{"uid": "1", "name": "my-boat"}');
    start("mosquitto", "-c", join(folder, "mosquitto.conf"));
    start("hub-configd", "-c", "/etc/hub", "-s", resolve("dist/swagger"));
    await untilItSucceeds("curl http://127.0.0.1:12000/openapi.json");
  });
  afterAll(async () => {
    for (const program of programs) {
      if (program.exitCode !== null || program.signalCode !== null) continue;
      const ended = once(program, "close");
      program.kill("SIGKILL");
      await ended;
    }
    await inside?.close();
  });

  const commands = blocks.flatMap((block) => commandsOf(block).map((command) => [block.document, command] as const));

  test("there are commands of every document that has some", () => {
    expect(new Set(commands.map(([document]) => document)).size).toBeGreaterThanOrEqual(5);
  });

  const toRun = commands.filter(([, command]) => !elsewhere.some(([pattern]) => pattern.test(command)));

  // Commands run in the order of the documents, because a command may need files of the one before it.
  test.each(toRun)("%s: %s", async (_, command) => {
    await (takesItsPlace(command) ? stopBridge() : startBridge());
    // The documents run the programs from the clone.
    const { code, output } = await run(command.replaceAll("node dist/", `node ${resolve("dist")}/`));
    expect([0, TIMED_OUT], output).toContain(code);
    if (command.endsWith("--help")) expect(output).toMatch(/^Usage: /);
    else expect(output).not.toMatch(/usage|unknown option|^error/im);
    const shown = shownBelow(command);
    if (shown === undefined) return;
    // The last line may be cut off. Other devices send the same PGN with other members.
    expect(output.split("\n").slice(0, -1).map(sessionLine)).toContain(sessionLine(shown));
  });

  test("every snippet of JSON is JSON", () => {
    const snippets = blocks.filter(({ language }) => language.startsWith("json"));
    expect(snippets.length).toBeGreaterThan(2);
    for (const { text } of snippets) expect(() => JSON.parse(text) as unknown).not.toThrow();
  });
});
