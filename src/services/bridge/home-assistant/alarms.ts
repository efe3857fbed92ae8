/**
 * The entities of the alarms in Home Assistant: a binary sensor for each kind, an event for each alarm that is raised,
 * the berth as a switch, and buttons that answer all of them. The sensors read the topic of the kinds: thirty of them would be rendered for
 * each value that the report of the alarms measures.
 */
import { alarmAnswer } from "../../../core/alarms/commands.ts";
import { definitionOf } from "../../../core/alarms/definitions.ts";
import { alarmSettings } from "../../../core/alarms/settings.ts";
import { alarmKinds } from "../../../core/alarms/words.ts";
import { EXPIRE_AFTER_SECONDS } from "../../../core/report/timing.ts";
import type { TopicsBelow } from "../../../core/topics/topics.ts";
import type { Component } from "./entities.ts";

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

/** The components of the device `id`. */
export const alarmComponents = (id: string, topics: TopicsBelow): readonly (readonly [string, Component])[] => [
  ...alarmKinds.map((kind): readonly [string, Component] => [
    kind,
    {
      platform: "binary_sensor",
      name: definitionOf(kind).title,
      unique_id: `${id}_${kind}`,
      device_class: "problem",
      state_topic: topics.alarmKinds(),
      value_template: `{{ 'ON' if '${kind}' in value_json.data.kinds else 'OFF' }}`,
      payload_on: "ON",
      payload_off: "OFF",
      expire_after: EXPIRE_AFTER_SECONDS,
      // A watch that only some crews want.
      ...(!alarmSettings.byDefault[kind].enabled && { enabled_by_default: false }),
    },
  ]),
  [
    "raised",
    {
      platform: "event",
      name: "Alarm raised",
      unique_id: `${id}_raised`,
      event_types: [...alarmKinds],
      state_topic: topics.alarms(),
      value_template: raisedTemplate,
    },
  ],
  [
    "unanswered",
    {
      platform: "binary_sensor",
      name: "Alarm without an answer",
      unique_id: `${id}_unanswered`,
      device_class: "problem",
      state_topic: topics.alarmKinds(),
      value_template: "{{ 'ON' if value_json.data.unanswered else 'OFF' }}",
      payload_on: "ON",
      payload_off: "OFF",
      expire_after: EXPIRE_AFTER_SECONDS,
    },
  ],
  [
    "berth",
    {
      platform: "switch",
      name: "At the berth",
      unique_id: `${id}_berth`,
      icon: "mdi:anchor",
      state_topic: topics.alarms(),
      value_template: "{{ 'ON' if value_json.data.rest | default('') == 'berth' else 'OFF' }}",
      state_on: "ON",
      state_off: "OFF",
      command_topic: topics.berth(),
      payload_on: "{}",
      payload_off: "null",
    },
  ],
  ...alarmAnswer.options.map((answer): readonly [string, Component] => [
    answer,
    {
      platform: "button",
      name: buttonNames[answer],
      unique_id: `${id}_${answer}`,
      command_topic: topics.alarmAnswer({ alarm: "all" }),
      payload_press: answer,
    },
  ]),
];
