/**
 * The rules of Home Assistant for discovery messages, from its documentation and its validators:
 *
 *     https://www.home-assistant.io/integrations/mqtt/            device discovery: topic, members, shared options
 *     https://www.home-assistant.io/integrations/sensor.mqtt/     and binary_sensor.mqtt/, device_tracker.mqtt/
 *     https://www.home-assistant.io/integrations/sensor/          units of each device class
 *     homeassistant/components/sensor/const.py                    DEVICE_CLASS_UNITS, DEVICE_CLASS_STATE_CLASSES
 *     homeassistant/components/mqtt/schemas.py, sensor.py         what a configuration is refused for
 */
import * as z from "zod";

const pressures = ["Pa", "hPa", "kPa", "bar", "cbar", "mbar", "mmHg", "inHg", "psi"];
const lengths = ["mm", "cm", "m", "km", "in", "ft", "yd", "mi", "nmi"];
const speeds = ["m/s", "km/h", "mm/s", "in/s", "ft/s", "mph", "kn", "Beaufort"];
const volumes = ["mL", "L", "m³", "ft³", "CCF", "fl. oz.", "gal"];

/** Units of the numeric device classes that a boat may have; null: it goes without. */
export const deviceClassUnits: Readonly<Record<string, readonly (string | null)[]>> = {
  apparent_power: ["mVA", "VA", "kVA"],
  atmospheric_pressure: pressures,
  battery: ["%"],
  current: ["A", "mA"],
  distance: lengths,
  duration: ["d", "h", "min", "s", "ms"],
  energy: ["J", "kJ", "MJ", "GJ", "mWh", "Wh", "kWh", "MWh", "GWh", "TWh", "cal", "kcal", "Mcal", "Gcal"],
  frequency: ["Hz", "kHz", "MHz", "GHz"],
  humidity: ["%"],
  power: ["mW", "W", "kW", "MW", "GW", "TW", "BTU/h"],
  power_factor: ["%", null],
  pressure: pressures,
  reactive_power: ["mvar", "var", "kvar"],
  speed: [...speeds, "in/d", "in/h", "mm/d", "mm/h"],
  temperature: ["°C", "°F", "K"],
  voltage: ["mV", "V", "µV", "kV", "MV"],
  volume_flow_rate: ["m³/h", "m³/s", "ft³/min", "L/h", "L/min", "L/s", "gal/min", "mL/s"],
  volume_storage: volumes,
  wind_direction: ["°"],
  wind_speed: speeds,
};

/** Sensors have no statistics of texts; those of a direction are means of angles, since release 2025.1. */
const stateClassesOf: Readonly<Record<string, readonly string[]>> = { enum: [], wind_direction: ["measurement_angle"] };

/** A topic that can be subscribed to, without wildcards here. */
const topic = z
  .string()
  .min(1)
  .max(65_535)
  .regex(/^[^+#\0]+$/);
/** Jinja: braces that are opened are closed. */
const template = z
  .string()
  .refine((text) => (text.match(/\{\{|\{%/g) ?? []).length === (text.match(/\}\}|%\}/g) ?? []).length)
  .refine((text) => /\{\{/.test(text));

const common = {
  name: z.string().min(1).nullable(),
  unique_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  enabled_by_default: z.boolean().optional(),
  entity_category: z.enum(["diagnostic"]).optional(),
};

const sensor = z
  .strictObject({
    platform: z.literal("sensor"),
    ...common,
    state_topic: topic,
    value_template: template,
    expire_after: z.int().min(0),
    unit_of_measurement: z.string().min(1).optional(),
    device_class: z.string().optional(),
    state_class: z.enum(["measurement", "measurement_angle", "total", "total_increasing"]).optional(),
    suggested_display_precision: z.int().min(0).optional(),
    options: z.array(z.string().min(1)).min(1).optional(),
    json_attributes_topic: topic.optional(),
    json_attributes_template: template.optional(),
  })
  .refine(({ options, device_class }) => (options !== undefined) === (device_class === "enum"), "options go with enum")
  .refine(
    ({ options, state_class, unit_of_measurement }) =>
      options === undefined || (state_class === undefined && unit_of_measurement === undefined),
    "an enum has neither unit nor state class",
  )
  .refine(
    ({ device_class, unit_of_measurement }) =>
      device_class === undefined ||
      device_class === "enum" ||
      deviceClassUnits[device_class]?.includes(unit_of_measurement ?? null) === true,
    "the unit is not one of the device class",
  )
  .refine(
    ({ device_class, state_class }) =>
      state_class === undefined || (stateClassesOf[device_class ?? ""]?.includes(state_class) ?? true),
    "the device class has no such state class",
  )
  .refine(
    ({ state_class, unit_of_measurement }) => state_class !== "measurement_angle" || unit_of_measurement === "°",
    "a mean of angles is one of degrees",
  )
  .refine(({ options }) => options === undefined || new Set(options).size === options.length, "an option twice");

const binarySensor = z.strictObject({
  platform: z.literal("binary_sensor"),
  ...common,
  state_topic: topic,
  value_template: template,
  expire_after: z.int().min(1),
  payload_on: z.string(),
  payload_off: z.string(),
  device_class: z.enum(["problem"]).optional(),
});

/** Its facts are from https://www.home-assistant.io/integrations/button.mqtt/. */
const button = z.strictObject({
  platform: z.literal("button"),
  ...common,
  command_topic: topic,
  payload_press: z.string(),
});

/** Its facts are from https://www.home-assistant.io/integrations/switch.mqtt/. */
const onOff = z.strictObject({
  platform: z.literal("switch"),
  ...common,
  state_topic: topic,
  value_template: template,
  state_on: z.string(),
  state_off: z.string(),
  command_topic: topic,
  payload_on: z.string().min(1),
  payload_off: z.string().min(1),
  icon: z.string().startsWith("mdi:"),
});

/** Its facts are from https://www.home-assistant.io/integrations/event.mqtt/. */
const event = z.strictObject({
  platform: z.literal("event"),
  ...common,
  event_types: z.array(z.string().min(1)).min(1),
  state_topic: topic,
  value_template: template,
});

const deviceTracker = z.strictObject({
  platform: z.literal("device_tracker"),
  ...common,
  source_type: z.enum(["gps", "router", "bluetooth", "bluetooth_le"]),
  json_attributes_topic: topic,
  json_attributes_template: template,
});

/** The payload of `<prefix>/device/<object id>/config`. */
export const deviceDiscovery = z
  .strictObject({
    device: z.strictObject({
      identifiers: z.array(z.string().min(1)).min(1),
      name: z.string().min(1).optional(),
      manufacturer: z.string().optional(),
      model: z.string().optional(),
      sw_version: z.string().optional(),
      serial_number: z.string().optional(),
    }),
    origin: z.strictObject({
      name: z.string().min(1),
      sw_version: z.string().optional(),
      support_url: z.url().optional(),
    }),
    availability: z.array(z.strictObject({ topic, value_template: template })).min(1),
    availability_mode: z.enum(["all", "any", "latest"]).optional(),
    components: z.record(
      z.string().regex(/^[a-zA-Z0-9_-]+$/),
      z.union([sensor, binarySensor, event, deviceTracker, button, onOff]),
    ),
  })
  .refine(({ components }) => Object.keys(components).length > 0);

export const discoveryTopic = /^[^+#]+\/device\/[a-zA-Z0-9_-]+\/config$/;
