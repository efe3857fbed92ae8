/**
 * hub-card, the program of the card: `apply` makes of hub.txt the files of this computer, `page` serves the page that asks
 * for the settings, and `take` writes what the page was told to hub.txt. `update` does what hub-configd has asked for, and
 * `night` asks for an update. Failures are said in hub-said.txt and do not stop the start of anything else.
 */
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { updateRequests } from "../../src/core/report/update.ts";
import { askingSettings, filesOf } from "./card-files.ts";
import { type Key, keys, LARGEST_HUB_TXT, type Places, readCard, readHubTxt, writeHubTxt } from "./hub-txt.ts";
import { askingPage, saidPage, takenPage } from "./page.ts";
import { type CardRequest, FOLDER, isQuiet, type Machine, type Night, openUpdates, PACKAGES } from "./update.ts";

const BOOT = "/boot/firmware";
const HUB_TXT = `${BOOT}/hub.txt`;
const SAID = `${BOOT}/hub-said.txt`;
/** The settings with their explanations and without values, as the card came. */
const TEMPLATE = "/usr/lib/hub-card/hub.txt";
/** Exists while the card asks, with a sentence if an answer could not be written. */
const ASKS = "/run/hub-card/asks";
/** The text of hub-said.txt, which the page shows once the card has been set up. */
const SAID_COPY = "/run/hub-card/said";
const ANSWER = "/run/hub-card-page/hub.txt";
const PAGE_PORT = 8402;

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

const ZONES = "/usr/share/zoneinfo";

const places: Places = {
  // There are folders and lists beside the zones.
  isZone: (name) => textOf(join(ZONES, name))?.startsWith("TZif") ?? false,
  isCountry: (letters) => textOf(join(ZONES, "iso3166.tab"))?.includes(`\n${letters}\t`) ?? true,
};

/** Runs a command; returns whether it succeeded. */
const run = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;

/** A power cut leaves the old file or the new one. */
function writeWhole(path: string, content: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(`${path}.new`, content, { mode, flush: true });
    renameSync(`${path}.new`, path);
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    throw error;
  }
}

/** Writes to the FAT partition, which is read-only otherwise. */
function onCard(write: () => void): void {
  if (!run("mount", "-o", "remount,rw", BOOT)) throw new Error("the FAT partition of the card cannot be written");
  try {
    write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    throw new Error("the drive HUB of the card is full; delete what is not of hub");
  } finally {
    run("sync", "-f", BOOT);
    run("mount", "-o", "remount,ro", BOOT);
  }
}

/** Four characters that tell this computer from its neighbours: the end of the address of its first interface. */
function serialNumber(): string {
  const [address = "00:00:00:00:00:00"] = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal }) => !internal)
    .map(({ mac }) => mac);
  const own = textOf("/sys/class/net/wlan0/address") ?? textOf("/sys/class/net/eth0/address") ?? address;
  return own.trim().replaceAll(":", "").slice(-4).toUpperCase();
}

/** Writes a file whose text has changed, and removes one that is not wanted; returns whether it did. */
function settle(path: string, content: string | undefined, mode: number): boolean {
  if (textOf(path) === content) return false;
  const write = (): void => (content === undefined ? rmSync(path) : writeWhole(path, content, mode));
  if (path.startsWith(`${BOOT}/`)) onCard(write);
  else write();
  return true;
}

const forWindows = (content: string): string => content.replaceAll(/\r?\n/g, "\r\n");

/** A file of the FAT partition; throws if it is there and cannot be read. */
function bytesOnCard(name: string): Uint8Array | undefined {
  try {
    return readFileSync(join(BOOT, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function setZone(zone: string): void {
  const target = join(ZONES, zone);
  try {
    if (readlinkSync("/etc/localtime") === target) return;
  } catch {
    // There is none yet.
  }
  rmSync("/etc/localtime.new", { force: true });
  symlinkSync(target, "/etc/localtime.new");
  renameSync("/etc/localtime.new", "/etc/localtime");
}

function apply(): void {
  const faults: string[] = [];
  const attempt = (what: string, action: () => void): void => {
    try {
      action();
    } catch (error) {
      faults.push(`${what}: ${(error as Error).message}.`);
    }
  };
  let isThere = (textOf("/proc/self/mounts") ?? "").includes(` ${BOOT} `);
  let reading = readHubTxt("", places);
  try {
    if (isThere) reading = readCard(bytesOnCard, places);
  } catch {
    isThere = false;
  }
  const { settings, isWritten } = reading;
  faults.push(...reading.faults);
  const damaged = textOf("/run/hub-card/damaged");
  if (damaged !== undefined) faults.push(damaged.trim());

  if (!isThere) faults.push("The FAT partition of the card cannot be read: the settings of before stay.");
  else if (!existsSync(HUB_TXT)) attempt("hub.txt", () => void settle(HUB_TXT, forWindows(textOf(TEMPLATE)!), 0o755));
  let isHatNew = false;
  for (const { path, text: content, mode } of isThere
    ? filesOf(isWritten ? settings : askingSettings(serialNumber()), BOOT)
    : [])
    attempt(path, () => {
      if (settle(path, content, mode) && path.endsWith("/hub-hat.txt")) isHatNew = true;
    });
  if (isThere) attempt("time-zone", () => setZone(settings.timeZone ?? "UTC"));
  if (settings.country !== undefined) run("iw", "reg", "set", settings.country);
  if (settings.sshKeys.length > 0) {
    if (!run("ssh-keygen", "-A")) faults.push("ssh-key: the keys of this computer cannot be made.");
    run("systemctl", "--no-block", "start", "ssh.service");
  }

  // By itself, because it may have to wait for the Internet.
  if (settings.screen) run("systemctl", "--no-block", "start", "hub-card-screen.service");

  const head = !isThere
    ? "hub has not read hub.txt."
    : isWritten
      ? "hub has read hub.txt."
      : "hub.txt has no values: the boat's computer opens a Wi-Fi network and asks on the page http://hub.local/card/.";
  const said = (): string =>
    `${head}\n${faults.length === 0 ? "" : `These are wrong; everything else counts:\n${faults.join("\n")}\n`}`;
  if (isThere) attempt("hub-said.txt", () => settle(SAID, forWindows(said()), 0o755));
  writeWhole(SAID_COPY, said(), 0o644);
  if (isWritten || !isThere) rmSync(ASKS, { force: true });
  else writeWhole(ASKS, "", 0o644);
  for (const fault of faults) console.error(fault);
  // The firmware reads the overlays of a HAT before Linux starts. Their file is there now, so this happens once.
  if (isHatNew && existsSync(`${BOOT}/config.txt`)) run("systemctl", "--no-block", "reboot");
}

/** Writes the answer of the page to hub.txt, if the card still asks, and starts the computer again. */
function take(): void {
  const answer = textOf(ANSWER);
  rmSync(ANSWER, { force: true });
  if (answer === undefined || !existsSync(ASKS)) return;
  // Known to be right by the page; read again, because the page runs as another user.
  if (answer.length > LARGEST_HUB_TXT || readHubTxt(answer, places).faults.length > 0) return;
  try {
    onCard(() => writeWhole(HUB_TXT, forWindows(answer), 0o755));
  } catch (error) {
    writeWhole(ASKS, `hub.txt is not written: ${(error as Error).message}.`, 0o644);
    throw error;
  }
  run("systemctl", "--no-block", "reboot");
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function answerTo(request: IncomingMessage): Promise<Answer> {
  const asks = textOf(ASKS);
  if (request.method === "GET" || request.method === "HEAD")
    return {
      status: 200,
      body: asks === undefined ? saidPage(textOf(SAID_COPY) ?? "") : askingPage(asks === "" ? [] : [asks]),
    };
  if (request.method !== "POST") return { status: 405, body: saidPage("This page knows GET and POST.") };
  if (asks === undefined)
    return { status: 403, body: saidPage("This card has been set up. Edit hub.txt on the card.") };
  // A form of another site in the browser of the crew.
  const { origin, host } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, body: saidPage("The form is of another site.") };
  const form = new URLSearchParams(await text(request));
  const values: Partial<Record<Key, string>> = {};
  for (const key of keys) values[key] = form.get(key) ?? "";
  const hubTxt = writeHubTxt(readFileSync(TEMPLATE, "utf8"), values);
  const { faults, isWritten } = readHubTxt(hubTxt, places);
  // The number of a line says nothing to whom fills in a form.
  const sentences = faults.map((each) => each.replace(/^Line \d+: /, ""));
  if (!isWritten) sentences.push("Nothing is filled in.");
  if (sentences.length > 0) return { status: 422, body: askingPage(sentences, values) };
  writeWhole(ANSWER, hubTxt, 0o600);
  return { status: 200, body: takenPage() };
}

function page(): void {
  const server = createServer((request, response) => {
    answerTo(request).then(
      ({ status, body }) => {
        response.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
        response.end(request.method === "HEAD" ? undefined : body);
      },
      (error: Error) => {
        console.error(error.message);
        response.writeHead(500).end();
      },
    );
  });
  server.requestTimeout = 10_000;
  server.listen(PAGE_PORT, "127.0.0.1");
}

/** The packages of hub that the card came with. */
const CARD_PACKAGES = "/usr/lib/hub-card/packages";
const UPDATE_REQUESTS = "/run/hub-update";
const cardRequests: readonly CardRequest[] = [...updateRequests, "tonight"];
const PAGE_MS = 20_000;

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
};

/** After it the names of a folder are on the medium. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const computer: Machine = {
  run(command, ...args) {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      encoding: "utf8",
      maxBuffer: 1 << 26,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" },
    });
    const isDone = status === 0;
    return { isDone, output: isDone ? stdout : (error?.message ?? `${stdout}\n${stderr}`) };
  },
  async page(path) {
    try {
      const response = await fetch(`http://127.0.0.1${path}`, { signal: AbortSignal.timeout(PAGE_MS) });
      const content = await response.text();
      return response.ok ? content : undefined;
    } catch {
      return undefined;
    }
  },
  wait: (ms) => delay(ms),
  monotonic: () => performance.now(),
  wall: () => new Date(),
  read: (name) => textOf(join(FOLDER, name)),
  write(name, content) {
    const path = join(FOLDER, name);
    if (content === undefined) rmSync(path, { force: true });
    else writeWhole(path, content, 0o644);
    syncFolder(FOLDER);
  },
  packages: () => [...filesIn(PACKAGES), ...filesIn(CARD_PACKAGES)].filter((path) => path.endsWith(".deb")),
  remove: (path) => rmSync(path, { force: true }),
  log: (sentence) => console.error(sentence),
};

/** Does what is asked for, one request after the other; at a start there may be none. */
async function update(): Promise<void> {
  mkdirSync(join(PACKAGES, "partial"), { recursive: true });
  mkdirSync(join(FOLDER, "lists/partial"), { recursive: true });
  const updates = openUpdates(computer);
  await updates.settle();
  for (;;) {
    const [path] = filesIn(UPDATE_REQUESTS);
    if (path === undefined) return;
    // Only its name counts, and it is removed without a look: its folder is another user's.
    unlinkSync(path);
    const request = cardRequests.find((each) => path === join(UPDATE_REQUESTS, each));
    if (request !== undefined) await updates.serve(request);
  }
}

/** Asks for an update, if that is to be done at night and the boat lies quietly. */
function night(): void {
  if (computer.read("nightly") === undefined) return;
  const report = (topic: string): unknown => {
    const { isDone, output } = computer.run("mosquitto_sub", "-t", `can/can0/${topic}`, "-C", "1", "-W", "40");
    return isDone ? (JSON.parse(output) as { readonly data: unknown }).data : undefined;
  };
  const reports = { alarms: report("alarms"), navigation: report("navigation") } as Night;
  if (isQuiet(reports)) writeFileSync(join(UPDATE_REQUESTS, "tonight" satisfies CardRequest), "", { flag: "wx" });
  else console.error("no update this night: the boat does not lie quietly");
}

const commands: Readonly<Record<string, () => void | Promise<void>>> = { apply, take, page, update, night };
const command = commands[process.argv[2] ?? ""];
if (command === undefined) {
  console.error(`usage: hub-card.mjs ${Object.keys(commands).join(" | ")}`);
  process.exitCode = 64;
} else await command();
