/**
 * The entities of the alarms in Home Assistant: a binary sensor for each kind, an event for each alarm that is raised,
 * the berth as a switch, and buttons that answer all of them. The sensors read the topic of the kinds: thirty of them would be rendered for
 * each value that the report of the alarms measures.
 */
import { alarmAnswer } from "../../../core/alarms/commands.ts";
import { definitionOf } from "../../../core/alarms/definitions.ts";
import { alarmSettings } from "../../../core/alarms/settings.ts";
import { type AlarmKind, alarmKinds } from "../../../core/alarms/words.ts";
import type { TopicsBelow } from "../../../core/topics/topics.ts";
import { type Component, type Components, problem } from "./entities.ts";

const buttonNames = { acknowledge: "Acknowledge alarms", silence: "Silence alarms" } as const;

/**
 * An alarm is raised in the message that has the time of its raising. A message without a new alarm is not an event; one
 * with several is an event with the titles of the others.
 */
const raisedTemplate =
  "{% set raised = value_json.data.alarms | selectattr('since', 'eq', value_json.metadata.rxDate) | list %}" +
  "{% if raised %}{{ {'event_type': raised[0].kind, 'id': raised[0].id, 'title': raised[0].title, " +
  "'severity': raised[0].severity, 'name': raised[0].name | default(''), 'text': raised[0].text | default(''), " +
  "'also': raised[1:] | map(attribute='title') | join(', ')} " +
  "| tojson }}{% endif %}";

export const alarmComponents = (topics: TopicsBelow): Components => ({
  ...Object.fromEntries(alarmKinds.map((kind) => [kind, ofKind(kind, topics.alarmKinds())])),
  raised: {
    platform: "event",
    name: "Alarm raised",
    event_types: [...alarmKinds],
    state_topic: topics.alarms(),
    value_template: raisedTemplate,
  },
  unanswered: problem("Alarm without an answer", topics.alarmKinds(), "value_json.data.unanswered"),
  berth: {
    platform: "switch",
    name: "At the berth",
    icon: "mdi:anchor",
    state_topic: topics.alarms(),
    value_template: "{{ 'ON' if value_json.data.rest | default('') == 'berth' else 'OFF' }}",
    state_on: "ON",
    state_off: "OFF",
    command_topic: topics.berth(),
    payload_on: "{}",
    payload_off: "null",
  },
  ...Object.fromEntries(alarmAnswer.options.map((answer) => [answer, buttonOf(answer, topics)])),
});

const ofKind = (kind: AlarmKind, topic: string): Component => ({
  ...problem(definitionOf(kind).title, topic, `'${kind}' in value_json.data.kinds`),
  // A watch that only some crews want.
  ...(!alarmSettings.byDefault[kind].enabled && { enabled_by_default: false }),
});

const buttonOf = (answer: keyof typeof buttonNames, topics: TopicsBelow): Component => ({
  platform: "button",
  name: buttonNames[answer],
  command_topic: topics.alarmAnswer({ alarm: "all" }),
  payload_press: answer,
});
