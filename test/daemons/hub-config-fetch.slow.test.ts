/**
 * hub-config-fetch between a real HTTPS server and a real hub-configd; releases are signed by openssl, as the
 * documentation says.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newApp, secretHash, withSecret } from "../services/api/harness.ts";
import { bundled } from "../support/bundled.ts";
import { endsWithTest } from "../support/ends-with-test.ts";
import { textOf } from "../support/hub-cand.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let program: string;
let service: { readonly api: string; readonly config: string; start(): Promise<void>; stop(): Promise<void> };
/** An answer of the fleet's server. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let url: string;

function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr}`);
}

const file = (name: string): string => join(folder, name);

/** A certificate of the authority for a host and others, valid for `days` from now. */
function certify(
  name: string,
  host: string,
  days: number,
  others = "",
): { readonly key: Buffer; readonly cert: Buffer } {
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", ...curve, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${host}`);
  writeFileSync(file(`${name}.ext`), `subjectAltName=DNS:${host}${others}`);
  const authority = ["-CA", "ca.pem", "-CAkey", "ca.key", "-days", String(days), "-extfile", `${name}.ext`];
  openssl("x509", "-req", "-in", `${name}.csr`, ...authority, "-out", `${name}.pem`);
  return { key: readFileSync(file(`${name}.key`)), cert: readFileSync(file(`${name}.pem`)) };
}

/** hub-configd on a port of its own, which stays the same when it is started again. */
function configService(bundle: string): typeof service {
  const config = join(folder, "hub");
  mkdirSync(config);
  let port = 0;
  let child: ChildProcess | undefined;
  return {
    get api() {
      return `http://127.0.0.1:${port}`;
    },
    config,
    async start() {
      child = spawn(process.execPath, [bundle, "-p", String(port), "-c", config, "-s", folder], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      let said = "";
      for await (const chunk of child.stdout!) {
        said += chunk;
        port ||= Number(/listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? 0);
        if (port !== 0) break;
      }
      while (!(await fetch(`${this.api}/health`).catch(() => undefined))?.ok)
        await new Promise((next) => setTimeout(next, 20));
    },
    async stop() {
      const exit = once(child!, "exit");
      child!.kill("SIGKILL");
      await exit;
    },
  };
}

beforeAll(async () => {
  folder = temporaryFolder("config-fetch");
  program = await bundled(folder, 'import "./src/daemons/hub-config-fetch.ts";');
  for (const name of ["fleet", "stranger"]) {
    openssl("genpkey", "-algorithm", "ed25519", "-out", `${name}.key`);
    openssl("pkey", "-in", `${name}.key`, "-pubout", "-out", `${name}.pem`);
  }
  const authority = ["-days", "2", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Authority of a test"];
  openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", ...authority);
  server = createTlsServer(certify("server", "localhost", 2), (...exchange) => answer(...exchange));
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `https://localhost:${(server.address() as AddressInfo).port}/hull-42.release`;
  service = configService(await bundled(folder, 'import "./src/daemons/hub-configd.ts";'));
  await service.start();
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});

interface Signing {
  readonly channel: string;
  readonly version: number;
  readonly project?: string;
  readonly key?: string;
}

const projectText = (name: string, settings: readonly object[] = []): string =>
  JSON.stringify({ uid: name, name, settings });

/** A release, made as the documentation says. */
function signed({ channel, version, project = projectText(`${channel} ${version}`), key = "fleet" }: Signing): Buffer {
  writeFileSync(file("signed"), `Hub-Config: 1\nChannel: ${channel}\nVersion: ${version}\n\n${project}`);
  openssl("pkeyutl", "-sign", "-rawin", "-inkey", `${key}.key`, "-in", "signed", "-out", "signature");
  return Buffer.concat([readFileSync(file("signature")), readFileSync(file("signed"))]);
}

/** Serves a file with a validator; returns the statuses that were answered. */
function serve(bytes: Buffer, etag = `"${bytes.length}-${bytes.readUInt32LE()}"`): number[] {
  const statuses: number[] = [];
  answer = ({ headers }, response) => {
    const isKnown = headers["if-none-match"] === etag;
    statuses.push(isKnown ? 304 : 200);
    response.writeHead(isKnown ? 304 : 200, { etag });
    response.end(isKnown ? undefined : bytes);
  };
  return statuses;
}

const spawnFetch = (channel: string, args: readonly string[]): ChildProcess => {
  mkdirSync(file(channel), { recursive: true });
  const options = { url, channel, "public-key": file("fleet.pem"), ca: file("ca.pem"), api: service.api };
  const given = [...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]), "--state", file(channel)];
  return endsWithTest(spawn(process.execPath, [program, ...given, ...args], { stdio: ["ignore", "ignore", "pipe"] }));
};

/** Runs the program for a channel, with its state in a folder of that name; its exit code, and its log. */
async function fetched(channel: string, ...args: readonly string[]): Promise<readonly [number | null, string]> {
  const child = spawnFetch(channel, args);
  const log = textOf(child.stderr!);
  const [code] = (await once(child, "close")) as [number | null];
  return [code, log()];
}

const deployed = (): string =>
  (JSON.parse(readFileSync(join(service.config, "deploy.json"), "utf8")) as { name: string }).name;
const projects = (channel: string): string[] =>
  readdirSync(join(service.config, "configuration"))
    .filter((name) => name.startsWith(`fetched-${channel}-`))
    .sort();
const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<number> =>
  fetch(`${service.api}/project/${path}`, { method, headers, ...(body !== undefined && { body }) }).then(
    ({ status }) => status,
  );

/** The response of GET /health of a service that has the report of a channel. */
async function health(channel: string): Promise<unknown> {
  const fetchReport = async (): Promise<Uint8Array> => readFileSync(join(folder, channel, "report.json"));
  return (await newApp({ fetchReport }).json("GET", "/health"))[1];
}

/** Fetches what is served: it must not be deployed, and the reason must be in the log and in the health. */
async function expectRefused(channel: string, reason: RegExp, args: readonly string[] = []): Promise<void> {
  const before = deployed();
  const [code, log] = await fetched(channel, ...args);
  expect([code, log]).toEqual([1, expect.stringMatching(/^warn a release is refused code=FETCH_REFUSED .*\n$/)]);
  expect(log).toMatch(reason);
  expect(await health(channel)).toMatchObject({
    status: "ready",
    fetch: { channel, result: "refused", reason: expect.stringMatching(reason) },
  });
  expect(deployed()).toBe(before);
}

async function expectFailed(channel: string, reason: RegExp, args: readonly string[] = []): Promise<void> {
  const [code, log] = await fetched(channel, ...args);
  expect([code, log]).toEqual([75, expect.stringMatching(/^warn the release cannot .* code=FETCH_FAILED .*\n$/)]);
  expect(log).toMatch(reason);
  expect(await health(channel)).toMatchObject({ fetch: { result: "failed", reason: expect.stringMatching(reason) } });
}

test("--cert and --key: a server that knows its boats by their certificates", async () => {
  certify("boat", "boat", 2);
  const asking = { ...certify("asking", "localhost", 2), ca: readFileSync(file("ca.pem")), requestCert: true };
  const other = createTlsServer(asking, (...exchange) => answer(...exchange));
  onTestFinished(() => void other.close());
  await once(other.listen(0, "127.0.0.1"), "listening");
  const at = ["--url", `https://localhost:${(other.address() as AddressInfo).port}/hull-42.release`];
  serve(signed({ channel: "known", version: 1 }));
  await expectFailed("known", /certificate required/, at);
  const [code] = await fetched("known", ...at, "--cert", file("boat.pem"), "--key", file("boat.key"));
  expect([code, deployed()]).toEqual([0, "known 1"]);
});

test("a release is deployed once, and asked for with the validator of the server", async () => {
  const statuses = serve(signed({ channel: "once", version: 7 }));
  const [code, log] = await fetched("once");
  expect([code, log]).toEqual([0, "info configuration deployed project=fetched-once-7\n"]);
  expect(deployed()).toBe("once 7");
  const report = { channel: "once", result: "deployed", version: 7 };
  expect(await health("once")).toEqual({
    status: "ready",
    fetch: { ...report, checkedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
  // The crew's deployment stays until there is another version.
  await send("PUT", "by-the-crew");
  await send("PUT", "by-the-crew/deploy");
  expect(await fetched("once")).toEqual([0, ""]);
  expect(statuses).toEqual([200, 304]);
  expect(deployed()).toBe("by-the-crew");
  expect(await health("once")).toMatchObject({ fetch: { ...report, result: "unchanged" } });
  // Another address may have the same validator for another file.
  expect(await fetched("once", "--url", `${url}?other`)).toEqual([0, ""]);
  expect(statuses).toEqual([200, 304, 200]);
  // The server forgets its validators, as after its own restart.
  serve(signed({ channel: "once", version: 7 }), '"other"');
  expect(await fetched("once")).toEqual([0, ""]);
  expect(deployed()).toBe("by-the-crew");
  serve(signed({ channel: "once", version: 8 }));
  await fetched("once");
  expect(deployed()).toBe("once 8");
});

test("a boat that comes back to a channel gets the release of that channel again, once", async () => {
  const run = (channel: string, version: number): Promise<readonly [number | null, string]> => {
    serve(signed({ channel, version }));
    return fetched(channel, "--state", file("hull"));
  };
  mkdirSync(file("hull"), { recursive: true });
  for (const channel of ["hull", "type", "hull", "type"]) {
    const version = channel === "hull" ? 7 : 3;
    expect((await run(channel, version))[0]).toBe(0);
    expect(deployed()).toBe(`${channel} ${version}`);
  }
  expect((await run("type", 4))[0]).toBe(0);
  // A run that could not start has not come back.
  expect((await fetched("hull", "--state", file("hull"), "--public-key", file("fleet.key")))[0]).toBe(1);
  expect((await run("hull", 7))[0]).toBe(0);
  expect(deployed()).toBe("hull 7");
  // While the releases of a channel cannot be had, none of it is deployed.
  for (let count = 0; count < 2; count++) {
    answer = (_, response) => void response.writeHead(500).end();
    expect((await fetched("type", "--state", file("hull")))[0]).toBe(75);
    expect(await health("hull")).toMatchObject({ fetch: { channel: "type", result: "failed" } });
    expect(await health("hull")).not.toHaveProperty("fetch.version");
  }
  expect((await run("type", 4))[0]).toBe(0);
  await send("PUT", "by-the-crew");
  await send("PUT", "by-the-crew/deploy");
  expect((await run("type", 4))[0]).toBe(0);
  expect(deployed()).toBe("by-the-crew");
  // What the crew has made of the release is not overwritten.
  expect(await send("PUT", "fetched-hull-7/sensor/bilge", "{}")).toBe(201);
  expect(await run("hull", 7)).toEqual([1, expect.stringMatching(/there is a project fetched-hull-7 already/)]);
  expect((await run("hull", 8))[0]).toBe(0);
  expect(deployed()).toBe("hull 8");
});

test("nothing is deployed that is not signed as it is for this boat, and newer", async () => {
  const channel = "hull-42";
  serve(signed({ channel, version: 7 }));
  await fetched(channel);
  const release = signed({ channel, version: 8 });

  serve(signed({ channel, version: 8, key: "stranger" }));
  await expectRefused(channel, /the signature is wrong: signed by another key, changed, or not whole/);
  serve(signed({ channel: "hull-43", version: 8 }));
  await expectRefused(channel, /it is for the channel hull-43, not for hull-42/);
  serve(signed({ channel, version: 6 }));
  await expectRefused(channel, /version 6 is older than 7, which was here before/);
  serve(signed({ channel, version: 7, project: projectText("another") }));
  await expectRefused(channel, /version 7 had another content before/);
  for (const [index, project] of ["{", '{"settings": 1}'].entries()) {
    serve(signed({ channel: "invalid", version: index + 1, project }));
    await expectRefused("invalid", /hub-configd refuses it: 400 /);
    expect(await health("invalid")).not.toHaveProperty("fetch.version");
  }

  // A refusal does not keep the next release out, nor does a key that is to be replaced.
  writeFileSync(file("both.pem"), `${readFileSync(file("stranger.pem"))}${readFileSync(file("fleet.pem"))}`);
  serve(release);
  expect((await fetched(channel, "--public-key", file("both.pem")))[0]).toBe(0);
  expect(deployed()).toBe("hull-42 8");
});

// What else a server may do is in test/adapters/node/http/download.test.ts.
test("a server that is not the right one, breaks off, or sends too much changes nothing", async () => {
  const channel = "server";
  const release = signed({ channel, version: 1 });
  serve(release);
  await expectFailed(channel, /the server is away: unable to verify/, ["--ca", file("server.pem")]);
  for (const [name, host, days, reason] of [
    ["expired", "localhost", -1, /certificate has expired/],
    ["other", "other.example", 2, /does not match certificate's altnames/],
  ] as const) {
    server.setSecureContext(certify(name, host, days));
    await expectFailed(channel, reason);
  }
  // Node's error has all names of the certificate.
  const others = Array.from({ length: 100 }, (_, index) => `,DNS:boat-${index}.fleet.example`);
  server.setSecureContext(certify("names", "other.example", 2, others.join("")));
  await expectFailed(channel, /does not match certificate's altnames.*boat-5\.fleet/);
  expect(readFileSync(file(`${channel}/report.json`), "utf8").length).toBeLessThan(1000);
  server.setSecureContext(certify("again", "localhost", 2));

  answer = (_, response) => {
    response.writeHead(200, { "content-length": release.length });
    response.write(release.subarray(0, 100), () => response.destroy());
  };
  await expectFailed(channel, /the server is away: aborted/);
  answer = (_, response) => response.writeHead(200, { "content-length": 2 ** 30 }).flushHeaders();
  await expectRefused(channel, /the file is too large: 1073741824 bytes or more, 52428800 at most/);
  await expectFailed(channel, /ECONNREFUSED/, ["--url", "https://localhost:1/x"]);
  expect(projects(channel)).toEqual([]);
  serve(release);
  expect((await fetched(channel))[0]).toBe(0);
});

test("while hub-configd is away a release waits", async () => {
  serve(signed({ channel: "away", version: 1 }));
  await service.stop();
  await expectFailed("away", /hub-configd is away: .*ECONNREFUSED/);
  await service.start();
  expect((await fetched("away"))[0]).toBe(0);
  expect(deployed()).toBe("away 1");
});

test("no project of the crew is overwritten or removed, and the version before stays", async () => {
  const channel = "crew";
  const release = async (version: number, project?: string): Promise<number | null> => {
    serve(signed({ channel, version, ...(project !== undefined && { project }) }));
    return (await fetched(channel))[0];
  };
  await send("PUT", "fetched-crew-3");
  for (const version of [1, 2]) expect(await release(version)).toBe(0);
  serve(signed({ channel, version: 3 }));
  await expectRefused(channel, /there is a project fetched-crew-3 already, which was not fetched/);
  expect(projects(channel)).toEqual(["fetched-crew-1.json", "fetched-crew-2.json", "fetched-crew-3.json"]);
  // The oldest goes, but neither one that was edited nor one that has got a password.
  expect(await release(4)).toBe(0);
  expect(projects(channel)).toEqual(["fetched-crew-2.json", "fetched-crew-3.json", "fetched-crew-4.json"]);
  expect(await send("PUT", "fetched-crew-2/sensor/bilge", "{}")).toBe(201);
  expect(await send("PUT", "fetched-crew-4/settings/password", JSON.stringify({ hash: secretHash }))).toBe(201);
  // A project with a password of the fleet's own.
  const settings = [{ name: "password", hash: secretHash }];
  expect(await release(5, projectText("protected", settings))).toBe(0);
  expect(deployed()).toBe("protected");
  expect(await send("GET", "fetched-crew-5/backup")).toBe(401);
  for (const version of [6, 7]) expect(await release(version)).toBe(0);
  expect(projects(channel)).toEqual([2, 3, 4, 6, 7].map((version) => `fetched-crew-${version}.json`));
  expect(await send("GET", "fetched-crew-4/backup", undefined, withSecret)).toBe(200);
});

test("an old project that cannot be removed does not deploy the new one again and again", async () => {
  const channel = "stuck";
  for (const version of [1, 2]) {
    serve(signed({ channel, version }));
    await fetched(channel);
  }
  const oldest = join(service.config, "configuration/fetched-stuck-1.json");
  const first = readFileSync(oldest);
  writeFileSync(oldest, "{");
  serve(signed({ channel, version: 3 }));
  const [code, log] = await fetched(channel);
  expect([code, deployed()]).toEqual([0, "stuck 3"]);
  expect(log).toMatch(/^warn an old project .* code=PROJECT_NOT_REMOVED project=fetched-stuck-1 reason=.* 500 /m);
  // The crew's deployment stays.
  await send("PUT", "fetched-stuck-2/deploy");
  expect(await fetched(channel)).toEqual([0, ""]);
  expect(deployed()).toBe("stuck 2");
  // The next release tries again.
  writeFileSync(oldest, first);
  serve(signed({ channel, version: 4 }));
  await fetched(channel);
  expect(projects(channel)).toEqual(["fetched-stuck-3.json", "fetched-stuck-4.json"]);
});

/** A proxy in front of hub-configd that calls back before and after it passes on each request. */
async function proxy(onStep: (step: string) => boolean | Promise<boolean>): Promise<string> {
  const between = createServer(async (incoming, outgoing) => {
    const action = /[a-z]*$/.exec(incoming.url!)![0];
    const name = `${incoming.method} ${action}`.trim();
    if (await onStep(`before ${name}`)) {
      outgoing.destroy();
      return;
    }
    const { method, headers, url: path } = incoming;
    const passed = request(`${service.api}${path}`, { method: method!, headers });
    incoming.pipe(passed);
    const [answered] = (await once(passed, "response")) as [IncomingMessage];
    if (await onStep(`after ${name}`)) outgoing.destroy();
    else answered.pipe(outgoing.writeHead(answered.statusCode!));
  });
  await once(between.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void between.close());
  return `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
}

test("--timeout is for the server alone: hub-configd may take longer", async () => {
  serve(signed({ channel: "patient", version: 1 }));
  const api = await proxy(async (step) => {
    if (step === "before PUT deploy") await new Promise((resolve) => setTimeout(resolve, 1500));
    return false;
  });
  expect((await fetched("patient", "--timeout", "1", "--api", api))[0]).toBe(0);
  expect(deployed()).toBe("patient 1");
});

/**
 * The steps after which something has changed: the release is accepted, stored, deployed; the oldest project is
 * removed.
 */
const fatalSteps = ["before PUT restore", "after PUT restore", "after PUT deploy", "after DELETE"];

test("killed between two steps, the boat has the version before or the new one, and the next run goes on", async () => {
  const channel = "killed";
  let child: ChildProcess | undefined;
  let fatal: string | undefined;
  const api = await proxy((step) => step === fatal && child!.kill("SIGKILL"));
  for (const version of [1, 2]) {
    serve(signed({ channel, version }));
    expect((await fetched(channel))[0]).toBe(0);
  }
  for (const [index, step] of fatalSteps.entries()) {
    fatal = step;
    const version = index + 3;
    serve(signed({ channel, version }));
    child = spawnFetch(channel, ["--api", api]);
    expect(await once(child, "exit"), step).toEqual([null, "SIGKILL"]);
    expect(deployed(), step).toBe(`killed ${index < 2 ? version - 1 : version}`);
    // The file of a program that was killed while it wrote it.
    writeFileSync(join(file(channel), ".000000abcdef0000.tmp"), "{");
    // Whatever was done, an older one is not taken.
    serve(signed({ channel, version: version - 2 }));
    await expectRefused(channel, /is older than/);
    serve(signed({ channel, version }));
    expect((await fetched(channel))[0], step).toBe(0);
    expect(deployed(), step).toBe(`killed ${version}`);
    expect(projects(channel), step).toEqual([version - 1, version].map((kept) => `fetched-killed-${kept}.json`));
    expect(readdirSync(file(channel)).sort(), step).toEqual(["report.json", "state-killed.json"]);
  }
});

test("without its state or its keys it deploys nothing, and says which file is at fault", async () => {
  serve(signed({ channel: "files", version: 2 }));
  await fetched("files");
  const state = file("files/state-files.json");
  for (const content of ["", "{}", readFileSync(state, "utf8").replace('"version": 2', '"version": "2"')]) {
    writeFileSync(state, content);
    serve(signed({ channel: "files", version: 1 }));
    await expectRefused("files", /state-files\.json: not the state of hub-config-fetch/);
  }
  // The remedy that the documentation names, and a purge: without the file the release that is here counts as fetched.
  rmSync(state);
  serve(signed({ channel: "files", version: 2 }));
  expect((await fetched("files"))[0]).toBe(0);
  expect(deployed()).toBe("files 2");
  const reason = /fleet\.key: has no public key in PEM/;
  const [code, log] = await fetched("keys", "--public-key", file("fleet.key"));
  expect([code, log]).toEqual([1, expect.stringMatching(/^error .* code=START_FAILED\n$/)]);
  expect(log).toMatch(reason);
  expect(await health("keys")).toMatchObject({ fetch: { result: "failed", reason: expect.stringMatching(reason) } });
  expect(deployed()).toBe("files 2");
});
