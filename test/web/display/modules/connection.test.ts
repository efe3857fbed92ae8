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

test.each([
  [[4, 5], undefined, { isHeard: true }, 5],
  [[4], undefined, { isHeard: true }, 4],
  [[], undefined, { isHeard: false, why: "Connection refused: Unacceptable protocol version" }, 4],
  [[4, 5], "#", { isHeard: false, why: "Subscribe error: Not authorized" }, 5],
])(
  "all topics are listened to at a broker that takes MQTT %j and refuses %s",
  async (versions, refused, told, version) => {
    vi.resetModules();
    onTestFinished(() => {
      vi.resetModules();
    });
    const { port, sessions } = await scriptedBroker(refused === undefined ? [] : [refused], undefined, versions);
    const { connect, listenToAll } = await import("../../../../src/web/display/data/connection.ts");
    connect(`mqtt://127.0.0.1:${port}`, () => {});
    const states: unknown[] = [];
    const heard: string[] = [];
    onTestFinished(
      listenToAll(
        1000,
        (topic) => heard.push(topic),
        (state) => states.push(state),
      ),
    );
    await vi.waitFor(() => expect(states).toContainEqual(told), { timeout: 8000 });
    expect(states[0]).toEqual(told);
    if (!told.isHeard) return;
    const own = sessions.at(-1)!;
    expect(own.packets[0]).toMatchObject({ cmd: "connect", protocolVersion: version });
    own.send({ cmd: "publish", topic: "a/b", payload: "1", qos: 0, dup: false, retain: false });
    await vi.waitFor(() => expect(heard).toEqual(["a/b"]));
    // What ends the connection is told, and it is made again.
    own.end();
    await vi.waitFor(() => expect(states).toContainEqual({ isHeard: false, why: "the broker does not answer" }));
  },
);
