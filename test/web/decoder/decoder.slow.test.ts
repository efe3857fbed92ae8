/** The decoder's package of npm, installed into an empty folder as its users do, on each runtime. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, createReadStream, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type * as Decoding from "../../../src/web/decoder/index.ts";
import { programOf } from "../../runtimes/programs.ts";
import { nodeReading, outputOf, writeRecording } from "../../runtimes/recorded.ts";
import { openBrowser, withoutChromium } from "../../support/browser.ts";
import { titled, withoutRuntimes } from "../../support/size.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { withoutWasm } from "../../support/wasm.ts";

let folder: string;
let recording: string;
let decoding: typeof Decoding;
/** The package as it is installed. */
const installed = (...path: string[]): string => join(folder, "node_modules/hub-decoder", ...path);
/** The output of the example on Node. */
let expected: string;

const deno = programOf("@deno", "deno");
const bun = programOf("@oven", "bin/bun");

describe.skipIf(withoutWasm !== undefined)(`the decoder's package ${withoutWasm ?? ""}`, () => {
  beforeAll(async () => {
    folder = temporaryFolder("decoder-test");
    const archive = execFileSync(process.execPath, ["scripts/decoder.mjs", folder], { encoding: "utf8" }).trim();
    writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], { cwd: folder, stdio: "pipe" });
    // Outside node_modules, so that the example imports the package by its name.
    copyFileSync(installed("example.js"), join(folder, "example.js"));
    recording = writeRecording(folder);
    expected = outputOf(process.execPath, [join(folder, "example.js"), recording], process.env);
    decoding = await import(pathToFileURL(installed("index.js")).href);
  });

  test("it decodes what hub-cand publishes of a recording", async () => {
    const lines = (await nodeReading(recording, folder)).trimEnd().split("\n");
    const published = lines
      .map((line) => JSON.parse(line) as { topic: string; payload: { data: Decoding.Data } })
      .flatMap(({ topic, payload: { data } }) => {
        const source = /\/device\/(\d+)\/pgn\/\d+/.exec(topic)?.[1];
        return source === undefined ? [] : [`${source} ${JSON.stringify(data)}`];
      });
    const pgns = new Set(published.map((text) => Number(/"pgn":(\d+)/.exec(text)![1])));
    const own: string[] = [];
    for await (const { pgn, source, data } of decoding.decode(createReadStream(recording)))
      if (pgns.has(pgn)) own.push(`${source} ${JSON.stringify(data)}`);
    expect(published.length).toBeGreaterThan(1000);
    expect(own).toEqual(published);
  });

  test("chunks cut anywhere, gzip and a stream of the Web give the same messages", async () => {
    const bytes = readFileSync(recording);
    const all = async (chunks: Decoding.Chunks): Promise<readonly string[]> => {
      const texts: string[] = [];
      for await (const message of decoding.decode(chunks)) texts.push(JSON.stringify(message));
      return texts;
    };
    const whole = await all([bytes]);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1009) }, (_, index) =>
      bytes.subarray(index * 1009, (index + 1) * 1009),
    );
    expect(whole.length).toBeGreaterThan(1000);
    expect(await all(pieces)).toEqual(whole);
    expect(await all(bytes)).toEqual(whole);
    expect(await all(new Blob([bytes]))).toEqual(whole);
    const packed = gzipSync(bytes);
    expect(await all([packed.subarray(0, 1), packed.subarray(1)])).toEqual(whole);
    // As in Safari, whose streams have no asynchronous iterator.
    const stream = new Blob([bytes]).stream().getReader();
    expect(await all({ getReader: () => stream })).toEqual(whole);
  });

  test("a known payload has its fields, an unknown PGN its bytes, and a line without sense is counted", async () => {
    const decoder = await decoding.createDecoder();
    const lines = [
      "(1436509052.249713) can0 09F11203#00FA7CFF7FFF7FFC",
      "(1436509052.250000) can0 no frame",
      "(1436509053.000000) can0 19F00305#0102030405060708",
    ];
    const pushed = decoder.push(new TextEncoder().encode(`${lines.join("\n")}\n`));
    const [heading, unknown, ...more] = [...pushed, ...decoder.end()];
    expect(more).toEqual([]);
    // 0x7cfa times 0.0001 rad.
    const head = { received: 1_436_509_052_249.713, source: 3, destination: 255, priority: 2, pgn: 127250 };
    expect(heading).toMatchObject({ ...head, data: { pgn: 127250, headingDeg: 183.312 } });
    expect(unknown!.data).toEqual({ pgn: 126979, raw: "0102030405060708" });
    expect(decoder).toMatchObject({ format: "candump -L", problem: undefined, hasTimes: true });
    expect(decoder.counters()).toMatchObject({ frames: 2, malformed: 1, packets: { single: 2, fast: 0, isoTp: 0 } });
    expect(() => decoder.push(new Uint8Array(1))).toThrow("the decoder has ended");
  });

  test("an unknown format is an error of its own, and ends the decoder", async () => {
    const decoder = await decoding.createDecoder();
    decoder.push(new TextEncoder().encode("no recording\n"));
    expect(() => decoder.end()).toThrow(decoding.UnreadableRecording);
    expect(() => decoder.push(new Uint8Array(1))).toThrow("the decoder has ended");
  });

  test("the messages before damage are given, then the error", async () => {
    const bytes = readFileSync(recording);
    const count = async (chunks: Decoding.Chunks): Promise<readonly unknown[]> => {
      let given = 0;
      try {
        for await (const _ of decoding.decode(chunks)) given++;
      } catch (error) {
        return [given, (error as Error).name];
      }
      return [given];
    };
    const [whole] = await count(bytes);
    // A medium whose power was cut has something else behind the last member.
    for (const rest of ["\0".repeat(512), "something else"]) {
      const damaged = Buffer.concat([gzipSync(bytes), Buffer.from(rest)]);
      expect(await count(damaged)).toEqual([whole, "UnreadableRecording"]);
    }
  });

  test("text, a path and a time that is no number are refused by a sentence, in CommonJS too", () => {
    const program = `const { createDecoder, decode } = require("hub-decoder");
      const said = (error) => console.log(error.name, error.message);
      const all = async (chunks) => { for await (const message of decode(chunks)) console.log(message); };
      all("trip.log").catch(said)
        .then(() => all(new ArrayBuffer(8)).catch(said))
        .then(() => all(["text"]).catch(said))
        .then(() => createDecoder({ modified: Number.NaN }).catch(said));`;
    writeFileSync(join(folder, "refused.cjs"), program);
    expect(
      outputOf(process.execPath, [join(folder, "refused.cjs")], process.env)
        .trimEnd()
        .split("\n"),
    ).toEqual([
      "TypeError decode takes the bytes of a recording, or a stream of them",
      "TypeError decode takes the bytes of a recording, or a stream of them",
      "TypeError a chunk is a Uint8Array: open a file without an encoding",
      "RangeError modified is not a number of milliseconds since 1970",
    ]);
  });

  test.skipIf(withoutRuntimes !== undefined)(titled("Bun gives the same", withoutRuntimes), () => {
    expect(outputOf(bun!, [join(folder, "example.js"), recording], process.env)).toBe(expected);
  });

  test.skipIf(withoutRuntimes !== undefined)(
    titled("Deno gives the same, with the permission to read alone", withoutRuntimes),
    () => {
      const args = ["run", "--no-prompt", "--allow-read", join(folder, "example.js"), recording];
      const env = { ...process.env, DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
      expect(outputOf(deno!, args, env)).toBe(expected);
    },
  );

  test.skipIf(withoutChromium !== undefined)(`a browser gives the same ${withoutChromium ?? ""}`, async () => {
    const server = createServer(({ url = "/" }, response) => {
      const name = url.slice(1);
      if (!["example.html", "index.js"].includes(name)) return void response.writeHead(404).end();
      const type = name.endsWith(".js") ? "text/javascript" : "text/html";
      response.writeHead(200, { "content-type": type }).end(readFileSync(installed(name)));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/example.html`);
      await page.locator("input").setInputFiles(recording);
      await page.locator("pre:not(:empty)").waitFor({ state: "attached" });
      const withoutTimes = expected.trimEnd().replaceAll(/^\S+ /gm, "");
      expect(await page.locator("pre").textContent()).toBe(withoutTimes);
    } finally {
      await browser.close();
      server.close();
    }
  });

  test("a program with strict types compiles, and a wrong one does not", () => {
    const check = (text: string): string => {
      writeFileSync(join(folder, "consumer.ts"), text);
      const options = ["--strict", "--noEmit", "--target", "es2023", "--module", "nodenext", "--types", ""];
      return spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), ...options, "consumer.ts"], {
        cwd: folder,
        encoding: "utf8",
      }).stdout;
    };
    const use = 'import { createDecoder, decode, isOf, type Message, UnreadableRecording } from "hub-decoder";\n';
    const right = `${use}const decoder = await createDecoder({ modified: 0 });
      const messages: Message[] = decoder.push(new Uint8Array(0));
      for await (const { pgn, data } of decode([new Uint8Array(0)])) console.log(pgn + 1, data.pgn, messages);
      export const headingOf = (message: Message): number | undefined =>
        isOf(message, 127250) && message.data.reference === "True" ? message.data.headingDeg : undefined;
      export const reasonOf = (error: unknown) => (error instanceof UnreadableRecording ? error.message : undefined);
      export {};\ndeclare const console: { log(...values: unknown[]): void };\n`;
    expect(check(right)).toBe("");
    expect(check(`${use}const text: string = (await createDecoder()).counters().frames; export { text };`)).toMatch(
      /not assignable to type 'string'/,
    );
    const misspelt =
      "export const of = (message: Message) => isOf(message, 127250) && message.data.reference === 'Tru';";
    expect(check(`${use}${misspelt}`)).toMatch(/no overlap/);
  });

  test("it has the licences, and nothing of the machine that built it", () => {
    const files = spawnSync("find", [installed(), "-type", "f", "-printf", "%P\n"], { encoding: "utf8" });
    const names = files.stdout.trimEnd().split("\n").sort();
    expect(names).toEqual([
      ...["LICENSE", "README.md", "THIRD-PARTY-NOTICES.txt", "example.html", "example.js", "index.d.ts", "index.js"],
      ...["package.json", "pgns.md"],
    ]);
    const notices = readFileSync(installed("THIRD-PARTY-NOTICES.txt"), "utf8");
    expect(notices).toMatch(/@canboat\/ts-pgns [\d.]+: Apache-2.0/);
    expect(notices).toMatch(/^Comment: The licence of fflate [\d.]+: MIT\.$/m);
    expect(notices).toContain("libc++");
    for (const name of names) {
      const text = readFileSync(installed(name), "utf8");
      for (const own of [resolve("."), tmpdir(), `@${hostname()}`, "registry."]) expect(text, name).not.toContain(own);
    }
    const { dependencies } = JSON.parse(readFileSync(installed("package.json"), "utf8"));
    expect(dependencies).toBeUndefined();
  });
});
