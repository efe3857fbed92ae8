/** The entities of the navigation report in Home Assistant. */
import type { Quantity } from "../../../core/n2k/field.ts";
import { fixTypes } from "../../../core/nav/navigation-report.ts";
import { type Component, measureOf } from "./entities.ts";

export interface NavigationEntity {
  readonly key: string;
  /** Path in `data`; the entity exists as soon as a report has had this member. */
  readonly group: string;
  readonly member: string;
  readonly options: Component;
  readonly template: string;
}

/** Unknown if the group is absent, or the member is absent or null. */
const templateOf = (group: string, member: string): string =>
  `{{ (value_json.data.${group} | default({})).${member} | default(None) }}`;

const entity = (group: string, member: string, options: NavigationEntity["options"]): NavigationEntity => ({
  key: `${group}_${member}`,
  group,
  member,
  options,
  template: templateOf(group, member),
});

interface NumberOptions {
  readonly unit?: string;
  readonly quantity?: Quantity;
  /** Options of Home Assistant beyond those of unit and quantity. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The entity is announced disabled. */
  readonly off?: true;
}

const number = (
  group: string,
  member: string,
  name: string,
  { unit, quantity, more, off }: NumberOptions = {},
): NavigationEntity =>
  entity(group, member, {
    platform: "sensor",
    name,
    ...measureOf(unit, quantity),
    suggested_display_precision: quantity === "coordinate" ? 6 : 1,
    ...more,
    ...(off && { enabled_by_default: false }),
  });

// The tracker has the position.
const coordinate = { unit: "deg", quantity: "coordinate", off: true } as const;
const deflection = { unit: "deg", quantity: "deflection", off: true } as const;
const windSpeed = { unit: "kn", quantity: "windSpeed" } as const;
const measurement = { state_class: "measurement" };

export const navigationEntities: readonly NavigationEntity[] = [
  {
    key: "tracker",
    group: "position",
    member: "latitude",
    options: { platform: "device_tracker", name: "Boat", source_type: "gps" },
    template:
      "{% set at = value_json.data.position | default({}) %}" +
      "{{ {'latitude': at.latitude, 'longitude': at.longitude} | tojson if at.latitude is defined else '{}' }}",
  },
  number("position", "latitude", "Latitude", coordinate),
  number("position", "longitude", "Longitude", coordinate),
  number("position", "altitude", "Altitude", { unit: "m", off: true }),
  entity("position", "hasFix", { platform: "binary_sensor", name: "Fix", payload_on: "True", payload_off: "False" }),
  entity("position", "fixType", {
    platform: "sensor",
    name: "Fix type",
    device_class: "enum",
    options: [...fixTypes, "unknown"],
  }),
  number("position", "numSatellites", "Satellites", {
    more: { ...measurement, suggested_display_precision: 0 },
    off: true,
  }),
  number("position", "hdop", "HDOP", { more: measurement, off: true }),
  number("speed_course", "cog", "Course over ground", { unit: "deg" }),
  number("speed_course", "sog", "Speed over ground", { unit: "kn" }),
  number("speed_course", "headingTrue", "Heading true", { unit: "deg" }),
  number("speed_course", "headingMagnetic", "Heading magnetic", { unit: "deg", off: true }),
  number("speed_course", "speedThroughWater", "Speed through water", { unit: "kn" }),
  number("speed_course", "rateOfTurn", "Rate of turn", { unit: "deg/s", off: true }),
  number("speed_course", "variation", "Variation", deflection),
  number("speed_course", "leeway", "Leeway", deflection),
  number("wind_apparent", "speed", "Apparent wind speed", windSpeed),
  number("wind_apparent", "angle", "Apparent wind angle", { unit: "deg" }),
  number("wind_true", "speed", "True wind speed", windSpeed),
  number("wind_true", "angle", "True wind angle", { unit: "deg" }),
  number("wind_true", "direction", "True wind direction", { unit: "deg", more: { device_class: "wind_direction" } }),
  number("depth_water", "depth", "Depth", { unit: "m" }),
  number("depth_water", "waterTemperature", "Water temperature", { unit: "°C" }),
  number("depth_water", "outsideTemperature", "Outside temperature", { unit: "°C" }),
  number("depth_water", "atmosphericPressure", "Atmospheric pressure", {
    unit: "Pa",
    more: { device_class: "atmospheric_pressure" },
  }),
];
