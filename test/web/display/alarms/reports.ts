/** Reports as hub-cand makes them, for a display that is watched from outside. */
import type { MqttClient } from "mqtt";
import type { Page } from "playwright-core";
import type { ActiveAlarm, AlarmsData } from "../../../../src/core/alarms/report.ts";

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

const metadataOf = (expireAfterSec: number) => ({
  rxDate: new Date().toISOString(),
  rxTimestamp: Math.floor(Date.now() / 1000),
  expireAfterSec,
});

export const reportAlarms = (client: MqttClient, data: Partial<AlarmsData>): Promise<unknown> => {
  const message = { data: { alarms: [], watching: {}, ...data }, metadata: metadataOf(600) };
  return client.publishAsync("can/can0/alarms", JSON.stringify(message), { retain: true, qos: 1 });
};

/** Publishes navigation reports until it is called. */
export function sail(client: MqttClient, data: object): () => void {
  const publish = (): void => {
    const metadata = { ...metadataOf(2), configLoaded: false };
    client.publish("can/can0/navigation", JSON.stringify({ data, metadata }));
  };
  publish();
  const timer = setInterval(publish, 300);
  return () => clearInterval(timer);
}

export const fix = {
  hasFix: true,
  fixType: "gnss",
  method: 1,
  numSatellites: 9,
  latitude: 52,
  longitude: 4,
} as const;

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

/** Tones within a time that is longer than the longest period of an alarm. */
export async function tonesIn(page: Page, milliseconds = 3000): Promise<number> {
  const before = (await page.evaluate("window.pitches.length")) as number;
  await page.waitForTimeout(milliseconds);
  return ((await page.evaluate("window.pitches.length")) as number) - before;
}
