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

export const send = (topic: string, text: string, retained = false): void =>
  void hear(PREFIX, { topic, payload: Buffer.from(text), retained });

/** The text of a message that was made now, or at another time. */
export const messageText = (data: object, rxDate = new Date().toISOString()): string =>
  JSON.stringify({ data, metadata: { rxDate, expireAfterSec: 60 } });

export const publish = (topic: string, data: object): void => send(topic, messageText(data));

/** A local storage of the browser, with what it keeps. */
export function stubStorage(kept = new Map<string, string>()): Map<string, string> {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  return kept;
}
