/** A bus whose messages go through the bridge to the alarms. */
import type { AlarmsData } from "../../../src/core/alarms/report.ts";
import type { Definition } from "../../../src/core/n2k/definition.ts";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import {
  alertForReports,
  alertTextForReports,
  manOverboardNotification,
} from "../../../src/core/n2k/pgns/for-reports.ts";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { isoAddressClaim } from "../../../src/core/n2k/pgns/system.ts";
import type { BridgeOptions } from "../../../src/services/bridge/options.ts";
import type { PartRow } from "../../../src/services/bridge/part.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";

export const start = Date.UTC(2026, 10, 21, 8, 14, 26);
export const topic = "can/can0/alarms";

export interface Said {
  readonly pgn: number;
  /** The payload, of a message that others have encoded. */
  readonly hex?: string;
  /** Address of the device; 3 by default. */
  readonly from?: number;
  readonly [member: string]: unknown;
}

const known: readonly Definition[] = [alertForReports, alertTextForReports, manOverboardNotification, ...definitions];

/** The payload of a message, in hexadecimal. */
export const encoded = (message: Said): string => {
  const definition = known.find(({ pgn }) => pgn === message.pgn)!;
  return Buffer.from(encoderOf(definition)(message as never)).toString("hex");
};

/** A device claims an address. */
export const claim = (from: number, name: bigint): Said => ({
  pgn: isoAddressClaim.pgn,
  from,
  hex: Buffer.from(deviceNameBytes(name)).toString("hex"),
});

/** Twenty metres, each half minute; without them the receiver of a boat that a test leaves at one place has failed. */
const WANDER_DEGREES = 0.000_3;
const positions: ReadonlySet<number> = new Set([129025, 129029]);

const wandering = (message: Said): Said =>
  positions.has(message.pgn) && typeof message.longitude === "number" && message.hex === undefined
    ? { ...message, longitude: message.longitude + WANDER_DEGREES }
    : message;

/** The topic of a command, or of what hub-cand keeps: `sounding`, `calls/{id}`. */
export const targetTopic = (target: string): string =>
  /^(sounding$|calls\/)/.test(target) ? `app/can-can0/${target}` : `${topic}/${target}/set`;

/** Begins at a wall clock. */
export const setUp = (
  begin = start,
  given: Pick<BridgeOptions, "disk" | "findings"> = {},
  added: readonly PartRow[] = [],
) => {
  const { bridge, publisher, log } = memoryBridge(given, (rows) => [...rows, ...added]);
  const burst = createBursts();
  let now = 0;
  let stepped = 0;
  const receiver = { wanders: true };
  let knots = 0;
  const say = (said: Said): void => {
    if (said.pgn === 129026) knots = Number(said.sogMs ?? 0) * 2;
    const message = receiver.wanders && knots > 2 && now % 30_000 === 29_000 ? wandering(said) : said;
    const { pgn, from: source = 3, hex = encoded(message) } = message;
    bridge.take(burst([{ source, pgn, hex, at: begin + now + stepped }]));
  };
  const reports = (): readonly AlarmsData[] =>
    publisher.payloads(topic).map((message) => (message as { readonly data: AlarmsData }).data);
  const alarms = (): AlarmsData["alarms"] => reports().at(-1)!.alarms;
  /** Each of them: id, severity, state and text. */
  const ringing = (): readonly string[] =>
    alarms().map(({ id, severity, state, text }) => [id, severity, state, text].filter(Boolean).join(" "));
  /** The device speaks once a second for so long. */
  const sail = (seconds: number, ...messages: readonly Said[]): void => {
    for (let second = 0; second < seconds; second++) {
      for (const message of messages) say(message);
      for (let step = 0; step < 20; step++, now += 50) bridge.advance(now, begin + now + stepped);
    }
  };
  return {
    publisher,
    log,
    bridge,
    /** Whether positions wander, as those of receivers do. */
    receiver,
    /** The computer's clock is ahead of the time of the bus. */
    compareClock: (aheadMs: number): void => bridge.compareClock(now, begin + now + aheadMs),
    /** The computer's clock is set by so much. */
    stepClock: (ms: number): void => {
      stepped += ms;
    },
    /** Publishes a command: `berth`, `depth`. */
    command: (target: string, payload: string): void => bridge.command(targetTopic(target), payload),
    sail,
    /** Sails, and gives what rings then. */
    rung(seconds: number, ...messages: readonly Said[]): readonly string[] {
      sail(seconds, ...messages);
      return ringing();
    },
    /** The same for a long time in which little happens: the bridge looks at its clock once a second. */
    wait(seconds: number, ...messages: readonly Said[]): void {
      for (let second = 0; second < seconds; second++, now += 1000) {
        for (const message of messages) say(message);
        bridge.advance(now, begin + now + stepped);
      }
    },
    reports,
    /** Those of the last report. */
    alarms,
    ringing,
    /** Their titles, which lead wherever an alarm is shown. */
    titles: (): readonly string[] => alarms().map(({ title }) => title),
    /** Retained commands to a target. */
    retained: (target: string): readonly (string | null)[] =>
      publisher.messages.filter((message) => message.topic === targetTopic(target)).map(({ payload }) => payload),
  };
};
