import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulatedCandump } from "../../src/services/simulation/candump-text.ts";
import { linesOf, runHubCand } from "../support/hub-cand.ts";
import { type Mosquitto, mosquitto, type Subscriber, subscriber, withoutMosquitto } from "../support/mosquitto.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let voyage: string;
beforeAll(() => {
  folder = temporaryFolder("cand-mqtt");
  voyage = join(folder, "voyage.log");
  writeFileSync(voyage, [...simulatedCandump(120_000, Date.UTC(2026, 10, 21))].join(""));
});

const url = ({ port }: Mosquitto): string => `mqtt://127.0.0.1:${port}`;
const isStream = (topic: string): boolean => /\/(pgn\/\d+|navigation|ais)$/.test(topic);

describe.skipIf(withoutMosquitto !== undefined)(`hub-cand and a real broker ${withoutMosquitto ?? ""}`, () => {
  let broker: Mosquitto;
  let listener: Subscriber;
  beforeAll(async () => {
    broker = await mosquitto();
    listener = await subscriber(broker.port);
  });
  afterAll(async () => {
    await listener.close();
    await broker.stop();
  });

  /** All stream messages of a recording, as they arrive at a subscriber and as they are printed. */
  const bothWays = async (path: string): Promise<[string[], string[]]> => {
    listener.clear();
    const published = await runHubCand(["--replay", path, "--speed", "0", "--broker", url(broker)]);
    expect(published.code, published.stderr).toBe(0);
    // The goodbye is the last that leaves.
    await listener.until(({ topic, payload }) => topic === "app/can-can0/info" && payload.includes('"online":false'));
    const printed = await runHubCand(["--replay", path, "--speed", "0", "--stdout"]);
    const line = (topic: string, payload: unknown): string => `${topic} ${JSON.stringify(payload)}`;
    return [
      listener.messages
        .filter(({ topic }) => isStream(topic))
        .map(({ topic, payload }) => line(topic, JSON.parse(payload))),
      linesOf(printed.stdout)
        .filter(({ topic }) => isStream(topic))
        .map(({ topic, payload }) => line(topic, payload)),
    ];
  };

  test("every message of a voyage arrives once, in order, as it is printed", async () => {
    const [arrived, printed] = await bothWays(voyage);
    expect(printed.length).toBeGreaterThan(10_000);
    expect(arrived).toEqual(printed);
  });
});
