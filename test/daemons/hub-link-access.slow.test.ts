/** A client of Signal K that asks for access and answers an alarm: hub-link beside a real broker. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { killed } from "../support/ends-with-test.ts";
import { mosquitto, subscriber, until, withoutMosquitto } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { start } from "./started.ts";

type Json = ReturnType<typeof JSON.parse>;

async function setUp(state: string) {
  const broker = await mosquitto();
  const port = await freePort();
  const seen = await subscriber(broker.port);
  onTestFinished(async () => {
    await seen.client.endAsync();
    await broker.stop();
  });
  const url = `mqtt://127.0.0.1:${broker.port}`;
  let log = "";
  const startLink = async () => {
    log = "";
    const args = ["--broker", url, "--signalk", `${port}`, "--state", state];
    const child = spawn(process.execPath, [resolve("dist/hub-link.mjs"), ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk;
    });
    onTestFinished(async () => void (await killed(child)));
    await until(() => log.includes("connected to the broker"));
    return child;
  };
  const ask = async (method: string, path: string, token?: string, body?: object): Promise<Json> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answered: Json = await response.json();
    return { status: response.status, ...answered };
  };
  const said = (topic: string): string | undefined => seen.messages.findLast((each) => each.topic === topic)?.payload;
  return { ask, said, seen, startLink, log: () => log };
}

const COURSE = "/signalk/v2/api/vessels/self/navigation/course";
const SILENCE = "/signalk/v2/api/notifications/silenceAll";

test.skipIf(withoutMosquitto !== undefined)(
  "a token that the boat has approved answers alarms, also after a restart, until it is revoked",
  async () => {
    const state = temporaryFolder();
    const { ask, said, seen, startLink } = await setUp(state);
    const link = await startLink();
    const { href } = await ask("POST", "/signalk/v1/access/requests", "", { clientId: "a", description: "Tablet" });
    await until(() => (said("app/link/access") ?? "").includes("Tablet"));
    const [{ id }] = JSON.parse(said("app/link/access")!).requests;
    await seen.client.publishAsync(`app/link/access/${id}/set`, "approve");
    await until(() => JSON.parse(said("app/link/access")!).holders.length === 1);
    const { accessRequest } = await ask("GET", href);
    expect(accessRequest).toMatchObject({ permission: "APPROVED" });
    const { token } = accessRequest;
    expect(await ask("POST", SILENCE, token)).toMatchObject({ status: 200, state: "COMPLETED" });
    await until(() => said("can/can0/alarms/all/set") === "silence");
    expect(readFileSync(join(state, "tokens.json"), "utf8")).not.toContain(token);

    const buoy = { name: "Buoy", feature: { type: "Feature", geometry: { type: "Point", coordinates: [4, 52] } } };
    const made = await ask("POST", "/signalk/v2/api/resources/waypoints", token, buoy);
    expect(made).toMatchObject({ status: 201 });
    expect(await ask("PUT", `${COURSE}/arrivalCircle`, token, { value: 75 })).toMatchObject({ status: 200 });

    const second = start("hub-link", "--signalk", String(await freePort()), "--state", state);
    expect(await once(second.child, "close")).toEqual([1, null]);
    expect(second.log()).toContain(`in use by another hub-link --state, process ${link.pid}`);

    const destination = { latitude: 52, longitude: 4 };
    const position = { hasFix: true, fixType: "gnss", method: 1, ...destination };
    const times = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 2 };
    const navigation = JSON.stringify({ data: { position }, metadata: times });
    await seen.client.publishAsync("can/can0/navigation", navigation);
    await seen.client.publishAsync("app/link/course/set", JSON.stringify(destination));
    await until(() => said("app/link/course") === JSON.stringify({ destination }));
    await killed(link);
    await until(() => said("app/link/course") === "");
    await killed(await startLink(), "SIGTERM");
    expect(said("app/link/course")).toBe("");
    await startLink();
    expect(await ask("GET", `/signalk/v2/api/resources/waypoints/${made.id}`)).toMatchObject(buoy);
    expect(await ask("GET", COURSE)).toMatchObject({ arrivalCircle: 75, nextPoint: { position: destination } });
    expect((await ask("POST", SILENCE, token)).status).toBe(200);
    await seen.client.publishAsync(`app/link/access/${id}/set`, "revoke");
    await until(() => JSON.parse(said("app/link/access")!).holders.length === 0);
    expect((await ask("POST", SILENCE, token)).status).toBe(401);
  },
);

test.skipIf(withoutMosquitto !== undefined)(
  "a file of tokens that cannot be read keeps nobody from reading",
  async () => {
    const state = temporaryFolder();
    writeFileSync(join(state, "tokens.json"), "{}");
    const { ask, startLink, log } = await setUp(state);
    await startLink();
    expect(log()).toMatch(/TOKENS_UNREADABLE.* reason="tokens: /);
    expect((await ask("GET", "/signalk/v2/api/notifications")).status).toBe(200);
    expect((await ask("POST", SILENCE, "x")).status).toBe(401);
  },
);
