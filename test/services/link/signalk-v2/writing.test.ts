/** Version 2 of Signal K beside the history: notifications, the course, access requests and tokens. */
import { describe, expect, test } from "vitest";
import type { AccessReport, StoredToken } from "../../../../src/core/report/link-access.ts";
import type { Heard } from "../../../../src/services/link/outlet.ts";
import { SignalKOutlet } from "../../../../src/services/link/signalk-outlet.ts";
import { Access } from "../../../../src/services/link/signalk-v2/access.ts";
import { AccessTopics } from "../../../../src/services/link/signalk-v2/access-topics.ts";
import { faultOfSchema, withoutServer } from "../../../formats/signalk/server-openapi.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";

type Json = ReturnType<typeof JSON.parse>;

const START = Date.parse("2026-11-24T12:00:00Z");
const SELF = "vessels.urn:mrn:imo:mmsi:299000001";

function setUp({ tokens = [] as readonly StoredToken[], save = async (_tokens: readonly StoredToken[]) => {} } = {}) {
  const clock = memoryClock({ monotonic: 0, wall: START });
  const log = memoryLog();
  let count = 0;
  const access = new Access({
    tokens,
    save,
    secret: () => `secret-${++count}`,
    uuid: () => `00000000-0000-4000-a000-${String(++count).padStart(12, "0")}`,
    clock,
  });
  const published: (readonly [topic: string, payload: string])[] = [];
  let isAway = false;
  const publish = (topic: string, payload: string): boolean => {
    if (!isAway) published.push([topic, payload]);
    return !isAway;
  };
  const topics = new AccessTopics({ access, clock, log, publish });
  const outlet = new SignalKOutlet({
    ...{ self: "urn:mrn:imo:mmsi:299000001", prefix: "can/can0", version: "1", clock, log, hostname: () => "boat" },
    access,
    publish,
  });
  const metadata = { rxDate: "2026-11-24T12:00:00.000Z", rxTimestamp: START / 1000, expireAfterSec: 60 };
  return {
    access,
    clock,
    log,
    published,
    topics,
    goAway: () => {
      isAway = true;
    },
    report: (topic: "alarms" | "findings", data: object): void =>
      outlet.hear({ topic, message: { data, metadata }, receivedMs: clock.monotonic(), isRetained: false } as Heard),
    message: (pgn: number, data: object): void =>
      outlet.hear({
        ...{ topic: "pgn", addr: 3, pgn, message: { data, metadata }, receivedMs: clock.monotonic() },
        isRetained: false,
      } as Heard),
    /** Status and body of the response to a request. */
    async ask(method: string, path: string, { headers = {}, body = undefined as unknown, address = "192.0.2.1" } = {}) {
      const request = new Request(`http://boat.local/signalk/${path}`, {
        method,
        headers: { host: "boat.local", "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const response = await outlet.app.fetch(request, { address, port: 3000 });
      const text = await response.text();
      return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : text) as Json };
    },
    /** Asks for the stream: the status of a refusal, or open; `end` hears why it is closed later. */
    stream(token: string | undefined, end: (reason: string) => void = () => {}): number | "open" {
      const headers: Readonly<Record<string, string | undefined>> = {
        host: "boat.local",
        authorization: token && `Bearer ${token}`,
      };
      const request = { target: "/signalk/v1/stream", port: 3000, address: undefined };
      const client = { unreadBytes: 0, send: () => {}, end, pause: () => {}, resume: () => {} };
      const opened = outlet.open({ ...request, header: (name) => headers[name] }, client);
      return typeof opened === "number" ? opened : "open";
    },
    fetch: async (request: Request, address: string) => outlet.app.fetch(request, { address, port: 3000 }),
    answer: async (id: string, answer: string, isRetained = false): Promise<boolean> => {
      const isAnswer = topics.hear(`app/link/access/${id}/set`, new TextEncoder().encode(answer), isRetained);
      // An answer is in force after the tokens are stored.
      await access.answer(id, "deny").catch(() => {});
      return isAnswer;
    },
  };
}

type Boat = ReturnType<typeof setUp>;

const asked = { clientId: "1234-45653-343453", description: "Tablet in the cockpit" };

/** A client asks, the boat approves, and the client gets its token. */
async function tokenOf(boat: Boat, more: object = {}): Promise<string> {
  const { body } = await boat.ask("POST", "v1/access/requests", { body: { ...asked, ...more } });
  await boat.answer(boat.access.report.requests[0]!.id, "approve");
  const { body: reply } = await boat.ask("GET", body.href.slice("/signalk/".length));
  return reply.accessRequest.token;
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const readingWith = (boat: Boat, path: string, token: string) => boat.ask("GET", path, bearer(token));

const alarm = {
  id: "oilPressure-1",
  kind: "oilPressure",
  title: "Low oil pressure",
  severity: "alarm",
  state: "active",
  subject: 1,
  since: "2026-11-24T11:59:00.000Z",
};
const finding = { id: "load", kind: "load", severity: "fault", title: "High load", measured: "72 %" };
const LIST = "v2/api/notifications";

describe("notifications", () => {
  test.skipIf(withoutServer !== undefined)("are listed as signalk-server lists them", async () => {
    const boat = setUp();
    boat.report("alarms", { alarms: [alarm], watching: {} });
    boat.report("findings", { findings: [finding] });
    const { body } = await boat.ask("GET", LIST);
    for (const [id, entry] of Object.entries<Json>(body)) {
      expect(faultOfSchema("NotificationResponseSchema", entry)).toBeUndefined();
      expect(faultOfSchema("NotificationIdParamSchema", id)).toBeUndefined();
      expect((await boat.ask("GET", `${LIST}/${id}`)).body).toEqual(entry);
    }
    expect(Object.values<Json>(body).map(({ path }) => path)).toEqual([
      "notifications.propulsion.starboard.lowOilPressure",
      "notifications.findings.load",
    ]);
  });

  test("have the state of the answer, and end with the alarm and after its expiry", async () => {
    const boat = setUp();
    const listed = async (): Promise<Json[]> => Object.values((await boat.ask("GET", LIST)).body);
    boat.report("alarms", { alarms: [{ ...alarm, state: "silenced" }], watching: {} });
    expect(await listed()).toEqual([
      {
        context: SELF,
        path: "notifications.propulsion.starboard.lowOilPressure",
        value: {
          state: "alarm",
          method: ["visual"],
          message: "Low oil pressure",
          id: expect.stringMatching(/^[0-9a-f]{8}-/),
          status: { silenced: true, acknowledged: false, canSilence: false, canAcknowledge: true, canClear: false },
          createdAt: alarm.since,
        },
      },
    ]);
    boat.report("alarms", { alarms: [], watching: {} });
    expect(await listed()).toEqual([]);
    boat.report("alarms", { alarms: [alarm], watching: {} });
    boat.clock.advance(61_000);
    expect(await listed()).toEqual([]);
  });

  test("are answered by the commands of hub's alarms, with a token alone", async () => {
    const boat = setUp();
    boat.report("alarms", { alarms: [alarm], watching: {} });
    boat.report("findings", { findings: [finding] });
    const { body } = await boat.ask("GET", LIST);
    const [ofAlarm, ofFinding] = Object.keys(body);
    const token = await tokenOf(boat);
    boat.published.length = 0;
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic eDp5" }])
      expect((await boat.ask("POST", `${LIST}/${ofAlarm}/silence`, { headers })).status).toBe(401);
    expect(boat.published).toEqual([]);

    const say = (what: string) => boat.ask("POST", `${LIST}/${what}`, bearer(token));
    expect(await say(`${ofAlarm}/silence`)).toEqual({
      status: 200,
      body: { state: "COMPLETED", statusCode: 200, message: "OK" },
    });
    for (const what of [`${ofAlarm}/acknowledge`, "silenceAll", "acknowledgeAll"])
      expect((await say(what)).status).toBe(200);
    expect(boat.published).toEqual([
      ["can/can0/alarms/oilPressure-1/set", "silence"],
      ["can/can0/alarms/oilPressure-1/set", "acknowledge"],
      ["can/can0/alarms/all/set", "silence"],
      ["can/can0/alarms/all/set", "acknowledge"],
    ]);
    expect((await say(`${ofFinding}/silence`)).status).toBe(400);
    expect((await say("00000000-0000-4000-a000-000000000000/silence")).status).toBe(404);
    expect((await say("x/silence")).status).toBe(400);
    expect((await say(`${ofAlarm}/clear`)).status).toBe(404);
    boat.goAway();
    expect((await say("silenceAll")).status).toBe(503);
  });
});

describe.skipIf(withoutServer !== undefined)("the course", () => {
  test("is that of the plotter on the bus", async () => {
    const boat = setUp();
    const course = async (part = "") => (await boat.ask("GET", `v2/api/vessels/self/navigation/course${part}`)).body;
    const none = await course();
    expect(faultOfSchema("CourseInfoSchema", none)).toBeUndefined();
    expect(none).toMatchObject({ nextPoint: null, previousPoint: null, activeRoute: null });
    boat.message(129_284, {
      distanceToWaypoint: 1852,
      waypointId: 7,
      destinationLatitude: 52,
      destinationLongitude: 4,
      bearingToWaypoint: 90,
      bearingReference: "True",
    });
    boat.message(129_283, { xte: 12.5 });
    boat.message(129_285, {
      waypoints: [
        { waypointId: 6, name: "Pier", latitude: 51, longitude: 4 },
        { waypointId: 7, name: "Buoy", latitude: 52, longitude: 4 },
      ],
    });
    const info = await course();
    expect(faultOfSchema("CourseInfoSchema", info)).toBeUndefined();
    expect(info).toMatchObject({
      nextPoint: { type: "Location", position: { latitude: 52, longitude: 4 }, name: "Buoy" },
      previousPoint: { type: "Location", position: { latitude: 51, longitude: 4 }, name: "Pier" },
    });
    const values = await course("/calcValues");
    expect(faultOfSchema("CourseCalculationsSchema", values)).toBeUndefined();
    expect(values).toEqual({
      calcMethod: "GreatCircle",
      crossTrackError: 12.5,
      distance: 1852,
      bearingTrue: 1.570796327,
    });
  });
});

describe("access", () => {
  test("is asked for, approved, and denied; the boat sees names, and no client sees the request of another", async () => {
    const boat = setUp();
    const { status, body } = await boat.ask("POST", "v1/access/requests", { body: asked });
    expect(status).toBe(202);
    expect(body).toMatchObject({ state: "PENDING", href: `/signalk/v1/requests/${body.requestId}` });
    const href = body.href.slice("/signalk/".length);
    expect((await boat.ask("GET", href)).body).toMatchObject({ state: "PENDING", statusCode: 202 });
    boat.clock.advance(1000);
    const [topic, payload] = boat.published.at(-1)!;
    const { requests, holders } = JSON.parse(payload) as AccessReport;
    expect([topic, holders]).toEqual(["app/link/access", []]);
    expect(requests).toEqual([
      {
        ...asked,
        id: expect.any(String),
        permissions: "readwrite",
        address: "192.0.2.1",
        at: "2026-11-24T12:00:00.000Z",
      },
    ]);
    expect(payload).not.toContain(body.requestId);
    // The public identifier opens nothing.
    expect((await boat.ask("GET", `v1/requests/${requests[0]!.id}`)).status).toBe(404);
    await boat.answer(requests[0]!.id, "deny");
    expect((await boat.ask("GET", href)).body).toMatchObject({
      state: "COMPLETED",
      statusCode: 200,
      accessRequest: { permission: "DENIED" },
    });
  });

  test.each(["taken back", "never given"])(
    "by a token that was %s is refused for reading too, none at all is not",
    async (what) => {
      const boat = setUp();
      const token = await tokenOf(boat);
      for (const path of ["v2/features", LIST])
        expect((await readingWith(boat, path, token)).status, path).not.toBe(401);
      expect(boat.stream(token)).not.toBe(401);
      await boat.answer(boat.access.report.holders[0]!.id, "revoke");
      const wrong = what === "taken back" ? token : "a wrong.one";
      for (const path of [LIST, "v1/api/vessels/self"]) {
        expect((await readingWith(boat, path, wrong)).status, path).toBe(401);
        expect((await boat.ask("GET", LIST)).status).toBe(200);
        // The login of a proxy is none of ours.
        expect((await boat.ask("GET", LIST, { headers: { authorization: "Basic Y3JldzpjcmV3" } })).status).toBe(200);
      }
      expect([boat.stream(wrong), boat.stream(undefined)]).toEqual([401, "open"]);
      expect((await readingWith(boat, "", wrong)).status).not.toBe(401);
    },
  );

  test("ends the streams of its holder when it is taken back, once each, and no others", async () => {
    const boat = setUp();
    const token = await tokenOf(boat);
    const other = await tokenOf(boat, { clientId: "other" });
    const ended: string[] = [];
    for (const [name, given] of Object.entries({ first: token, second: token, other, none: undefined }))
      expect(boat.stream(given, (reason) => ended.push(`${name}: ${reason}`))).toBe("open");
    boat.clock.advance(10_000);
    expect(ended).toEqual([]);
    await boat.answer(boat.access.report.holders[0]!.id, "revoke");
    boat.clock.advance(10_000);
    expect(ended).toEqual(["first: this token was taken back", "second: this token was taken back"]);
  });

  test("ends when it is revoked, and a device that asks anew has one token", async () => {
    const stored: StoredToken[][] = [];
    const boat = setUp({ save: async (tokens) => void stored.push([...tokens]) });
    const write = async (token: string) => (await boat.ask("POST", `${LIST}/silenceAll`, bearer(token))).status;
    const first = await tokenOf(boat);
    expect(await write(first)).toBe(200);
    const second = await tokenOf(boat);
    expect([await write(first), await write(second)]).toEqual([401, 200]);
    expect(JSON.stringify(stored)).not.toContain(second);
    // A token is in force after a restart.
    const next = setUp({ tokens: stored.at(-1)! });
    expect((await next.ask("POST", `${LIST}/silenceAll`, bearer(second))).status).toBe(200);
    await boat.answer(boat.access.report.holders[0]!.id, "revoke");
    expect(await write(second)).toBe(401);
    expect(stored.at(-1)).toEqual([]);
  });

  test("is not given by a retained answer, another text, or one that cannot be stored", async () => {
    const boat = setUp({
      save: async () => {
        throw new Error("disk full");
      },
    });
    const { body } = await boat.ask("POST", "v1/access/requests", { body: asked });
    const state = async () => (await boat.ask("GET", body.href.slice("/signalk/".length))).body;
    const { id } = boat.access.report.requests[0]!;
    const encode = (text: string) => new TextEncoder().encode(text);
    boat.topics.hear(`app/link/access/${id}/set`, encode("approve"), true);
    boat.topics.hear(`app/link/access/${id}/set`, encode("approved"), false);
    boat.topics.hear(`app/link/access/${id}/set`, undefined, false);
    expect(boat.topics.hear(`can/can0/alarms/${id}/set`, encode("approve"), false)).toBe(false);
    await expect(boat.access.answer(id, "approve")).rejects.toThrow("disk full");
    expect(await state()).toMatchObject({ state: "PENDING" });
    boat.topics.hear(`app/link/access/${id}/set`, encode("approve"), false);
    await expect.poll(() => boat.log.lines.map(({ fields }) => fields.code)).toContain("TOKENS_NOT_STORED");
  });

  test("has a topic of one hub-link: a report of another one is told, its own and one of before are not", async () => {
    const boat = setUp();
    const report = () => boat.published.at(-1)![1];
    const hear = (payload: string, isRetained = false) =>
      boat.topics.hear("app/link/access", new TextEncoder().encode(payload), isRetained);
    hear('{"requests":[],"holders":["former"]}', true);
    boat.topics.connected();
    const first = report();
    await boat.ask("POST", "v1/access/requests", { body: asked });
    boat.clock.advance(1000);
    hear(first);
    hear(report());
    hear("");
    expect(boat.log.lines).toEqual([]);
    expect(hear(first)).toBe(true);
    expect(boat.log.lines).toMatchObject([{ level: "warn", fields: { code: "LINK_TWICE", topic: "app/link/access" } }]);
  });

  test("ends at once when it is revoked, though the disk does not take it", async () => {
    let isFull = false;
    const boat = setUp({
      save: async () => {
        if (isFull) throw new Error("disk full");
      },
    });
    const token = await tokenOf(boat);
    isFull = true;
    await expect(boat.access.answer(boat.access.report.holders[0]!.id, "revoke")).rejects.toThrow("disk full");
    expect((await boat.ask("POST", `${LIST}/silenceAll`, bearer(token))).status).toBe(401);
  });

  test("is listed until the disk has taken its end, which the boat can ask for again", async () => {
    let isFull = false;
    let stored: readonly StoredToken[] = [];
    const boat = setUp({
      save: async (tokens) => {
        if (isFull) throw new Error("disk full");
        stored = tokens;
      },
    });
    const token = await tokenOf(boat);
    isFull = true;
    const { id } = boat.access.report.holders[0]!;
    await boat.answer(id, "revoke");
    expect(boat.access.report.holders).toMatchObject([{ id }]);
    isFull = false;
    await boat.answer(id, "revoke");
    expect([boat.access.report.holders, stored]).toEqual([[], []]);
    expect((await boat.ask("POST", `${LIST}/silenceAll`, bearer(token))).status).toBe(401);
  });

  test("is listed again on a broker that comes back, which may have lost the list", async () => {
    const boat = setUp();
    await boat.ask("POST", "v1/access/requests", { body: asked });
    boat.clock.advance(1000);
    const listed = boat.published.at(-1);
    const { length } = boat.published;
    boat.clock.advance(5000);
    expect(boat.published).toHaveLength(length);
    boat.topics.connected();
    expect(boat.published.slice(length)).toEqual([listed]);
  });

  test("of a client that asked for reading alone gives no writing", async () => {
    const boat = setUp();
    const token = await tokenOf(boat, { permissions: "readonly" });
    expect((await boat.ask("POST", `${LIST}/silenceAll`, bearer(token))).status).toBe(401);
  });

  test("is limited: three requests of an address, twenty in all, for an hour", async () => {
    const boat = setUp();
    const ask = async (client: number, address: string) =>
      (await boat.ask("POST", "v1/access/requests", { body: { ...asked, clientId: `${client}` }, address })).status;
    const statuses = [];
    for (let client = 0; client < 5; client++) statuses.push(await ask(client, "192.0.2.1"));
    expect(statuses).toEqual([202, 202, 202, 400, 400]);
    expect(await ask(0, "192.0.2.2")).toBe(400);
    for (let client = 10; client < 30; client++) await ask(client, `192.0.2.${client}`);
    expect(boat.access.report.requests).toHaveLength(20);
    // The newest are asked for, the oldest of the host with most have gone.
    const listed = () => boat.access.report.requests.map(({ clientId }) => clientId);
    expect(listed().slice(0, 2)).toEqual(["10", "11"]);
    expect(listed().at(-1)).toBe("29");
    boat.clock.advance(3_601_000);
    expect(boat.access.report.requests).toEqual([]);
    expect(await ask(99, "192.0.2.99")).toBe(202);
  });

  test("of a host with many addresses is one of three, and an app of another is listed", async () => {
    const boat = setUp();
    const ask = async (client: string, address: string) =>
      (await boat.ask("POST", "v1/access/requests", { body: { ...asked, clientId: client }, address })).status;
    for (let count = 0; count < 30; count++) await ask(`a${count}`, `2001:db8::${count + 1}`);
    expect(boat.access.report.requests).toHaveLength(3);
    for (let host = 0; host < 17; host++)
      for (let count = 0; count < 3; count++) await ask(`b${host}-${count}`, `192.0.2.${host}`);
    expect(await ask("tablet", "198.51.100.1")).toBe(202);
    expect(boat.access.report.requests).toHaveLength(20);
    expect(boat.access.report.requests.at(-1)).toMatchObject({ clientId: "tablet" });
  });

  test("is asked for beside a host of the same network of IPv6, which gives way with its own requests alone", async () => {
    const boat = setUp();
    const ask = async (clientId: string, address: string) =>
      (await boat.ask("POST", "v1/access/requests", { body: { ...asked, clientId }, address })).status;
    const listed = () => boat.access.report.requests.map(({ clientId }) => clientId);
    for (let count = 0; count < 4; count++) await ask(`a${count}`, "fd00:4::20");
    expect(await ask("tablet", "fd00:4::21")).toBe(202);
    expect(listed()).toEqual(["a1", "a2", "tablet"]);
    for (let count = 4; count < 9; count++) await ask(`a${count}`, "fd00:4::20");
    expect(listed()).toContain("tablet");
    expect(await ask("tablet", "fd00:4::21")).toBe(400);
  });

  test("is asked for by sixty half requests of a host without a place of others", async () => {
    const boat = setUp();
    const half = () =>
      boat.fetch(
        new Request("http://boat.local/signalk/v1/access/requests", {
          method: "POST",
          headers: { host: "boat.local", "content-length": "4000" },
          body: new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("{")) }),
          duplex: "half",
        } as RequestInit),
        "192.0.2.1",
      );
    for (let count = 0; count < 60; count++) void half();
    await new Promise(setImmediate);
    const token = await tokenOf(boat, { address: "192.0.2.2" });
    expect((await boat.ask("POST", `${LIST}/silenceAll`, { ...bearer(token), address: "192.0.2.2" })).status).toBe(200);
    expect((await boat.ask("GET", LIST, { address: "192.0.2.2" })).status).toBe(200);
  });

  test("waits an hour whatever the wall clock does", async () => {
    const boat = setUp();
    await boat.ask("POST", "v1/access/requests", { body: asked });
    for (const days of [1, -2]) {
      boat.clock.setWall(START + days * 86_400_000);
      expect(boat.access.report.requests).toHaveLength(1);
    }
    boat.clock.advance(3_601_000);
    expect(boat.access.report.requests).toEqual([]);
  });

  test.each([
    ["no body", undefined],
    ["no JSON", "{"],
    ["no description", { clientId: "x" }],
    ["a name that is too long", { clientId: "x".repeat(101), description: "x" }],
    ["a control character", { clientId: "x", description: "a\u0000b" }],
    ["unknown permissions", { ...asked, permissions: "root" }],
    ["a long body", { ...asked, more: "x".repeat(5000) }],
  ])("a request with %s is refused", async (_what, body) => {
    const boat = setUp();
    expect((await boat.ask("POST", "v1/access/requests", { body })).status).toBe(400);
    expect(boat.access.report.requests).toEqual([]);
  });

  test.each([
    ["https://evil.example", 403],
    ["null", 403],
    ["http://boat.local", 202],
  ])("a page of %s that asks gets %i", async (origin, status) => {
    expect((await setUp().ask("POST", "v1/access/requests", { body: asked, headers: { origin } })).status).toBe(status);
  });

  test("values of version 1 are not written, with a token either", async () => {
    const boat = setUp();
    const token = await tokenOf(boat);
    const path = "v1/api/vessels/self/steering/autopilot/state";
    expect((await boat.ask("PUT", path, { ...bearer(token), body: { value: "auto" } })).status).toBe(405);
  });
});
