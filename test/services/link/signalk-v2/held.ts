/** hub-link with resources and a course: a link with both outlets, and a client that may write. */

import type { SharedText, StreamListener } from "../../../../src/core/ports/text-stream.ts";
import { sha256Hex } from "../../../../src/core/text/sha256.ts";
import { CourseMessages, OwnMotion } from "../../../../src/services/link/course-messages.ts";
import { Link } from "../../../../src/services/link/link.ts";
import { Nmea0183Outlet } from "../../../../src/services/link/nmea0183-outlet.ts";
import { SignalKOutlet } from "../../../../src/services/link/signalk-outlet.ts";
import { Access } from "../../../../src/services/link/signalk-v2/access.ts";
import { Course } from "../../../../src/services/link/signalk-v2/course.ts";
import { Resources, type StoredResource } from "../../../../src/services/link/signalk-v2/resources.ts";
import type { CourseInfo } from "../../../../src/services/link/signalk-v2/shapes.ts";
import { textOf } from "../../../formats/signalk/boats.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { memoryLog } from "../../../support/memory/log.ts";

export type Json = ReturnType<typeof JSON.parse>;

const START = Date.parse("2026-11-24T12:00:00Z");
const TOKEN = "token-of-the-tablet";
export const SELF = "vessels.urn:mrn:imo:mmsi:299000001";
export const RESOURCES = "v2/api/resources";
export const COURSE = "v2/api/vessels/self/navigation/course";

const holder = {
  id: "00000000-0000-4000-a000-000000000001",
  clientId: "tablet",
  description: "Tablet",
  permissions: "readwrite" as const,
  at: "2026-11-24T11:00:00.000Z",
  digest: sha256Hex(TOKEN),
};

interface Before {
  readonly stored?: readonly StoredResource[];
  readonly course?: CourseInfo;
}

export function setUp({ stored = [], course: before }: Before = {}) {
  const clock = memoryClock({ monotonic: 0, wall: START });
  const log = memoryLog();
  /** What is on the disk. */
  const disk = { resources: new Map<string, StoredResource>(), course: before, isFull: false };
  for (const each of stored) disk.resources.set(`${each.kind}/${each.id}`, each);
  const write = async (change: () => void): Promise<void> => {
    if (disk.isFull) throw new Error("ENOSPC");
    change();
  };
  const resources = new Resources({
    stored,
    files: {
      save: (all) =>
        write(() => {
          for (const each of all) disk.resources.set(`${each.kind}/${each.id}`, each);
        }),
      remove: (kind, id) => write(() => disk.resources.delete(`${kind}/${id}`)),
    },
    wall: clock.wall,
  });
  const own = new OwnMotion(clock.monotonic);
  const course = new CourseMessages(
    new Course({
      stored: before,
      resources,
      save: (info) => write(() => Object.assign(disk, { course: info })),
      position: () => own.position,
      wall: clock.wall,
    }),
    own,
  );
  let count = 0;
  const access = new Access({
    tokens: [holder],
    save: async () => {},
    secret: () => "secret",
    uuid: () => "00000000-0000-4000-a000-000000000009",
    clock,
  });
  const signalK = new SignalKOutlet({
    ...{ self: "urn:mrn:imo:mmsi:299000001", prefix: "can/can0", version: "1", clock, log, hostname: () => "boat" },
    access,
    held: { resources, course, uuid: () => `00000000-0000-4000-b000-${String(++count).padStart(12, "0")}` },
  });
  let lines = "";
  const sink = {
    send(text: string): void {
      lines += text;
    },
    close: () => {},
  };
  const outlets = [signalK, new Nmea0183Outlet([{ sink }], clock)];
  const link = new Link({ prefix: "can/can0", outlets, course, clock, log });
  const publish = (topic: string, data: object, isRetained = false): void => {
    const rxDate = new Date(clock.wall()).toISOString();
    const metadata = { rxDate, rxTimestamp: Math.floor(clock.wall() / 1000), expireAfterSec: 60 };
    link.hear(`can/can0/${topic}`, new TextEncoder().encode(JSON.stringify({ data, metadata })), isRetained);
  };
  return {
    clock,
    course: course.course,
    disk,
    log,
    /** A navigation report, a second after the last; returns the sentences that follow. */
    sail(
      latitude: number,
      longitude: number,
      { cog = 90, sog = 6, variation = 2, hasFix = true } = {},
    ): readonly string[] {
      clock.advance(1000);
      lines = "";
      publish("navigation", {
        position: { hasFix, fixType: "gnss", method: 1, numSatellites: 8, latitude, longitude },
        speed_course: { cog, sog, variation },
      });
      clock.advance(200);
      return lines.split("\r\n").filter(Boolean);
    },
    /** hub-cand says that it is gone. */
    goodbye: (): void => {
      const payload = new TextEncoder().encode('{"name":"hub-cand","online":false}');
      link.hear("app/can-can0/info", payload, false);
    },
    /** The history of persons, each with the time when she fell, of the button (0) or a beacon. */
    overboard: (...persons: { press?: string; until?: string; subject?: number }[]): void => {
      const alarms = persons.map((person, index) => ({
        ...{ id: `manOverboard-0${index === 0 ? "" : `-${index + 1}`}`, kind: "manOverboard", title: "Man overboard" },
        ...{ severity: "emergency", subject: 0, since: "2026-11-24T11:59:00.000Z", ...person },
      }));
      publish("alarms/history", { alarms }, true);
    },
    /** A report that the broker has kept, of a hub-cand that is not there. */
    retained: (topic: string, data: object) => publish(topic, data, true),
    pgn: (pgn: number, data: object) => publish(`device/3/pgn/${pgn}`, data),
    /** Status and body of the response to a request, by default of a client with a token. */
    async ask(
      method: string,
      path: string,
      body?: unknown,
      { token = TOKEN, headers = {} }: { token?: string; headers?: Readonly<Record<string, string>> } = {},
    ) {
      const request = new Request(`http://boat.local/signalk/${path}`, {
        method,
        headers: { host: "boat.local", ...(token && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const responding = Promise.resolve(signalK.app.fetch(request, { address: "192.0.2.1", port: 3000 }));
      // The tree is made in turns of the clock.
      if (path.startsWith("v1/api")) {
        await new Promise(setImmediate);
        clock.advance(100);
      }
      const response = await responding;
      const text = await response.text();
      const isJson = /^[{["]/.test(text);
      return { status: response.status, body: (isJson ? JSON.parse(text) : text) as Json };
    },
    /** Connects a client of the stream; returns the values that it gets, by path. */
    connect(query = "") {
      const values: [path: string, value: Json][] = [];
      const client = {
        unreadBytes: 0,
        send(text: string | SharedText): void {
          for (const update of JSON.parse(textOf(text)).updates ?? [])
            for (const { path, value } of update.values ?? []) values.push([path, value]);
        },
        end: () => {},
        pause: () => {},
        resume: () => {},
      };
      const request = { target: `/signalk/v1/stream${query}`, port: 3000, address: undefined, header: () => undefined };
      const listener = signalK.open(request, client) as StreamListener;
      clock.advance(100);
      return { values, listener };
    },
  };
}

export const waypoint = (longitude: number, latitude: number, name?: string) => ({
  ...(name !== undefined && { name }),
  feature: { type: "Feature", geometry: { type: "Point", coordinates: [longitude, latitude] }, properties: {} },
});

export const track = (coordinates: readonly (readonly (readonly number[])[])[], properties: object = {}) => ({
  name: "Home",
  feature: { type: "Feature", geometry: { type: "MultiLineString", coordinates }, properties },
});

export const route = (name: string, ...coordinates: readonly (readonly number[])[]) => ({
  name,
  feature: {
    type: "Feature",
    geometry: { type: "LineString", coordinates },
    properties: { coordinatesMeta: coordinates.map((_, at) => ({ name: `${name} ${at}` })) },
  },
});
