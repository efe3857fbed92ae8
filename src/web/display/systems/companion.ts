/** The systems of several messages: an engine, a battery, an inverter. */
import type { DeviceMessage as Row } from "../data/store.ts";

/**
 * Another message about the system of a row: from the row's device, because two devices may use one instance, or from a
 * device without such a row.
 */
export function companionOf<Own, Other>(
  { address, data }: Pick<Row<Own>, "address" | "data">,
  rows: readonly Row<Own>[],
  others: readonly Row<Other>[],
  systemOf: (data: Own) => unknown,
  systemOfOther: (data: Other) => unknown,
): Row<Other> | undefined {
  const system = systemOf(data);
  const taken = rows.filter((row) => systemOf(row.data) === system).map((row) => row.address);
  const found = others.filter((other) => systemOfOther(other.data) === system);
  return found.find((other) => other.address === address) ?? found.find((other) => !taken.includes(other.address));
}
