/** The subscriptions of the display, without a browser: the topics of a page that was left are sent no more. */
import { expect, onTestFinished, test, vi } from "vitest";
import { scriptedBroker } from "../../../adapters/node/mqtt/scripted-broker.ts";

/** Timers are the test's own. */
async function turns(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

test("a page that follows another one unsubscribes from what only that one had, and asks for what is new alone", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.resetModules();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.resetModules();
  });
  const { port, sessions } = await scriptedBroker();
  const { connect, connectionState, subscribeTo } = await import("../../../../src/web/display/data/connection.ts");
  subscribeTo(["navigation", "ais"]);
  connect(`mqtt://127.0.0.1:${port}`, () => {});
  const requests = (): readonly (readonly string[])[] =>
    (sessions[0]?.packets ?? []).flatMap((packet): readonly (readonly string[])[] => {
      if (packet.cmd === "subscribe") return [["subscribe", ...packet.subscriptions.map(({ topic }) => topic)]];
      return packet.cmd === "unsubscribe" ? [["unsubscribe", ...packet.unsubscriptions]] : [];
    });
  await turns(() => requests().length > 0);
  subscribeTo(["navigation", "devices"]);
  subscribeTo(["navigation"]);
  subscribeTo(["navigation", "health"]);
  await turns(() => requests().flat().includes("health"));
  expect(requests()).toEqual([
    ["subscribe", "navigation", "ais"],
    ["unsubscribe", "ais"],
    ["subscribe", "devices"],
    ["unsubscribe", "devices"],
    ["subscribe", "health"],
  ]);
  sessions[0]!.end();
  await turns(() => connectionState.peek() === "lost");
});

test("a connection that another one has replaced does not say that the boat is lost when it closes", async () => {
  vi.resetModules();
  onTestFinished(() => {
    vi.resetModules();
  });
  const { port, sessions } = await scriptedBroker();
  const { connect, connectionState, renew } = await import("../../../../src/web/display/data/connection.ts");
  const states: string[] = [];
  onTestFinished(connectionState.subscribe((state) => void states.push(state)));
  connect(`mqtt://127.0.0.1:${port}`, () => {});
  await turns(() => connectionState.peek() === "connected");
  renew();
  await turns(() => sessions.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(states).not.toContain("lost");
  sessions[1]!.end();
  await turns(() => connectionState.peek() === "lost");
});
