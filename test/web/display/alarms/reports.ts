/** Reports as hub-cand makes them, for a display that is watched from outside. */
import type { MqttClient } from "mqtt";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { ActiveAlarm, AlarmsData } from "../../../../src/core/alarms/report.ts";
import { type Mosquitto, subscriber } from "../../../support/mosquitto.ts";

export const depth: ActiveAlarm = {
  id: "depth",
  kind: "depth",
  title: "Shallow water",
  severity: "alarm",
  state: "active",
  value: 1.7,
  limit: 2,
  unit: "m",
  since: "2026-11-21T08:14:26.000Z",
};

/** A person of the button, of so many. */
export const person = (number: number, more: Partial<ActiveAlarm> = {}): ActiveAlarm => ({
  ...{ id: number === 1 ? "manOverboard-0" : `manOverboard-0-${number}`, kind: "manOverboard", title: "Man overboard" },
  ...{ severity: "emergency", state: "active", subject: 0, person: number, press: `of-${number}` },
  ...{ since: new Date().toISOString(), ...more },
});

const metadataOf = (expireAfterSec: number) => ({
  rxDate: new Date().toISOString(),
  rxTimestamp: Math.floor(Date.now() / 1000),
  expireAfterSec,
});

/** What a client publishes for hub-cand: reports that are repeated until others take their place. */
interface Bridge {
  alarms?: Partial<AlarmsData> | undefined;
  navigation?: object | undefined;
}

const bridges = new WeakMap<MqttClient, Bridge>();

const publishAlarms = (client: MqttClient, data: Partial<AlarmsData>): Promise<unknown> => {
  const message = { data: { alarms: [], watching: {}, ...data }, metadata: metadataOf(60) };
  return client.publishAsync("can/can0/alarms", JSON.stringify(message), { retain: true, qos: 1 });
};

const publishNavigation = (client: MqttClient, data: object): unknown =>
  client.publish("can/can0/navigation", JSON.stringify({ data, metadata: { ...metadataOf(2), configLoaded: false } }));

/** The bridge of a client, whose reports are repeated as long as the client is there. */
function bridgeOf(client: MqttClient): Bridge {
  const known = bridges.get(client);
  if (known !== undefined) return known;
  const bridge: Bridge = {};
  bridges.set(client, bridge);
  let beats = 0;
  const timer = setInterval(() => {
    beats++;
    // What waits for a broker that is away would come late, and all at once.
    if (!client.connected) return;
    if (bridge.navigation !== undefined) publishNavigation(client, bridge.navigation);
    if (bridge.alarms !== undefined && beats % 4 === 0) void publishAlarms(client, bridge.alarms).catch(() => {});
  }, 300);
  client.once("end", () => clearInterval(timer));
  return bridge;
}

/** Publishes a report of alarms, now and again until the next one. */
export function reportAlarms(client: MqttClient, data: Partial<AlarmsData>): Promise<unknown> {
  bridgeOf(client).alarms = data;
  return publishAlarms(client, data);
}

/**
 * Publishes navigation reports until it is called, or until others are published. Pages that have heard none for ten
 * seconds show the loss of the watch in place of alarms.
 */
export function sail(client: MqttClient, data: object): () => void {
  const bridge = bridgeOf(client);
  bridge.navigation = data;
  publishNavigation(client, data);
  return () => {
    if (bridge.navigation === data) bridge.navigation = undefined;
  };
}

/** What is published below a filter until the end of the test. */
export async function heardAt({ broker }: { readonly broker: Mosquitto }, filter: string) {
  const heard = await subscriber(broker.port, {}, filter);
  onTestFinished(() => heard.close());
  return heard;
}

/** Ends all reports of a client; the broker retains the last one of the alarms. */
export function fallSilent(client: MqttClient): void {
  Object.assign(bridgeOf(client), { alarms: undefined, navigation: undefined });
}

export const fix = { hasFix: true, fixType: "gnss", method: 1, numSatellites: 9, latitude: 52, longitude: 4 } as const;

/** Waits until an expression in the page is true. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(expression))) await page.waitForTimeout(50);
}

/**
 * Notes the pitches of all tones in `pitches` and the audio contexts in `contexts`, from the next load of the page on.
 */
export const listen = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    window.pitches = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.pitches.push(this.frequency.value);
      return start.apply(this, when);
    };
    window.contexts = [];
    window.AudioContext = class extends AudioContext {
      constructor(...options) {
        super(...options);
        window.contexts.push(this);
      }
    };
  `);

/** Waits until the page rings: a tone that begins after this call. */
export async function untilItRings(page: Page): Promise<void> {
  const before = await page.evaluate("window.pitches.length");
  await untilTrue(page, `window.pitches.length > ${before}`);
}
