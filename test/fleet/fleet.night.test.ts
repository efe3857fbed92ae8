/**
 * A fleet as docs/fleet.md sets it up, with the files of packaging/fleet as they are packaged: three nodes, boats with
 * hub-cand, Mosquitto and its bridge, and a program that reads all. HUB_FLEET_BOATS boats, 4 without.
 *
 * A second represents a minute: the boats send the lane of one second in place of that of sixty.
 */
import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { natsRoot } from "../packaging/roots.ts";
import { executablePath, openBrowser } from "../support/browser.ts";
import { hubCand, textOf } from "../support/hub-cand.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Computer, type Network, openNetwork } from "./network.ts";

const BOATS = Number(process.env.HUB_FLEET_BOATS ?? 4);

/** The boat whose queue is short. */
const FORGETFUL = "hull-3";

const packaged = resolve("packaging/fleet");
const examples = resolve("packaging/examples");

/** Lines of a program's output as they come. */
function linesOf(program: ChildProcess, hear: (line: string) => void): void {
  let rest = "";
  program.stdout!.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) hear(line);
  });
}

async function until(holds: () => boolean, what: string, seconds = 120): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !holds(); ) {
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Kept where HUB_PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const pictures = process.env.HUB_PICTURES;
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const timeOf = (payload: string): string =>
  (JSON.parse(payload) as { readonly metadata: { readonly rxDate: string } }).metadata.rxDate;

interface Node {
  readonly computer: Computer;
  log: string;
  program: ChildProcess;
}

interface Boat {
  readonly hull: string;
  readonly computer: Computer;
  readonly programs: ChildProcess[];
  /** Times of the navigation reports that Mosquitto aboard had. */
  readonly sent: Set<string>;
  /** Number of arrivals of each message ashore. */
  readonly arrived: Map<string, number>;
  /** Messages for which its bridge had no room, by the count that arrived ashore. */
  dropped: number;
}

describe("a fleet", () => {
  let folder: string;
  let network: Network;
  let office: Computer;
  /** The server of Debian 13, as on the page; that of an older Debian loses messages. */
  let natsServer: string;
  const nodes: Node[] = [];
  const boats: Boat[] = [];
  const programs: ChildProcess[] = [];

  const certificates = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync("sh", [join(packaged, "certificates"), ...args], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`certificates ${args.join(" ")}: ${stderr}`);
  };

  const kill = async (program: ChildProcess, signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> => {
    if (program.exitCode !== null || program.signalCode !== null) return;
    const ended = once(program, "exit");
    program.kill(signal);
    await ended;
  };

  function startNode(node: Node): void {
    const { computer } = node;
    node.program = computer.spawn(natsServer, ["-c", "/etc/nats/nats-server.conf"], { FLEET_NODE: computer.name });
    for (const stream of [node.program.stdout!, node.program.stderr!])
      stream.on("data", (chunk: Buffer) => {
        node.log += chunk;
      });
    programs.push(node.program);
  }

  /**
   * Starts a node again with another list of users, as the page says, and waits until it has all that the others have.
   */
  async function restartNode(node: Node, users: string): Promise<void> {
    const { computer } = node;
    writeFileSync(computer.file("/etc/nats/users.conf"), users);
    await kill(node.program, "SIGTERM");
    startNode(node);
    const isHealthy = (): boolean =>
      computer.run("curl -s http://127.0.0.1:8222/healthz || true").includes('"status":"ok"');
    await until(isHealthy, "the node's health");
    await until(isWhole, "the cluster");
  }

  /** The streams of MQTT by name: the leader in its own words, and whether all replicas are current. */
  function streams(): ReadonlyMap<string, { readonly leader: string; readonly isWhole: boolean }> {
    interface Stream {
      readonly name: string;
      readonly cluster: { readonly leader?: string; readonly replicas?: readonly { current: boolean }[] };
    }
    const running = nodes.filter(({ program }) => program.exitCode === null && program.signalCode === null);
    return new Map(
      running.flatMap(({ computer: { name: node, run } }) => {
        // A server that has just been started does not respond yet.
        const { account_details: accounts = [] } = JSON.parse(
          run("curl -s 'http://127.0.0.1:8222/jsz?accounts=true&streams=true' || echo '{}'"),
        ) as { account_details?: readonly { stream_detail?: readonly Stream[] }[] };
        return accounts
          .flatMap(({ stream_detail: details = [] }) => details)
          .filter(({ cluster }) => cluster.leader === node)
          .map(({ name, cluster: { replicas = [] } }) => [
            name,
            { leader: node, isWhole: replicas.length === 2 && replicas.every(({ current }) => current) },
          ]);
      }),
    );
  }

  const isWhole = (): boolean => {
    const all = [...streams().values()];
    return all.length >= 3 && all.every(({ isWhole }) => isWhole);
  };

  /** The boats that lose nothing. */
  const faithful = (): readonly Boat[] => boats.filter(({ hull }) => hull !== FORGETFUL);

  /** Waits until every boat has had `count` further reports, on board and ashore. */
  async function furtherReports(count: number, of: readonly Boat[] = faithful(), seconds = 40): Promise<void> {
    const wanted = of.map(({ arrived }) => arrived.size + count);
    await until(() => of.every(({ arrived }, index) => arrived.size >= wanted[index]!), "reports ashore", seconds);
  }

  async function addBoat(hull: string): Promise<Boat> {
    certificates("boat", hull);
    const computer = await network.add(`${hull}.example`);
    const boat: Boat = { hull, computer, programs: [], sent: new Set(), arrived: new Map(), dropped: 0 };
    mkdirSync(computer.file("/etc/mosquitto/conf.d"), { recursive: true });
    mkdirSync(computer.file("/etc/mosquitto/fleet"));
    mkdirSync(computer.file("/var/lib/mosquitto"));
    mkdirSync(computer.file("/etc/hub"));
    writeFileSync(
      computer.file("/etc/mosquitto/mosquitto.conf"),
      "user root\npersistence true\npersistence_location /var/lib/mosquitto/\nsys_interval 1\ninclude_dir /etc/mosquitto/conf.d\n",
    );
    cpSync(join(examples, "hub.mosquitto.conf"), computer.file("/etc/mosquitto/conf.d/hub.conf"));
    for (const name of ["hub.acl", "hub-displays.acl"])
      cpSync(join(examples, name), computer.file(`/etc/mosquitto/${name}`));
    for (const name of ["ca.crt", "boat.crt", "boat.key"])
      cpSync(join(folder, "boats", hull, name), computer.file(`/etc/mosquitto/fleet/${name}`));
    const bridge = readFileSync(join(folder, "boats", hull, "fleet.conf"), "utf8");
    writeFileSync(
      computer.file("/etc/mosquitto/conf.d/fleet.conf"),
      bridge
        .replaceAll("every/60", "every/1")
        .replace("restart_timeout 10 300", "restart_timeout 1 2")
        .replace(
          "max_queued_messages 10000",
          hull === FORGETFUL ? "max_inflight_messages 3\nmax_queued_messages 8" : "max_queued_messages 10000",
        ),
    );
    writeFileSync(
      computer.file("/etc/hub/deploy.json"),
      JSON.stringify({ settings: [{ name: "lanes", lanes: [1], messageExpirySec: 86_400 }] }),
    );
    return boat;
  }

  async function startBoat(boat: Boat, seed: number): Promise<void> {
    const { computer } = boat;
    const start = (command: string, ...args: readonly string[]): ChildProcess => {
      const program = computer.spawn(command, args);
      program.stderr!.resume();
      boat.programs.push(program);
      programs.push(program);
      return program;
    };
    start("mosquitto", "-c", "/etc/mosquitto/mosquitto.conf").stdout!.resume();
    await until(() => computer.run("ss -Hltn src 127.0.0.1:1883") !== "", "Mosquitto");
    const aboard = start("mosquitto_sub", "-q", "1", "-i", "witness", "-t", "can/can0/every/1/navigation");
    linesOf(aboard, (payload) => boat.sent.add(timeOf(payload)));
    start(process.execPath, hubCand, `--simulate=${60 * seed}`).stdout!.resume();
  }

  /** A program with a session of its own that knows these nodes. */
  function startReader(id: string, of: readonly Node[]): ChildProcess {
    const names = of.map(({ computer }) => computer.name);
    const args = [resolve("test/fleet/recorder.mjs"), join(folder, "operators"), id, ...names];
    const program = office.spawn(process.execPath, args);
    programs.push(program);
    return program;
  }

  /** The site of fleet.nginx on a node, with the files of the display where they were built. */
  async function startSite({ file, spawn }: Computer): Promise<void> {
    for (const name of ["nginx/snippets", "nginx/sites-enabled", "ssl/private"])
      mkdirSync(file(`/etc/${name}`), { recursive: true });
    mkdirSync(file("/var/lib/nginx"));
    writeFileSync(file("/etc/passwd"), "root:x:0:0::/:/bin/sh\n");
    writeFileSync(file("/etc/group"), "root:x:0:\n");
    cpSync("/etc/nginx/mime.types", file("/etc/nginx/mime.types"));
    cpSync(join(packaged, "fleet.nginx"), file("/etc/nginx/sites-enabled/fleet"));
    const snippet = readFileSync(resolve("packaging/nginx/hub-display.conf"), "utf8");
    writeFileSync(
      file("/etc/nginx/snippets/hub-display.conf"),
      snippet.replace("/usr/share/hub-display/", `${resolve("dist/display")}/`),
    );
    for (const name of ["operators.crt", "operators.key"])
      cpSync(join(folder, "operators", name), file(`/etc/nginx/${name}`));
    const openssl = (...args: readonly string[]): string => spawnSync("openssl", args, { encoding: "utf8" }).stdout;
    writeFileSync(file("/etc/nginx/fleet.passwords"), `alice:${openssl("passwd", "-apr1", "secret")}`);
    const [key, certificate] = [file("/etc/ssl/private/fleet.example.key"), file("/etc/ssl/fleet.example.crt")];
    const names = ["-subj", "/CN=fleet.example", "-addext", "subjectAltName=DNS:fleet.example"];
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "1",
      ...names,
      "-keyout",
      key,
      "-out",
      certificate,
    );
    writeFileSync(
      file("/etc/nginx/nginx.conf"),
      "user root; daemon off; pid /var/lib/nginx/pid; events {}\n" +
        "http { include mime.types; access_log off; include sites-enabled/*; }\n",
    );
    const site = spawn("nginx", ["-e", "stderr", "-c", "/etc/nginx/nginx.conf"]);
    const log = textOf(site.stderr!);
    programs.push(site);
    await until(
      () => office.run(`curl -sk https://${nodes[0]!.computer.address}/ || true`) !== "",
      "the site",
      5,
    ).catch((error: Error) => {
      throw new Error(`${error.message}: ${log()}`);
    });
  }

  beforeAll(async () => {
    folder = temporaryFolder("fleet");
    natsServer = join(await natsRoot(), "usr/sbin/nats-server");
    network = await openNetwork();
    for (const name of ["nats-1", "nats-2", "nats-3"]) {
      certificates("node", `${name}.fleet.example`);
    }
    certificates("operators");
    const computers: Computer[] = [];
    for (const name of ["nats-1", "nats-2", "nats-3"]) computers.push(await network.add(`${name}.fleet.example`));
    office = await network.add("office.example");
    for (let number = 1; number <= BOATS; number++) boats.push(await addBoat(`hull-${number}`));
    certificates("users");

    // Names that were not known when the first ones were added.
    const hosts = readFileSync(office.file("/etc/hosts"));
    for (const computer of computers) {
      writeFileSync(computer.file("/etc/hosts"), hosts);
      mkdirSync(computer.file("/etc/nats"));
      cpSync(join(packaged, "nats-server.conf"), computer.file("/etc/nats/nats-server.conf"));
      cpSync(join(folder, "users.conf"), computer.file("/etc/nats/users.conf"));
      for (const name of readdirSync(join(folder, "nodes", computer.name)))
        cpSync(join(folder, "nodes", computer.name, name), computer.file(`/etc/nats/${name}`));
      const node = { computer, log: "" } as Node;
      startNode(node);
      nodes.push(node);
    }
    await until(() => nodes.some(({ log }) => log.includes("JetStream cluster new metadata leader")), "a cluster");

    const recorder = startReader("recorder", nodes);
    const complaints = textOf(recorder.stderr!);
    const byHull = new Map(boats.map((boat) => [boat.hull, boat]));
    let isReading = false;
    linesOf(recorder, (line) => {
      const { topic, payload } = JSON.parse(line) as { topic?: string; payload: string };
      if (topic === undefined) isReading = true;
      else {
        const [, hull, ...name] = topic.split("/");
        const boat = byHull.get(hull!)!;
        if (name.at(-1) === "dropped") boat.dropped = Number(payload);
        // What a simulation retains it removes at its end.
        else if (payload === "") return;
        else boat.arrived.set(timeOf(payload), (boat.arrived.get(timeOf(payload)) ?? 0) + 1);
      }
    });
    await until(() => isReading, "the recorder").catch((error: Error) => {
      throw new Error(`${error.message} ${complaints()}`);
    });
    await until(isWhole, "streams");
    await Promise.all(boats.map(startBoat));
    await furtherReports(3, boats);
  });

  afterAll(async () => {
    for (const program of programs) await kill(program);
    await network?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  test("a node that leads nothing is killed", async () => {
    const { leader } = streams().get("$MQTT_msgs")!;
    const victim = nodes.find(({ computer }) => computer.name !== leader)!;
    await kill(victim.program);
    await furtherReports(5);
    startNode(victim);
    await until(isWhole, "the node again");
  });

  test("the leader is killed", async () => {
    const { leader } = streams().get("$MQTT_msgs")!;
    const victim = nodes.find(({ computer }) => computer.name === leader)!;
    await kill(victim.program);
    await furtherReports(5);
    startNode(victim);
    await until(isWhole, "the leader again");
    expect(streams().get("$MQTT_msgs")!.leader).not.toBe(leader);
  });

  test("a reader that returns to the node that was killed misses nothing, whatever that node led", async () => {
    for (const stream of ["$MQTT_sess", "$MQTT_msgs"]) {
      const victim = nodes.find(({ computer }) => computer.name === streams().get(stream)!.leader)!;
      const reader = startReader(`returning-${stream}`, [victim]);
      const read = new Map(boats.map(({ hull }) => [hull, new Set<string>()]));
      let isReading = false;
      reader.stderr!.resume();
      linesOf(reader, (line) => {
        const { topic, payload } = JSON.parse(line) as { topic?: string; payload: string };
        if (topic === undefined) isReading = true;
        else if (topic.endsWith("/navigation")) read.get(topic.split("/")[1]!)!.add(timeOf(payload));
      });
      await until(() => isReading, "the reader");
      await furtherReports(2);
      const before = new Map(boats.map(({ hull, arrived }) => [hull, arrived.size]));
      await kill(victim.program);
      await furtherReports(8);
      startNode(victim);
      await until(isWhole, "the node again");
      await furtherReports(5);
      const sent = faithful().flatMap(({ hull, arrived }) =>
        [...arrived.keys()].slice(before.get(hull)).map((time) => ({ hull, time })),
      );
      // Reports that the cluster missed come after the current ones.
      const lost = (): typeof sent => sent.filter(({ hull, time }) => !read.get(hull)!.has(time));
      await until(() => lost().length === 0, "what it missed", 40).catch(() => {});
      expect(lost()).toEqual([]);
      await kill(reader);
    }
  });

  const lostOf = ({ sent, arrived }: Boat): readonly string[] => [...sent].filter((one) => !arrived.has(one));

  test("the links of two boats are cut for ten minutes of theirs; what the short queue of one drops is counted ashore", async () => {
    const cut = boats.filter(({ hull }) => hull === "hull-1" || hull === FORGETFUL);
    for (const { computer } of cut) computer.cut();
    const reportsAboard = async (count: number): Promise<void> => {
      const wanted = cut.map(({ sent }) => sent.size + count);
      await until(() => cut.every(({ sent }, index) => sent.size >= wanted[index]!), "reports aboard");
    };
    // Reports under way arrive after some seconds.
    await reportsAboard(4);
    const before = cut.map(({ arrived }) => arrived.size);
    await reportsAboard(8);
    expect(cut.map(({ arrived }) => arrived.size)).toEqual(before);
    await furtherReports(
      1,
      faithful().filter((boat) => !cut.includes(boat)),
    );
    for (const { computer } of cut) computer.join();
    const [whole, forgetful] = cut as [Boat, Boat];
    await until(() => whole.arrived.size >= whole.sent.size - 1, "reports of the cut", 40);
    await furtherReports(1, [forgetful]);
    await until(() => forgetful.dropped > 0, "the count ashore");
    expect(lostOf(forgetful).length).toBeGreaterThan(0);
  });

  test("the fleet's site lists the boats to who has a password, and shows each", async () => {
    const [{ computer }] = nodes as [Node, ...Node[]];
    await startSite(computer);
    const status = (...options: readonly string[]): string =>
      office.run(
        `curl -sk -o /dev/null -w '%{http_code}' --resolve fleet.example:443:${computer.address} ${options.join(" ")}`,
      );
    expect(status("https://fleet.example/display/fleet.html")).toBe("401");
    expect(status("-u alice:wrong", "https://fleet.example/mqtt")).toBe("401");
    expect(status("-u alice:secret", "-H 'Origin: https://elsewhere.example'", "https://fleet.example/mqtt")).toBe(
      "403",
    );

    // The browser is in the network of the office, and has the fonts of this machine.
    const starter = join(folder, "chromium");
    writeFileSync(starter, `#!/bin/sh\nexec nsenter ${office.enter.slice(0, 3).join(" ")} ${executablePath} "$@"\n`, {
      mode: 0o700,
    });
    const browser = await openBrowser({
      executablePath: starter,
      args: [`--host-resolver-rules=MAP fleet.example ${computer.address}`],
    });
    try {
      const page = await browser.newPage({
        ignoreHTTPSErrors: true,
        httpCredentials: { username: "alice", password: "secret" },
        viewport: { width: 1280, height: 800 },
      });
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.goto("https://fleet.example/");
      await page.getByRole("button", { name: `On line ${BOATS}` }).waitFor();
      for (const { hull } of boats) {
        const row = page.locator(`[data-id=${hull}]`);
        await row.getByText(/^\d\d° \d\d\.\d{3}′ N \d{3}° \d\d\.\d{3}′ E$/).waitFor();
      }
      expect(await page.locator(`[data-id=${FORGETFUL}]`).textContent()).toMatch(/messages lost on the way: \d/);
      await picture(page, "list");
      await page.locator("[data-id=hull-2]").click();
      await page.locator('[data-id=sog][data-kind="live"]').waitFor();
      await page.locator('[data-id=depth][data-kind="live"]').waitFor();
      expect(await page.locator("[data-id=link]").textContent()).toBe("Live");
      await picture(page, "hull-2");
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  describe("a boat that oversteps", () => {
    const tlsOf = (as: string): string => {
      const [path, name] = as === "operators" ? ["operators", "operators"] : [`boats/${as}`, "boat"];
      return `--cert ${folder}/${path}/${name}.crt --key ${folder}/${path}/${name}.key`;
    };
    /** Runs a client at the first node; returns its output, with the exit code of a failure. */
    const client = (program: "pub" | "sub", ...args: readonly string[]): string =>
      office.run(
        `timeout 10 mosquitto_${program} -V mqttv311 -h ${nodes[0]!.computer.name} -p 8883 --cafile ${folder}/ca.crt ${args.join(" ")} 2>&1 || echo "code $?"`,
      );
    const publish = (as: string, ...args: readonly string[]): string => client("pub", "-q 1", tlsOf(as), ...args);
    const read = (as: string, filter: string, qos = 0): string =>
      client("sub", `-q ${qos} -W 1 -v -t '${filter}'`, tlsOf(as));
    const violationsSince = (at: number): string[] =>
      [...nodes[0]!.log.slice(at).matchAll(/Publish Violation - User "CN=([^"]+)", Subject "([^"]+)"/g)]
        .map(([, user, subject]) => `${user} ${subject}`)
        .sort();

    test("publishes nothing but what is its own, retained or not, nor as its last will", async () => {
      const before = nodes[0]!.log.length;
      expect(publish("hull-2", "-r -t boats/hull-2/note -m own")).toBe("");
      publish("hull-2", "-r -t boats/hull-1/note -m foreign");
      publish("hull-2", "-r -n -t boats/hull-1/can/can0/devices");
      const dying = office.spawn("mosquitto_pub", [
        ...["-V", "mqttv311", "-h", nodes[0]!.computer.name, "-p", "8883", "-d", "-l", "-t", "boats/hull-2/note"],
        ...["--will-topic", "boats/hull-1/will", "--will-payload", "foreign", "--will-retain"],
        ...["--cafile", join(folder, "ca.crt"), ...tlsOf("hull-2").split(" ")],
      ]);
      programs.push(dying);
      // The output of the program is buffered, so that its connection is not visible.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await kill(dying);
      const expected = ["hull-2 boats.hull-1.can.can0.devices", "hull-2 boats.hull-1.note", "hull-2 boats.hull-1.will"];
      await until(() => violationsSince(before).length >= 3, "violations in the log").catch(() => {});
      expect(violationsSince(before)).toEqual(expected);
      const retained = read("operators", "boats/#");
      expect(retained).toContain("boats/hull-2/note own\n");
      expect(retained).not.toContain("foreign");
      expect(retained).toContain("boats/hull-1/can/can0/devices {");
    });

    test("reads nothing, not even its own; operators read and do not publish", async () => {
      for (const qos of [0, 1])
        for (const filter of ["boats/hull-1/#", "boats/hull-2/#", "#"])
          expect(read("hull-2", filter, qos)).toContain("All subscription requests were denied");
      const before = nodes[0]!.log.length;
      publish("operators", "-t boats/hull-1/note -m operator");
      await until(() => violationsSince(before).length > 0, "a violation in the log");
      expect(violationsSince(before)).toEqual(["operators boats.hull-1.note"]);
    });

    test("gets no connection without a certificate, by one of another authority, or while it is not on the list", () => {
      const message = "-t boats/hull-2/note -m x";
      expect(client("pub", message)).toContain("code");
      const selfSigned = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=hull-2 -keyout other.key -out other.crt";
      expect(spawnSync("openssl", selfSigned.split(" "), { cwd: folder }).status).toBe(0);
      expect(client("pub", message, `--cert ${folder}/other.crt --key ${folder}/other.key`)).toContain("code");
      certificates("boat", "hull-unlisted");
      expect(publish("hull-unlisted", message)).toContain("not authorised");
    });

    test("does not become a node", async () => {
      const introduction = 'CONNECT {"tls_required":true,"name":"X","cluster":"fleet","headers":true}';
      const refusals = (path: string): number => {
        const before = nodes[0]!.log.length;
        office.run(
          `(sleep 0.3; printf '%s\\r\\nPING\\r\\n' '${introduction}'; sleep 0.3) | timeout 1 openssl s_client -quiet -connect ${nodes[0]!.computer.name}:6222 -CAfile ${folder}/ca.crt -cert ${path}.crt -key ${path}.key >/dev/null 2>&1 || true`,
        );
        return nodes[0]!.log.slice(before).match(/rid:\d+ - authentication error/g)?.length ?? 0;
      };
      expect(refusals(join(folder, "nodes", nodes[1]!.computer.name, "node"))).toBe(0);
      // The log is read by this process, which the command above holds up.
      const before = nodes[0]!.log.length;
      refusals(join(folder, "boats/hull-2/boat"));
      await until(() => /rid:\d+ - authentication error/.test(nodes[0]!.log.slice(before)), "a refused route", 5);
    });
  });

  test("a boat that is taken off the list is disconnected, and its reports wait aboard", async () => {
    const [stolen] = boats as [Boat, ...Boat[]];
    const list = readFileSync(join(folder, "users.conf"), "utf8");
    const use = async (text: string): Promise<void> => {
      for (const node of nodes) await restartNode(node, text);
    };
    await use(list.replace(new RegExp(`.*CN=${stolen.hull}".*\n`), ""));
    await until(() => nodes.some(({ log }) => log.includes(`authentication error`)), "the boat is refused");
    const there = stolen.arrived.size;
    await furtherReports(
      2,
      faithful().filter((boat) => boat !== stolen),
    );
    expect(stolen.arrived.size).toBeLessThanOrEqual(there + 1);
    await use(list);
    await until(() => stolen.arrived.size >= stolen.sent.size - 1, "its reports");
  });

  test("every report of every boat has arrived", async () => {
    // No more come, so that the last ones have time to arrive.
    for (const { programs } of boats) await kill(programs[2]!, "SIGTERM");
    const lost = (): string[] => faithful().flatMap((boat) => lostOf(boat).map((one) => `${boat.hull} ${one}`));
    await until(() => lost().length === 0, "the last reports").catch(() => {});
    const forgetful = boats.find(({ hull }) => hull === FORGETFUL)!;
    await until(() => lostOf(forgetful).length <= forgetful.dropped, "the last count").catch(() => {});
    const [sent, copies] = [
      boats.reduce((sum, boat) => sum + boat.sent.size, 0),
      boats.reduce((sum, { arrived }) => sum + [...arrived.values()].reduce((all, one) => all + one, 0), 0),
    ];
    console.log(`${sent} reports of ${boats.length} boats, ${copies} arrived, ${lost().length} lost`);
    expect(lost()).toEqual([]);
    for (const { hull, dropped } of faithful()) expect(dropped, hull).toBe(0);
    expect(lostOf(forgetful).length).toBeLessThanOrEqual(forgetful.dropped);
    expect(sent).toBeGreaterThan(BOATS * 25);
  });
});
