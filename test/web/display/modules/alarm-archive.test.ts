/** The history of the alarms of the page, from a real engine with what hub-history writes, without a browser. */
import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import type { PastAlarm } from "../../../../src/core/alarms/report.ts";
import { History } from "../../../../src/services/history/history.ts";
import { keptAlarms, withArchive } from "../../../../src/web/display/alarms/alarm-archive.ts";
import { pastState } from "../../../../src/web/display/trend/boat-history.ts";
import { openEngine, withoutEngine } from "../../../services/history/engine.ts";

afterEach(() => {
  pastState.value = "none";
  vi.unstubAllGlobals();
});

test("beside a simulation, which keeps no history, the alarms of the report are the history", () => {
  const of = { kind: "cpa", severity: "alarm", title: "Close approach", since: dated(2000) } as const;
  const [lasting, ended] = [
    { ...of, id: "cpa-1", state: "active" as const },
    { ...of, id: "cpa-2", since: dated(1000), until: dated(1500) },
  ];
  const past = withArchive(keptAlarms({ alarms: [lasting], rectified: [ended], watching: {} }), 0);
  expect(past.map(({ id }) => id)).toEqual(["cpa-1", "cpa-2"]);
});

const HOUR_MS = 3_600_000;
const MAX_KEPT = 200;

/** What nginx does with a query by the snippet of the package: the status, or the query for the engine. */
function proxied(path: string): string | undefined {
  const snippet = readFileSync("packaging/nginx/hub-history.conf", "utf8");
  const pattern = /\$args !~ "(.*)"\) \{/.exec(snippet)![1]!;
  const added = /query_range\?\$args(\S*);/.exec(snippet)![1]!;
  const args = path.slice(path.indexOf("?") + 1);
  return new RegExp(pattern).test(args) ? `/api/v1/query_range?${args}${added}` : undefined;
}

const dated = (ms: number): string => new Date(ms).toISOString();

test.skipIf(withoutEngine)(`has the alarms that hub-cand does not keep any more ${withoutEngine ?? ""}`, async () => {
  const engine = await openEngine();
  try {
    await engine.start();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const alarm = (id: string, sinceMs: number, more: object = {}): PastAlarm => ({
      id,
      kind: "depth",
      severity: "alarm",
      title: "Shallow water",
      since: dated(sinceMs),
      until: dated(sinceMs + 90_000),
      ...more,
    });
    const fire = { kind: "external", title: 'Fire, "engine room", 3 °C', severity: "emergency", text: "a=b, c" };
    const depth = { value: 1.25, limit: 2, unit: "m", acknowledged: dated(now - 29 * HOUR_MS) };
    const old = [alarm("depth", now - 30 * HOUR_MS, depth), alarm("external-fire", now - 80 * 24 * HOUR_MS, fire)];
    // Every twelve minutes between the two, of a season with a bad sensor.
    const season = Array.from({ length: 9000 }, (_, index) =>
      alarm("depth", now - 31 * HOUR_MS - (index * HOUR_MS) / 5),
    );
    // As many as hub-cand keeps, which are in both.
    const kept = Array.from({ length: MAX_KEPT }, (_, index) => alarm("depth", now - HOUR_MS - index * 200_000));
    const lines: string[] = [];
    const history = new History({ prefix: "can/can0", lane: 1, onLine: (line) => void lines.push(line) });
    const hear = (alarms: readonly PastAlarm[]): void => {
      const metadata = { rxDate: dated(now), rxTimestamp: 0, expireAfterSec: 60 };
      history.hear("can/can0/alarms/history", Buffer.from(JSON.stringify({ data: { alarms }, metadata })), false);
    };
    // It was acknowledged after its end: the series without the answer stays.
    hear([{ ...old[0]!, acknowledged: undefined } as PastAlarm]);
    hear([...old, ...season]);
    hear(kept);
    await fetch(`${engine.url}/write`, { method: "POST", body: lines.join("") });
    await engine.flush();

    const { fetch: real } = globalThis;
    vi.stubGlobal("document", { hidden: true });
    vi.stubGlobal("fetch", async (path: string) => {
      const query = proxied(path);
      return query === undefined ? new Response("", { status: 400 }) : await real(engine.url + query);
    });
    pastState.value = "there";
    await vi.waitFor(() => expect(withArchive(kept, performance.now()).length).toBeGreaterThan(MAX_KEPT), 240_000);
    const all = withArchive(kept, performance.now());
    expect(all.slice(0, MAX_KEPT)).toEqual(kept);
    expect(all.slice(MAX_KEPT)).toEqual([old[0], ...season, old[1]]);
  } finally {
    await engine.close();
  }
});
