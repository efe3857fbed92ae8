/** The memory of a page in fake time, without a browser. */
import { afterEach, beforeEach, vi } from "vitest";
import { clearStore, hear } from "../../../../src/web/display/data/store.ts";

export const PREFIX = "can/can0";

/** Each test begins with an empty memory, and nothing is rendered. */
export function usePageMemory(
  ...timers: readonly ("setTimeout" | "clearTimeout" | "setInterval" | "clearInterval")[]
): void {
  beforeEach(() => {
    vi.stubGlobal("document", { hidden: true });
    vi.useFakeTimers({ toFake: ["performance", "Date", ...timers] });
  });
  afterEach(() => {
    clearStore();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

export const send = (topic: string, text: string): void =>
  void hear(PREFIX, { topic, payload: Buffer.from(text), retained: false });

export const publish = (topic: string, data: object): void =>
  send(topic, JSON.stringify({ data, metadata: { rxDate: new Date().toISOString(), expireAfterSec: 60 } }));
