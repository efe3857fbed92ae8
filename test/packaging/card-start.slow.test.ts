/**
 * hub-card as it runs at each start of a card, with the files of a computer of its own: a drive that is full, a file
 * that is gone or cannot be read, settings that are changed a second time, and the page that asks.
 */
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeProgram } from "../../scripts/bundle.mjs";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PAGE = 8402;
const template = readFileSync("packaging/card/hub.txt", "utf8");
const wifi = "/etc/NetworkManager/system-connections/hub-wifi.nmconnection";
const answer = { name: "Ella", wifi: "access-point", "wifi-password": "12345678", bus: "none" };

describe.skipIf(withoutNamespace)("at a start of a card", () => {
  let folder: string;
  let program: string;
  let boat: Namespace;

  const onCard = (name: string): string => boat.file(`/boot/firmware/${name}`);
  const write = (path: string, content: string): void => writeFileSync(boat.file(path), content);
  const isThere = (path: string): boolean => existsSync(boat.file(path));
  const said = (): string => readFileSync(onCard("hub-said.txt"), "utf8");
  const start = (): void => boat.run(process.execPath, program, "apply");
  /** Another computer writes to the card. */
  const takeOut = (): void => boat.run("mount", "-o", "remount,rw", "/boot/firmware");
  const fill = (): void => boat.run("sh", "-c", "cat /dev/zero >/boot/firmware/photos 2>/dev/null || true");

  /** The page, or its answer to a form. */
  async function page(form?: Readonly<Record<string, string>>): Promise<string> {
    const outgoing = request({
      ...{ socketPath: boat.socket(PAGE), path: "/card/", method: form === undefined ? "GET" : "POST" },
      headers: { connection: "close" },
    });
    outgoing.end(form && new URLSearchParams(form).toString());
    const [response] = await once(outgoing, "response");
    return text(response);
  }

  beforeAll(async () => {
    folder = temporaryFolder("start");
    program = join(folder, "hub-card.mjs");
    await writeProgram(program, { entryPoints: ["packaging/card/hub-card.ts"] });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  beforeEach(async () => {
    boat = await openNamespace(PAGE);
    boat.run(
      ...(["sh", "-euc"] as const),
      `mount -t tmpfs none /run && mkdir -p /run/lib /run/work &&
      mount -t overlay none -o lowerdir=/usr/lib,upperdir=/run/lib,workdir=/run/work /usr/lib && mkdir -p /usr/lib/hub-card &&
      mount -t tmpfs none /boot && mkdir /boot/firmware && mount -t tmpfs -o size=256k none /boot/firmware`,
    );
    write("/usr/lib/hub-card/hub.txt", template);
    mkdirSync(boat.file("/usr/share/zoneinfo/Europe"), { recursive: true });
    for (const zone of ["UTC", "Europe/Amsterdam"]) write(`/usr/share/zoneinfo/${zone}`, "TZif2");
    write("/usr/share/zoneinfo/iso3166.tab", "#\nGB\tBritain (UK)\nNL\tNetherlands\n");
  });

  afterEach(() => boat.close());

  test("lines become files, and a line that is taken away is as if it had never been there", () => {
    write(
      "/boot/firmware/hub.txt",
      "country = NL\nwifi-name = Harbour\ntime-zone = Europe/Amsterdam\nbus = simulated\n",
    );
    start();
    expect(readlinkSync(boat.file("/etc/localtime"))).toBe("/usr/share/zoneinfo/Europe/Amsterdam");
    expect([isThere(wifi), isThere("/etc/modprobe.d/hub-country.conf")]).toEqual([true, true]);
    expect(said()).toBe("hub has read hub.txt.\r\n");

    takeOut();
    write("/boot/firmware/hub.txt", "country = UK\ntime-zone = Europe\nbus = none\n");
    start();
    expect(readlinkSync(boat.file("/etc/localtime"))).toBe("/usr/share/zoneinfo/UTC");
    expect([isThere(wifi), isThere("/etc/modprobe.d/hub-country.conf")]).toEqual([false, false]);
    expect(readFileSync(boat.file("/etc/default/hub-cand-can0"), "utf8")).toContain('HUB_CAND_OPTIONS=""');
    expect(said()).toMatch(/^Line 1: country must.*\r\nLine 2: time-zone must.*\r\n$/m);
  });

  test("without hub.txt it asks, and the file is there again to be filled in", async () => {
    start();
    expect(readFileSync(onCard("hub.txt"), "utf8")).toBe(template.replaceAll("\n", "\r\n"));
    boat.spawn(process.execPath, [program, "page"]);
    await expect.poll(() => page().catch(() => "")).toContain("<form");
    expect(await page({ ...answer, country: "UK" })).toMatch(/country must be.*value="UK"/s);
    expect(await page(answer)).toContain("Written");
    boat.run(process.execPath, program, "take");
    expect(readFileSync(onCard("hub.txt"), "utf8")).toMatch(/^name = Ella\r$/m);
  });

  test("with a full drive everything counts, and the page says what cannot be written", async () => {
    write("/boot/firmware/hub.txt", "name = Ella\nwifi-name = Harbour\n");
    fill();
    start();
    expect(isThere(wifi)).toBe(true);
    expect(readdirSync(onCard("")).filter((name) => name.endsWith(".new"))).toEqual([]);
    boat.spawn(process.execPath, [program, "page"]);
    await expect.poll(() => page().catch(() => "")).toContain("hub-said.txt: the drive HUB of the card is full");
  });

  test("an answer of the page that cannot be written is said on it", async () => {
    write("/boot/firmware/hub.txt", template);
    start();
    takeOut();
    fill();
    boat.spawn(process.execPath, [program, "page"]);
    await expect.poll(() => page(answer).catch(() => "")).toContain("Written");
    expect(() => boat.run(process.execPath, program, "take")).toThrow("is full");
    expect(await page()).toMatch(/hub\.txt is not written: the drive HUB of the card is full.*<form/s);
    takeOut();
    rmSync(onCard("photos"));
    expect(await page(answer)).toContain("Written");
    boat.run(process.execPath, program, "take");
    expect(readFileSync(onCard("hub.txt"), "utf8")).toContain("name = Ella");
  });

  test("where hub.txt cannot be read the settings of before stay", () => {
    write("/boot/firmware/hub.txt", "wifi-name = Harbour\ntime-zone = Europe/Amsterdam\n");
    start();
    takeOut();
    rmSync(onCard("hub.txt"));
    mkdirSync(onCard("hub.txt"));
    start();
    expect(isThere(wifi)).toBe(true);
    expect(readlinkSync(boat.file("/etc/localtime"))).toContain("Amsterdam");
    expect(isThere("/run/hub-card/asks")).toBe(false);
    expect(readFileSync(boat.file("/run/hub-card/said"), "utf8")).toContain("the settings of before stay");
  });
});
