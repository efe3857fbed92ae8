/** The names of thermometers in one list: by place and instance, with the device where that is not one of them. */
import type { Message } from "../../../core/n2k/definition.ts";
import { placeOfTemperature } from "../../../core/n2k/lookups.ts";
import type { temperature } from "../../../core/n2k/pgns/environment.ts";
import { manufacturerOf, nameAt } from "../data/device-names.ts";
import { type DeviceMessage, store } from "../data/store.ts";
import { said } from "../languages/say.ts";

export type TemperatureRow = DeviceMessage<Message<typeof temperature>>;

/** Whether the device is a sensor or talker that is on no bus; of a sensor the crew knows the name, not the number. */
function isStandIn(address: number): boolean {
  const information = store.infos.get(address)?.data;
  return information !== undefined && manufacturerOf(information) === undefined;
}

/** The place of a thermometer, or its device and instance if the place is unknown. */
function placeOf({ address, data: { source, instance } }: TemperatureRow): string {
  const device = nameAt(address);
  const place = typeof source === "string" ? said(placeOfTemperature(source)) : device;
  const isNamed = place !== device && isStandIn(address);
  const numbered = instance === undefined || (isNamed && instance === 0) ? place : `${place} ${instance}`;
  return isNamed ? `${numbered} · ${device}` : numbered;
}

/** Adds what tells rows apart where several have one text. */
function toldApart(
  rows: readonly TemperatureRow[],
  texts: readonly string[],
  more: (row: TemperatureRow) => string,
): readonly string[] {
  const isOneOfSeveral = (text: string): boolean => texts.filter((each) => each === text).length > 1;
  return texts.map((text, at) => (isOneOfSeveral(text) ? `${text} · ${more(rows[at]!)}` : text));
}

/** A name for each row, in their order; of two devices of one name also the address. */
export function thermometerNames(rows: readonly TemperatureRow[]): readonly string[] {
  const withDevices = toldApart(rows, rows.map(placeOf), ({ address }) => nameAt(address));
  return toldApart(rows, withDevices, ({ address }) => String(address));
}
