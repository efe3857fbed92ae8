/** The address of the broker, without a browser: one that no WebSocket has leaves the display with this host's. */
import { afterEach, expect, test, vi } from "vitest";
import { brokerUrl, changeSettings } from "../../../../src/web/display/data/settings.ts";

afterEach(() => {
  changeSettings({ broker: "" });
  vi.unstubAllGlobals();
});

/** The URL with a setting on a page of `boat.local`. */
function urlWith(broker: string, protocol = "http:", search = ""): string {
  vi.stubGlobal("location", { protocol, host: "boat.local", search });
  changeSettings({ broker });
  return brokerUrl();
}

test("the setting and, before it, the query are used where a WebSocket opens there", () => {
  expect(urlWith("")).toBe("ws://boat.local/mqtt");
  expect(urlWith("ws://boat:9001")).toBe("ws://boat:9001");
  expect(urlWith("wss://boat/mqtt")).toBe("wss://boat/mqtt");
  expect(urlWith("ws://boat:9001", "http:", "?broker=ws://other")).toBe("ws://other");
  expect(urlWith("ws://boat:9001", "http:", "?broker=")).toBe("ws://boat:9001");
});

test.each(["boat.local", "192.168.1.5", "boat:9001", "mqtt://boat", "http://boat/mqtt", "ws://", "ws://a b", "/mqtt"])(
  "%s is no address of a broker: this host is used",
  (wrong) => {
    expect(urlWith(wrong)).toBe("ws://boat.local/mqtt");
    expect(urlWith("ws://boat:9001", "http:", `?broker=${encodeURIComponent(wrong)}`)).toBe("ws://boat:9001");
  },
);

test("a page over https uses an encrypted one alone, because browsers refuse others", () => {
  expect(urlWith("ws://boat:9001", "https:")).toBe("wss://boat.local/mqtt");
  expect(urlWith("wss://boat/mqtt", "https:")).toBe("wss://boat/mqtt");
});
