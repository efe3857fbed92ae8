/** hub-history --voyages beside a real broker: a voyage is kept, corrected, read by other programs, and goes on after SIGKILL. */
import { once } from "node:events";
import { connectAsync } from "mqtt";
import { expect, test } from "vitest";
import type { Voyage } from "../../src/core/voyages/voyage.ts";
import { simulatedBoat } from "../services/history/simulated-boat.ts";
import { mosquitto, withoutMosquitto } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { start } from "./started.ts";

const interfaceMessage = (name: string) => ({
  data: { interface: name, state: "ERROR-ACTIVE", up: true },
  metadata: { rxDate: "2026-11-21T08:07:40.000Z", rxTimestamp: 1795248460, expireAfterSec: 120 },
});

test.skipIf(withoutMosquitto !== undefined)(
  `a voyage is kept and corrected, and goes on after SIGKILL ${withoutMosquitto ?? ""}`,
  async ({ onTestFinished }) => {
    const broker = await mosquitto();
    onTestFinished(() => broker.stop());
    const client = await connectAsync({ host: "127.0.0.1", port: broker.port });
    onTestFinished(() => client.endAsync());
    const [port, folder] = [await freePort(), temporaryFolder()];
    const base = `http://127.0.0.1:${port}/voyages`;
    const options = ["--broker", `mqtt://127.0.0.1:${broker.port}`, "--url", "none", "--voyages", `${folder}/voyages`];
    const begin = () => start("hub-history", ...options, "--voyages-port", String(port), "--voyages-interval", "5");
    let program = begin();
    const list = async () => {
      const response = await fetch(base).catch(() => undefined);
      return (await response?.json()) as { voyages: { name: string }[]; open: string | null } | undefined;
    };
    const post = (path: string, body: object) =>
      fetch(base + path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }).then(({ status }) => status);
    await expect.poll(() => program.log()).toMatch(/connected/);
    const sail = async (from: number, to: number): Promise<void> => {
      for (const { topic, payload } of simulatedBoat("can/can0", from, to, Date.UTC(2026, 10, 21, 8) + 1000 * from))
        if (!/\/every\/|\/interface$/.test(topic)) await client.publishAsync(topic, payload, { qos: 1 });
    };
    await sail(0, 330);
    await expect.poll(list).toMatchObject({ voyages: [{}], open: expect.any(String) });
    const name = (await list())!.open!;
    expect(await post(`/${name}/entries`, { kind: "note", text: "Whales", author: "Ada" })).toBe(201);
    const kept = async () => (await (await fetch(`${base}/${name}.json`)).json()) as Voyage;
    const note = (await kept()).entries.find(({ kind }) => kind === "note")!;
    expect(await post(`/${name}/entries/${note.entry}/edits`, { text: "Porpoises" })).toBe(201);
    expect(await post(`/${name}/entries/999/edits`, { text: "x" })).toBe(404);
    expect(await post("/2020-01-01T000000Z/entries/0/edits", { text: "x" })).toBe(404);
    expect(await post(`/${name}/entries`, { kind: "begin", text: "x" })).toBe(400);
    // A page of another site may send this without asking first.
    expect(
      (await fetch(`${base}/${name}/entries`, { method: "POST", body: '{"kind":"note","text":"x"}' })).status,
    ).toBe(415);

    const second = start("hub-history", ...options, "--voyages-port", String(await freePort()));
    expect(await once(second.child, "close")).toEqual([1, null]);
    expect(second.log()).toContain(`in use by another hub-history --voyages, process ${program.child.pid}`);
    program.child.kill("SIGKILL");
    await once(program.child, "exit");
    program = begin();
    await expect.poll(() => program.log()).toMatch(/connected/);
    await sail(340, 460);
    await expect.poll(async () => (await kept()).until).toBeGreaterThan(Date.UTC(2026, 10, 21, 8, 7));
    // A recording of another day is played, and then the boat is heard again.
    const hear = (name: string) =>
      client.publishAsync("can/can0/interface", JSON.stringify(interfaceMessage(name)), { qos: 1, retain: true });
    await hear("replay");
    await sail(9000, 9330);
    await hear("can0");
    await sail(460, 530);
    await expect.poll(async () => (await kept()).until).toBeGreaterThan(Date.UTC(2026, 10, 21, 8, 8));
    expect((await list())!.voyages).toHaveLength(1);
    expect((await kept()).until).toBeLessThan(Date.UTC(2026, 10, 21, 8, 9));
    const voyage = await kept();
    const kinds = voyage.entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "begin")).toHaveLength(1);
    expect(kinds).toEqual(expect.arrayContaining(["engineOn", "engineOff", "course", "waypoint", "hourly", "note"]));
    expect(voyage.entries.find(({ kind }) => kind === "note")).toMatchObject({
      text: "Whales",
      author: "Ada",
      edits: [{ text: "Porpoises" }],
    });
    const gpx = await fetch(`${base}/${name}.gpx`);
    expect([gpx.status, gpx.headers.get("content-type")]).toEqual([200, "application/gpx+xml"]);
    const track = await gpx.text();
    const headers = { "Content-Type": "application/gpx+xml" };
    for (const [body, names, known] of [
      [track, [], 1],
      [track.replaceAll("2026-", "2019-"), ["2019-11-21T080001Z"], 0],
    ] as const) {
      const added = await fetch(base, { method: "POST", headers, body });
      expect([added.status, await added.json()]).toEqual([201, { names, known, leftOut: 0 }]);
    }
    expect((await list())!.voyages.map((each) => each.name)).toEqual([name, "2019-11-21T080001Z"]);
    expect(program.log()).not.toMatch(/HISTORY_FAILED|VOYAGES_NOT_KEPT/);
  },
);
