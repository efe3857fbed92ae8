/** The entities of the findings in Home Assistant, rendered by Jinja. */
import { expect, test } from "vitest";
import type { FindingsData } from "../../../../src/core/findings/report.ts";
import { deviceNameBytes } from "../../../../src/core/n2k/device-name.ts";
import { memoryBridge } from "../../../support/memory-bridge.ts";
import { titled } from "../../../support/size.ts";
import { createBursts } from "../bursts.ts";
import { named } from "../named.ts";
import { rendered, withoutJinja } from "./jinja.ts";

/** Two devices claim one address in turn for half a minute. */
const setUp = (findings: boolean) => {
  const homeAssistant = { prefix: "homeassistant", interface: "can0", version: "1.2.0", hostname: "boat" };
  const { bridge, publisher } = memoryBridge({ prefix: "boat", homeAssistant, findings });
  const start = Date.UTC(2026, 10, 21);
  const burst = createBursts(start);
  for (let second = 0; second < 30; second++) {
    const hex = Buffer.from(deviceNameBytes(named(1 + (second % 2)))).toString("hex");
    bridge.take(burst([{ source: 10, pgn: 60928, hex, at: start + second * 1000 }]));
    for (let at = 0; at < 1000; at += 100) bridge.advance(second * 1000 + at, start + second * 1000 + at);
  }
  return publisher;
};
const topic = "homeassistant/device/hub_findings_can0/config";

const renderedAll = (templates: readonly string[], payload: string): readonly string[] =>
  rendered(templates.map((template) => ({ template, payload })));

test.skipIf(withoutJinja !== undefined)(
  titled("a fault of the bus turns its sensor on, and the list says which it is", withoutJinja),
  () => {
    const publisher = setUp(true);
    const { components } = JSON.parse(publisher.states.get(topic)!);
    const { fault, warning, findings } = components;
    expect(fault).toMatchObject({ platform: "binary_sensor", device_class: "problem", entity_category: "diagnostic" });
    const payload = publisher.states.get(fault.state_topic)!;
    const { data }: { data: FindingsData } = JSON.parse(payload);
    const [isFault, isWarning, count, list] = renderedAll(
      [fault.value_template, warning.value_template, findings.value_template, findings.json_attributes_template],
      payload,
    );
    expect(isFault).toBe("ON");
    expect(isWarning).toBe(data.findings.some(({ severity }) => severity === "warning") ? "ON" : "OFF");
    expect(count).toBe(String(data.findings.length));
    expect(JSON.parse(list!).findings).toContainEqual(expect.stringMatching(/^Devices fight for an address: \S/));
    // Home Assistant refuses attributes of more than 16 KiB.
    const many = Array.from({ length: 30 }, () => ({ title: "Silent", measured: "for 90 s", severity: "warning" }));
    const [long] = renderedAll([findings.json_attributes_template], JSON.stringify({ data: { findings: many } }));
    expect(JSON.parse(long!).findings).toHaveLength(20);
    const quiet = JSON.stringify({ data: { findings: [] } });
    expect(renderedAll([fault.value_template, findings.json_attributes_template], quiet)).toEqual([
      "OFF",
      '{"findings": []}',
    ]);
  },
);

test("where no findings are published they have no entities", () => {
  expect(setUp(false).states.has(topic)).toBe(false);
});
