/**
 * The entities of the findings about the bus in Home Assistant, all for diagnostics: whether there is a fault or a
 * warning, and the list of findings.
 */
import type { FindingSeverity } from "../../../core/findings/finding.ts";
import { EXPIRE_AFTER_SECONDS } from "../../../core/report/timing.ts";
import type { TopicsBelow } from "../../../core/topics/topics.ts";
import { type Component, type Components, problem } from "./entities.ts";

/** Maximum findings of an attribute: Home Assistant's recorder refuses attributes of more than 16 KiB. */
const MAX_ATTRIBUTES = 20;

const sensors = { fault: "Bus fault", warning: "Bus warning" } as const satisfies Partial<
  Record<FindingSeverity, string>
>;

const listTemplate =
  `{% set ns = namespace(list=[]) %}{% for each in value_json.data.findings[:${MAX_ATTRIBUTES}] %}` +
  "{% set ns.list = ns.list + [each.title ~ ': ' ~ each.measured] %}{% endfor %}" +
  "{{ {'findings': ns.list} | tojson }}";

export const findingComponents = (topics: TopicsBelow): Components => {
  const ofSeverity = ([severity, name]: readonly [string, string]): readonly [string, Component] => {
    const condition = `value_json.data.findings | selectattr('severity', 'eq', '${severity}') | list`;
    return [severity, { ...problem(name, topics.findings(), condition), entity_category: "diagnostic" }];
  };
  return {
    ...Object.fromEntries(Object.entries(sensors).map(ofSeverity)),
    findings: {
      platform: "sensor",
      name: "Findings about the bus",
      state_class: "measurement",
      entity_category: "diagnostic",
      state_topic: topics.findings(),
      expire_after: EXPIRE_AFTER_SECONDS,
      value_template: "{{ value_json.data.findings | length }}",
      json_attributes_topic: topics.findings(),
      json_attributes_template: listTemplate,
    },
  };
};
