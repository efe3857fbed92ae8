/** The entities of the alarms in Home Assistant: a binary sensor for each kind, and buttons that answer all of them. */
import { alarmAnswer } from "../alarms/commands.ts";
import { alarmKinds, definitionOf } from "../alarms/definitions.ts";
import { EXPIRE_AFTER_SECONDS } from "../report/envelope.ts";
import type { Component } from "./home-assistant-entities.ts";
import type { Topics } from "./topics.ts";

const buttonNames = { acknowledge: "Acknowledge alarms", silence: "Silence alarms" } as const;

/** The components of the device `id`. */
export const alarmComponents = (id: string, topics: Topics): readonly (readonly [string, Component])[] => [
  ...alarmKinds.map((kind): readonly [string, Component] => [
    kind,
    {
      platform: "binary_sensor",
      name: definitionOf(kind).title,
      unique_id: `${id}_${kind}`,
      device_class: "problem",
      state_topic: topics.alarms,
      value_template: `{{ 'ON' if value_json.data.alarms | selectattr('kind', 'eq', '${kind}') | list else 'OFF' }}`,
      payload_on: "ON",
      payload_off: "OFF",
      expire_after: EXPIRE_AFTER_SECONDS,
    },
  ]),
  ...alarmAnswer.options.map((answer): readonly [string, Component] => [
    answer,
    {
      platform: "button",
      name: buttonNames[answer],
      unique_id: `${id}_${answer}`,
      command_topic: topics.alarmCommand("all"),
      payload_press: answer,
    },
  ]),
];
