/** The navigation report read as Home Assistant's entities, a row each. */
import { fixTypes } from "../nav/report.ts";
import { type Component, measureOf } from "./home-assistant-entities.ts";

export interface NavigationEntity {
  readonly key: string;
  /** Its place in `data`; when that is there, the entity is. */
  readonly group: string;
  readonly member: string;
  readonly options: Omit<Component, "unique_id"> & Pick<Component, "platform" | "name">;
  readonly template: string;
}

/** A group may be absent, a member may be absent or null: all of them are unknown. */
const templateOf = (group: string, member: string): string =>
  `{{ (value_json.data.${group} | default({})).${member} | default(None) }}`;

const entity = (group: string, member: string, options: NavigationEntity["options"]): NavigationEntity => ({
  key: `${group}_${member}`,
  group,
  member,
  options,
  template: templateOf(group, member),
});

const number = (
  group: string,
  member: string,
  name: string,
  unit: string | undefined,
  more: Readonly<Record<string, unknown>> = {},
): NavigationEntity =>
  entity(group, member, {
    platform: "sensor",
    name,
    ...measureOf(member, unit),
    suggested_display_precision: /itude$/.test(member) && unit === "deg" ? 6 : 1,
    ...more,
  });

const windSpeed = { device_class: "wind_speed" };

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
  number("position", "latitude", "Latitude", "deg"),
  number("position", "longitude", "Longitude", "deg"),
  number("position", "altitude", "Altitude", "m"),
  entity("position", "hasFix", { platform: "binary_sensor", name: "Fix", payload_on: "True", payload_off: "False" }),
  entity("position", "fixType", {
    platform: "sensor",
    name: "Fix type",
    device_class: "enum",
    options: [...fixTypes, "unknown"],
  }),
  number("position", "numSatellites", "Satellites", undefined, {
    state_class: "measurement",
    suggested_display_precision: 0,
  }),
  number("position", "hdop", "HDOP", undefined, { state_class: "measurement" }),
  number("speed_course", "cog", "Course over ground", "deg"),
  number("speed_course", "sog", "Speed over ground", "kn"),
  number("speed_course", "headingTrue", "Heading true", "deg"),
  number("speed_course", "headingMagnetic", "Heading magnetic", "deg"),
  number("speed_course", "speedThroughWater", "Speed through water", "kn"),
  number("speed_course", "rateOfTurn", "Rate of turn", "deg/s"),
  number("speed_course", "variation", "Variation", "deg"),
  number("speed_course", "leeway", "Leeway", "deg", { state_class: "measurement" }),
  number("wind_apparent", "speed", "Apparent wind speed", "kn", windSpeed),
  number("wind_apparent", "angle", "Apparent wind angle", "deg"),
  number("wind_true", "speed", "True wind speed", "kn", windSpeed),
  number("wind_true", "angle", "True wind angle", "deg"),
  number("wind_true", "direction", "True wind direction", "deg", { device_class: "wind_direction" }),
  number("depth_water", "depth", "Depth", "m"),
  number("depth_water", "waterTemperature", "Water temperature", "°C"),
  number("depth_water", "outsideTemperature", "Outside temperature", "°C"),
  number("depth_water", "atmosphericPressure", "Atmospheric pressure", "Pa", { device_class: "atmospheric_pressure" }),
];
