/** The metrics against the published format: https://prometheus.io/docs/instrumenting/exposition_formats/ (0.0.4). */
import { expect, test } from "vitest";
import { discardReasons } from "../../../../src/core/ports/packet-source.ts";
import type { Health } from "../../../../src/core/topics/health.ts";
import { metricsText, type ProcessVitals } from "../../../../src/services/bridge/health/metrics.ts";

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const unescaped = (text: string, known: string): string =>
  text.replaceAll(/\\(.)/gs, (_, letter: string) => {
    if (!known.includes(letter)) throw new Error(`\\${letter} is no escape`);
    return letter === "n" ? "\n" : letter;
  });

/** Reads a text strictly; throws where it is not what the format says. */
function parse(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | undefined;
  let open: Family | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, word, name, rest] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? [];
    if (word === "HELP") help = { name: name!, text: unescaped(rest!, "\\n") };
    else if (word === "TYPE") {
      if (help?.name !== name || families.has(name!)) throw new Error(`TYPE of ${name} without its HELP, or twice`);
      if (!/^(counter|gauge|histogram|summary|untyped)$/.test(rest!)) throw new Error(`${rest} is no type`);
      open = { name: name!, help: help!.text, type: rest!, samples: [] };
      families.set(name!, open);
    } else {
      const sample = /^([a-zA-Z_:][\w:]*)\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\} (\S+)$/.exec(line);
      if (sample === null) throw new Error(`not a line of the format: ${line}`);
      const [, sampled, labels, value] = sample;
      if (sampled !== open?.name) throw new Error(`${sampled} stands apart from its family`);
      if (seen.has(`${sampled}{${labels}}`)) throw new Error(`${line} is there twice`);
      seen.add(`${sampled}{${labels}}`);
      if (!Number.isFinite(Number(value))) throw new Error(`${value} is no number`);
      const pairs = [...labels!.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/gs)];
      open!.samples.push({
        labels: Object.fromEntries(pairs.map(([, label, text]) => [label, unescaped(text!, '\\"n')])),
        value: Number(value),
      });
    }
  }
  return families;
}

const health: Health = {
  uptimeSec: 61,
  frames: 1000,
  framesIgnored: { standard: 1, remote: 2, error: 3, noAddress: 4, canFd: 5 },
  framesLost: { kernel: 5, ring: 6 },
  packets: { single: 7, fast: 8, isoTp: 9 },
  packetsDiscarded: { isoTimeout: 10 },
  malformed: 11,
  unusedTransducers: { SAUNA: 32, MAST: 33 },
  decodeErrors: 12,
  refused: 13,
  unknown: 14,
  published: 15,
  ignoredSettings: Array(19).fill({ file: "deploy.json", entry: "can", reason: "pgn" }),
  busLoadPercent: 12.5,
  dropped: 16,
  backlogBytes: 17,
  memoryBytes: 18,
  recorded: 20,
  recordDropped: 21,
  frameClients: 22,
  frameClientsDropped: { slow: 23, refused: 24 },
  frameClientBytes: 25,
  framesNotServed: 26,
};

const gateway = {
  source: "actisense:///dev/ttyUSB0",
  since: "2026-11-21T08:14:26.123Z",
  connections: 27,
  receivedBytes: 28,
  refused: 29,
  busLoadPercent: 43,
  droppedPercent: 4,
  receiveErrorCounter: 30,
  transmitErrorCounter: 31,
};

const vitals: ProcessVitals = { cpuSeconds: 1.25, startTimeSeconds: 1795248866.123, version: "1.2.3" };
const textOf = (of: Health, interfaceName: string): string => metricsText({ health: of }, interfaceName, vitals);

test("metricsText is what the format says, and carries every counter of the health and of a gateway", () => {
  const families = parse(metricsText({ health, status: { up: true, gateway } }, "can0", vitals));
  const values = (name: string): (readonly [string, number])[] =>
    families.get(name)!.samples.map(({ labels, value }) => {
      const { interface: of, ...more } = labels;
      expect(of).toBe("can0");
      return [Object.values(more).join(), value] as const;
    });
  expect(values("hub_can_frames_total")).toEqual([["", 1000]]);
  expect(values("hub_can_frames_ignored_total")).toEqual(Object.entries(health.framesIgnored));
  expect(values("hub_can_frames_lost_total")).toEqual(Object.entries(health.framesLost));
  expect(values("hub_can_packets_total")).toEqual(Object.entries(health.packets));
  expect(values("hub_can_packets_discarded_total")).toEqual(
    discardReasons.map((reason) => [reason, reason === "isoTimeout" ? 10 : 0]),
  );
  expect(values("hub_can_transducers_unused_total")).toEqual(Object.entries(health.unusedTransducers!));
  expect(values("hub_can_bus_load_ratio")).toEqual([["", 0.125]]);
  const all = [...families.values()].flatMap(({ samples }) => samples.map(({ value }) => value));
  for (const number of [61, ...Array.from({ length: 21 }, (_, index) => 11 + index)]) expect(all).toContain(number);
  expect(values("hub_can_gateway_up")).toEqual([["", 1]]);
  expect(values("hub_can_gateway_dropped_ratio")).toEqual([["", 0.04]]);
});

test("names are those that Prometheus recommends: counters end in total, gauges in their base unit", () => {
  for (const { name, type, help } of parse(
    metricsText({ health, status: { up: true, gateway } }, "can0", vitals),
  ).values()) {
    expect(help, name).toMatch(/\.$/);
    expect(name).toMatch(
      type === "counter"
        ? /^(hub_can_[a-z_]+|process_cpu_seconds)_total$/
        : /^(hub_can|process)_[a-z_]+_(seconds|bytes|ratio|info|ignored|clients|up|error_counter)$/,
    );
  }
});

test("what cannot be told has no family", () => {
  const { busLoadPercent: _, memoryBytes: __, dropped: ___, backlogBytes: ____, ...rest } = health;
  const families = parse(textOf(rest, "can0"));
  for (const name of ["hub_can_bus_load_ratio", "process_resident_memory_bytes", "hub_can_messages_dropped_total"])
    expect(families.has(name), name).toBe(false);
  const { droppedPercent: _____, ...without } = gateway;
  const away = parse(metricsText({ health, status: { up: false, gateway: without } }, "can0", vitals));
  expect(away.has("hub_can_gateway_dropped_ratio")).toBe(false);
  expect(away.get("hub_can_gateway_up")!.samples).toMatchObject([{ value: 0 }]);
  expect(parse(metricsText({ health, status: { up: true } }, "can0", vitals)).has("hub_can_gateway_up")).toBe(false);
});

test("a process tells its CPU time, its start and its build by the names that dashboards know", () => {
  const families = parse(textOf(health, "can0"));
  expect(families.get("process_cpu_seconds_total")).toMatchObject({ type: "counter", samples: [{ value: 1.25 }] });
  expect(families.get("process_start_time_seconds")).toMatchObject({
    type: "gauge",
    samples: [{ value: 1795248866.123 }],
  });
  expect(families.get("hub_can_build_info")).toMatchObject({
    type: "gauge",
    samples: [{ labels: { interface: "can0", version: "1.2.3" }, value: 1 }],
  });
});

test("labels are escaped", () => {
  const name = 'a"b\\n\nc';
  for (const { samples } of parse(textOf(health, name)).values())
    for (const { labels } of samples) expect(labels.interface).toBe(name);
});

test("findings are counted by kind, and a kind without one is 0", () => {
  const finding = { severity: "fault", title: "", measured: "", advice: "", since: "2026-11-21T08:00:00Z" } as const;
  const findings = {
    findings: [
      { ...finding, id: "load", kind: "load" },
      { ...finding, id: "vanished-3", kind: "vanished" },
      { ...finding, id: "vanished-4", kind: "vanished" },
    ],
  };
  const { type, samples } = parse(metricsText({ health, findings }, "can0", vitals)).get("hub_can_findings")!;
  expect(type).toBe("gauge");
  const counts = Object.fromEntries(samples.map(({ labels, value }) => [labels.kind, value]));
  expect(counts).toMatchObject({ load: 1, vanished: 2, busOff: 0 });
});
