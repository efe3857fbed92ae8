/**
 * Every hazard as a client of Signal K has it: frames through hub-cand's bridge, a broker and hub-link to
 * @signalk/client.
 */
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { alarmKinds } from "../../src/core/alarms/definitions.ts";
import { notificationPath } from "../../src/formats/signalk/notification-paths.ts";
import { specification } from "../formats/signalk/specification.ts";
import { NOT_WORDS, sailed } from "../services/bridge/hazards/voyages.ts";
import { mosquitto, subscriber, until, withoutMosquitto } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { reportAlarms } from "../web/display/alarms/reports.ts";
import { start } from "./started.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, and a client without types.
type Json = any;
const { Client } = createRequire(import.meta.url)("@signalk/client") as Json;

const states = { emergency: "emergency", alarm: "alarm", warning: "warn", caution: "alert" } as const;

test.skipIf(withoutMosquitto !== undefined)(
  `every kind of alarm is a notification with state and message, and ends ${withoutMosquitto ?? ""}`,
  async ({ onTestFinished }) => {
    const broker = await mosquitto();
    onTestFinished(() => broker.stop());
    const publisher = await subscriber(broker.port, {}, "none");
    onTestFinished(() => publisher.close());
    const port = await freePort();
    const link = start("hub-link", "--broker", `mqtt://127.0.0.1:${broker.port}`, "--signalk", `${port}`);
    await until(() => link.log().includes("connected to the broker"));
    const client = new Client({
      ...{ hostname: "127.0.0.1", port, useTLS: false, useAuthentication: false, reconnect: false },
      ...{ deltaStreamBehaviour: "none", notifications: false },
    });
    const heard = new Map<string, Json>();
    const deltas: Json[] = [];
    client.on("delta", (delta: Json) => {
      deltas.push(delta);
      for (const { values = [] } of delta.updates ?? []) for (const { path, value } of values) heard.set(path, value);
    });
    await client.connect();
    onTestFinished(() => client.disconnect());
    client.subscribe([{ context: "vessels.self", subscribe: [{ path: "notifications.*", policy: "instant" }] }]);

    const alarms = alarmKinds.map((kind) => sailed(kind).alarm);
    const paths = new Map(alarms.map((alarm) => [notificationPath(alarm), alarm]));
    expect(paths.size).toBe(alarmKinds.length);
    await reportAlarms(publisher.client, { alarms });
    await until(() => [...paths.keys()].every((path) => heard.has(path)));
    for (const [path, { severity, title, text, position, unanswered }] of paths) {
      const { state, method, message, id, status, createdAt, ...more } = heard.get(path);
      expect([id, status, createdAt], path).not.toContain(undefined);
      expect({ state, method }, path).toEqual({
        state: unanswered ? "emergency" : states[severity],
        method: ["visual", "sound"],
      });
      expect(message.startsWith(title), message).toBe(true);
      if (text !== undefined) expect(message).toContain(text);
      expect(message).not.toMatch(NOT_WORDS);
      expect(more).toEqual(position === undefined ? {} : { position });
    }
    expect(deltas.flatMap((delta) => (delta.updates ? specification.faultsOfDelta(delta) : []))).toEqual([]);

    await reportAlarms(publisher.client, {});
    await until(() => [...paths.keys()].every((path) => heard.get(path).state === "normal"));
  },
);
