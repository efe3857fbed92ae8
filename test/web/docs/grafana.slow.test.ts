/** The example of a dashboard for Grafana: an engine with the history of the simulated boat answers each of its queries. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, openEngine, withoutEngine } from "../../services/history/engine.ts";
import { killed } from "../../support/ends-with-test.ts";
import { startHubCand } from "../../support/hub-cand.ts";
import { mosquitto, withoutMosquitto } from "../../support/mosquitto.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}
interface Panel {
  readonly title: string;
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly Target[];
}
const { panels, templating } = JSON.parse(readFileSync("packaging/examples/grafana.json", "utf8")) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
};
const targets = panels.flatMap(({ title, targets: all }) => all.map((target) => [title, target] as const));

/** The units of Grafana's panels, and how hub's names of members end that have them. */
const units: Readonly<Record<string, RegExp>> = {
  velocityknot: /^navigation_(wind|speed)\w*([sS]peed|sog|speedThroughWater)$/,
  degree: /_direction$/,
  lengthm: /_depth$/,
  celsius: /(Temperature|TempC)$/,
  pressurehpa: /_atmosphericPressure$/,
  volt: /V$/,
  amp: /A$/,
  percent: /Percent$/,
  rotrpm: /Rpm$/,
  litreh: /Lh$/,
};

test.each(panels)("the panel $title has the unit of its series", ({ fieldConfig, targets: its }) => {
  for (const { expr } of its) expect(/^\w+/.exec(expr)![0]).toMatch(units[fieldConfig.defaults.unit]!);
});

const obstacle = withoutMosquitto ?? withoutEngine;

describe.skipIf(obstacle !== undefined)(`an engine ${obstacle ?? ""}`, () => {
  let engine: Engine;
  const endings: (() => unknown)[] = [];

  const series = async (query: string): Promise<readonly Readonly<Record<string, string>>[]> => {
    await engine.flush();
    const answer = await fetch(`${engine.url}/api/v1/query?query=${encodeURIComponent(query)}`);
    const { data } = (await answer.json()) as { data: { result: { metric: Readonly<Record<string, string>> }[] } };
    return data.result.map(({ metric }) => metric);
  };

  beforeAll(async () => {
    const broker = await mosquitto();
    endings.push(() => broker.stop());
    engine = await openEngine();
    endings.push(() => engine.close());
    await engine.start();
    const queue = temporaryFolder("grafana");
    const url = `mqtt://127.0.0.1:${broker.port}`;
    const args = ["--broker", url, "--lane", "1", "--url", `${engine.url}/write`, "--queue", queue];
    const history = spawn(process.execPath, [resolve("dist/hub-history.mjs"), ...args], { stdio: "ignore" });
    endings.push(() => killed(history));
    const boat = startHubCand(["--simulate", "--lanes", "1", "--broker", url]);
    endings.push(() => killed(boat));
  });
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
  });

  test.each(targets)("answers a query of $0", async (_title, { expr, legendFormat }) => {
    const query = expr.replaceAll("$bus", "can/can0");
    await expect.poll(() => series(query), { timeout: 120_000, interval: 500 }).not.toEqual([]);
    const names = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
    // The sentence of a legend tells its lines apart.
    const lines = (await series(query)).map((metric) => names.map((name) => metric[name]).join(" "));
    expect(new Set(lines).size).toBe(lines.length);
  });

  test("knows the bus of the variable", async () => {
    const { query } = templating.list.find(({ name }) => name === "bus")!.query as { readonly query: string };
    const [, name, label] = /^label_values\((\w+), (\w+)\)$/.exec(query)!;
    await expect
      .poll(async () => (await series(name!)).map((each) => each[label!]), { timeout: 120_000 })
      .toEqual(["can/can0"]);
  });
});
