/**
 * New versions of hub on a card: looks for one in the owner's repository, installs it, and takes the former one again when
 * it is asked to, when the display does not come up, and when the power was cut meanwhile. All packages lie in a folder,
 * those of before too, so that the way back needs no network. Only hub's packages change.
 */
import type { UpdateReport, UpdateRequest } from "../../src/core/report/update.ts";

/** The computer as an update uses it; times are milliseconds of a monotonic clock. */
export interface Machine {
  run(command: string, ...args: readonly string[]): { readonly isDone: boolean; readonly output: string };
  /** The text of a page of the boat's site; undefined if it is not there. */
  page(path: string): Promise<string | undefined>;
  wait(ms: number): Promise<void>;
  monotonic(): number;
  wall(): Date;
  /** The text of a file below /var/lib/hub-update; undefined if there is none. */
  read(name: string): string | undefined;
  /** Writes such a file, so that a power cut leaves the former or the new one; without a text, removes it. */
  write(name: string, text?: string): void;
  /** Paths of the packages at hand. */
  packages(): readonly string[];
  /** Removes a package that was downloaded. */
  remove(path: string): void;
  log(sentence: string): void;
}

/** Versions by the names of packages. */
type Versions = Readonly<Record<string, string>>;

/** A change that has begun and is not known to be good, as its file has it. */
interface Trial {
  readonly from: Versions;
  /** Services that ran before. */
  readonly services: readonly string[];
}

/** Where apt has its files; the lists of Debian's archive stay as they are. */
export const FOLDER = "/var/lib/hub-update";
export const PACKAGES = `${FOLDER}/packages`;
const SOURCES = "/etc/apt/sources.list.d/hub.sources";
const PLACES = [
  ...["-o", `Dir::Etc::sourcelist=${SOURCES}`, "-o", "Dir::Etc::sourceparts=-"],
  ...["-o", `Dir::State::lists=${FOLDER}/lists`, "-o", `Dir::Cache::archives=${PACKAGES}`],
];
const APT = [
  ...["-q", "-y", ...PLACES, "-o", "APT::Keep-Downloaded-Packages=true", "-o", "APT::Install-Recommends=false"],
  ...["-o", "Dpkg::Options::=--force-confold", "-o", "DPkg::Lock::Timeout=300"],
];
/** Without a repository apt takes the files that it is given, also where the repository has the same version. */
const FILES_ALONE = ["-o", "Dir::Etc::sourcelist=/dev/null", "--allow-downgrades"];
/** All versions are those of this package, which has the changelog too. */
const LEADER = "hub-config";

/** Time in which the display has to come up, and to stay for three looks. */
export const UP_MS = 300_000;
const LOOK_MS = 10_000;
const LOOKS = 3;
const MOST_NEWS = 200;

class Failure extends Error {}

/** The first sentence of apt, which has the cause, or else the first line. */
function reasonIn(output: string): string {
  const lines = output.trim().split("\n");
  return (lines.find((line) => line.startsWith("E:")) ?? lines[0] ?? "").slice(0, 300);
}

/** The output of a command, whose failure is told by a line of it. */
function must(machine: Machine, command: string, ...args: readonly string[]): string {
  const { isDone, output } = machine.run(command, ...args);
  if (!isDone) throw new Failure(reasonIn(output) || `${command} fails`);
  return output;
}

/** A format of dpkg-query, with its own placeholders. */
const FORMAT = ["db:Status-Want", "source:Package", "Package", "Version"].map((name) => `\${${name}}`).join(" ");

const installedVersions = (machine: Machine): Versions =>
  Object.fromEntries(
    must(machine, "dpkg-query", "-W", "-f", `${FORMAT}\n`, "hub-*")
      .split("\n")
      .map((line) => line.split(" "))
      .filter(([want, source]) => want === "install" && source === "hub")
      .map(([, , name, version]) => [name!, version!]),
  );

/** The file of a package, in which apt writes a colon as %3a. */
const fileOf = (machine: Machine, name: string, version: string): string | undefined =>
  machine
    .packages()
    .find((path) => path.slice(path.lastIndexOf("/") + 1).startsWith(`${name}_${version.replace(":", "%3a")}_`));

/** The files of packages; a failure if one is not at hand. */
function filesOf(machine: Machine, versions: Versions): string[] {
  return Object.entries(versions).map(([name, version]) => {
    const file = fileOf(machine, name, version);
    if (file === undefined) throw new Failure(`the package ${name} ${version} is not at hand`);
    return file;
  });
}

const isNewer = (machine: Machine, one: string, other: string): boolean =>
  machine.run("dpkg", "--compare-versions", one, "gt", other).isDone;

/** The entries of a changelog of Debian above a version. */
export function newsOf(changelog: string, installed: string): string[] {
  const news: string[] = [];
  for (const line of changelog.split("\n")) {
    const [, version] = /^hub \((\S+)\)/.exec(line) ?? [];
    // A version of a day (1.3.0~2026…) is above the release that it leads to, whose section it has.
    if (version !== undefined && version.split("~")[0] === installed.split("~")[0]) break;
    const [, entry] = /^ {2}(?:\* (.*)|\[ .* \])$/.exec(line) ?? [];
    if (entry !== undefined) news.push(entry);
    else if (/^ {4}\S/.test(line) && news.length > 0) news[news.length - 1] += ` ${line.trim()}`;
    if (news.length > MOST_NEWS) return news.slice(0, MOST_NEWS);
  }
  return news;
}

/** Services of hub, and those that it needs, which run. */
const runningServices = (machine: Machine): readonly string[] =>
  must(
    ...([machine, "systemctl", "list-units", "--type=service", "--state=running", "--plain", "--no-legend"] as const),
    ...["hub-*", "mosquitto.service", "nginx.service"],
  )
    .split("\n")
    .map((line) => line.trim().split(" ")[0]!)
    .filter((name) => name !== "" && !name.startsWith("hub-card") && !name.startsWith("hub-update"));

/** How often services have been started again, while all that a display needs is there; else what is not. */
async function look(machine: Machine, services: readonly string[]): Promise<{ starts: string } | string> {
  for (const service of services)
    if (!machine.run("systemctl", "is-active", "--quiet", service).isDone) return `${service} does not run`;
  const display = await machine.page("/display/");
  const script = /<script[^>]* src="([^"]+)"/.exec(display ?? "")?.[1];
  if (script === undefined || (await machine.page(`/display/${script}`)) === undefined)
    return "the site has no display";
  if (!(await machine.page("/api/config/health"))?.includes('"ready"')) return "hub-configd does not answer";
  return { starts: machine.run("systemctl", "show", "-P", "NRestarts", ...services).output };
}

/** Waits until the display is up and stays; the reason if it does not. */
async function comesUp(machine: Machine, services: readonly string[]): Promise<string | undefined> {
  let good = 0;
  let before = "";
  for (const end = machine.monotonic() + UP_MS; ; await machine.wait(LOOK_MS)) {
    const seen = await look(machine, services);
    if (typeof seen === "string") good = 0;
    else {
      good = seen.starts === before ? good + 1 : 1;
      before = seen.starts;
    }
    if (good >= LOOKS) return undefined;
    if (machine.monotonic() >= end) return typeof seen === "string" ? seen : "services start again and again";
  }
}

/** The kernel refuses a change of an overlay with its other options, which mount would pass on. */
const REMOUNT = ["--options-source", "disable", "-o"];

/** Runs a change of /usr, which is read-only otherwise. */
function changeUsr(machine: Machine, change: () => void): void {
  const isReadOnly = machine.run("findmnt", "-n", "-O", "ro", "/usr").isDone;
  if (isReadOnly) must(machine, "mount", ...REMOUNT, "remount,rw", "/usr");
  try {
    change();
  } finally {
    machine.run("sync");
    // Programs that still run may hold files of the former version; the next start has it read-only again.
    if (isReadOnly && !machine.run("mount", ...REMOUNT, "remount,ro", "/usr").isDone)
      machine.log("/usr stays writable until the next start");
  }
}

/** The parts of hub-cand's reports by which the night is fit for an update. */
export interface Night {
  readonly alarms?: { readonly alarms: readonly unknown[]; readonly rest?: string };
  readonly navigation?: { readonly position?: unknown };
}

/**
 * Whether an update may stop the display and the alarms for a minute: the boat lies at a berth or has lain still, and
 * nothing rings; at anchor it may not. A boat without a position never reports that it lies.
 */
export function isQuiet({ alarms, navigation }: Night): boolean {
  if ((alarms?.alarms.length ?? 0) > 0) return false;
  const hasPosition = (navigation?.position ?? null) !== null;
  const { rest } = alarms ?? {};
  return rest === undefined ? !hasPosition : rest !== "anchor";
}

type Change = { readonly [Name in keyof UpdateReport]?: UpdateReport[Name] | undefined };

/** A report with a change; undefined removes a member. */
const changed = (report: Partial<UpdateReport>, change: Change): UpdateReport =>
  Object.fromEntries(
    Object.entries({ ...report, ...change }).filter(([, value]) => value !== undefined),
  ) as unknown as UpdateReport;

function parsed<Value>(text: string | undefined): Value | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

/** `tonight` is an installation by the timer: it leaves out a version that had to be taken back. */
export type CardRequest = UpdateRequest | "tonight";

export interface Updates {
  /** Ends what a power cut has interrupted, by the way back, and says how things are. */
  settle(): Promise<void>;
  serve(request: CardRequest): Promise<void>;
}

export function openUpdates(machine: Machine): Updates {
  let report = parsed<UpdateReport>(machine.read("report.json")) ?? ({} as Partial<UpdateReport>);
  const say = (change: Change): void => {
    report = changed(report, change);
    const text = `${JSON.stringify(report)}\n`;
    try {
      machine.write("report.json", text);
    } catch {
      // A full disk has no place but that of the former report, and the way back does not wait for one.
      try {
        machine.write("report.json");
        machine.write("report.json", text);
      } catch (error) {
        machine.log(`the report is not written: ${(error as Error).message}`);
      }
    }
  };
  const end = (result: UpdateReport["result"], reason?: string): void => {
    if (reason !== undefined) machine.log(`${result}: ${reason}`);
    say({ phase: "idle", ...facts(), result, reason, at: machine.wall().toISOString() });
  };

  /** The versions that are installed and at hand, for the report. */
  function facts(): Change {
    const now = installedVersions(machine);
    const installed = now[LEADER] ?? "";
    const former = parsed<Versions>(machine.read("before.json"));
    const isThere =
      former?.[LEADER] !== installed && Object.entries(former ?? {}).every((each) => fileOf(machine, ...each));
    const { available, news } = report;
    const isOld = available === undefined || !isNewer(machine, available, installed);
    return {
      installed,
      before: isThere ? former?.[LEADER] : undefined,
      available: isOld ? undefined : available,
      news: isOld ? undefined : news,
      isNightly: machine.read("nightly") !== undefined,
    };
  }

  /** The newer packages of the repository, which are at hand then; undefined: there are none. */
  function newer(): Versions | undefined {
    const now = installedVersions(machine);
    if (!machine.run("test", "-s", SOURCES).isDone) throw new Failure("this card was made without a repository of hub");
    must(machine, "apt-get", ...APT, "--error-on=any", "update");
    const candidates = Object.keys(now).flatMap((name) => {
      const output = must(machine, "apt-cache", ...PLACES, "policy", name);
      const version = /^ {2}Candidate: (\S+)$/m.exec(output)?.[1];
      return version !== undefined && isNewer(machine, version, now[name]!) ? [[name, version] as const] : [];
    });
    if (!candidates.some(([name]) => name === LEADER)) return undefined;
    const wanted = Object.fromEntries(candidates);
    must(machine, "apt-get", ...APT, "--download-only", "install", ...candidates.map((each) => each.join("=")));
    return wanted;
  }

  function check(): Versions | undefined {
    say({ phase: "checking" });
    const wanted = newer();
    if (wanted === undefined) return undefined;
    const [file] = filesOf(machine, { [LEADER]: wanted[LEADER]! });
    const changelog = must(
      machine,
      "sh",
      "-c",
      `dpkg-deb --fsys-tarfile "$0" | tar -xO ./usr/share/doc/${LEADER}/changelog.gz | gunzip`,
      file!,
    );
    say({ available: wanted[LEADER], news: newsOf(changelog, report.installed ?? "") });
    return wanted;
  }

  /** Takes the versions of before the trial again, however far the change has come. */
  async function goBack({ from, services }: Trial, reason: string): Promise<void> {
    say({ phase: "returning" });
    changeUsr(machine, () => {
      // dpkg alone goes on where it was interrupted.
      machine.run("dpkg", "--force-confold", "-i", ...filesOf(machine, from));
      must(machine, "dpkg", "--force-confold", "--configure", "-a");
    });
    machine.run("systemctl", "start", ...services);
    machine.write("trial.json");
    const problem = await comesUp(machine, services);
    end("returned", problem === undefined ? reason : `${reason}; with the version of before ${problem}`);
  }

  /** Installs versions whose packages are at hand, and goes back if the display does not come up. */
  async function change(to: Versions): Promise<void> {
    const now = installedVersions(machine);
    const from = Object.fromEntries(Object.keys(to).map((name) => [name, now[name]!]));
    const missing = Object.entries(from).filter((each) => fileOf(machine, ...each) === undefined);
    if (missing.length > 0)
      must(
        machine,
        "apt-get",
        ...APT,
        "--download-only",
        "--reinstall",
        "install",
        ...missing.map((each) => each.join("=")),
      );
    filesOf(machine, from);
    const trial: Trial = { from, services: runningServices(machine) };
    machine.write("trial.json", JSON.stringify(trial));
    say({ phase: "installing" });
    try {
      changeUsr(machine, () => {
        must(machine, "apt-get", ...APT, ...FILES_ALONE, "install", ...filesOf(machine, to));
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return goBack(trial, error.message);
    }
    say({ phase: "watching" });
    const problem = await comesUp(machine, trial.services);
    if (problem !== undefined) {
      machine.write("refused", to[LEADER]);
      return goBack(trial, problem);
    }
    machine.write("before.json", JSON.stringify(from));
    machine.write("trial.json");
    const kept = new Set([...filesOf(machine, from), ...filesOf(machine, to)]);
    for (const path of machine.packages()) if (path.startsWith(PACKAGES) && !kept.has(path)) machine.remove(path);
    end("installed");
  }

  async function install(wanted: Versions | undefined): Promise<void> {
    await (wanted === undefined ? end("unchanged") : change(wanted));
  }

  const requests: Readonly<Record<CardRequest, () => void | Promise<void>>> = {
    check: () => end(check() === undefined ? "unchanged" : "found"),
    install: () => install(check()),
    tonight: async () => {
      const wanted = check();
      if (wanted !== undefined && wanted[LEADER] === machine.read("refused")) end("found");
      else await install(wanted);
    },
    back: async () => {
      const former = parsed<Versions>(machine.read("before.json"));
      if (former === undefined) throw new Failure("no packages of before are kept");
      await change(former);
    },
    nightly: () => {
      machine.write("nightly", "");
      say(facts());
    },
    asked: () => {
      machine.write("nightly");
      say(facts());
    },
  };

  async function orFailed(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      end("failed", (error as Error).message);
    }
  }

  return {
    settle: () =>
      orFailed(async () => {
        const trial = parsed<Trial>(machine.read("trial.json"));
        if (trial !== undefined) await goBack(trial, "the power was cut meanwhile");
        else say({ phase: "idle", ...facts() });
      }),
    // A trial whose way back has failed is tried again at the next start, and nothing else until then.
    serve: (request) =>
      orFailed(async () => (machine.read("trial.json") === undefined ? requests[request]() : undefined)),
  };
}
