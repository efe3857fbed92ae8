/** The systems of several messages: an engine, a battery, an inverter. */
import type { DeviceMessage as Row } from "../data/store.ts";

/** Whether a device has a row of its own about another system of the same instance. */
function othersOf<Own>(
  { address, data }: Pick<Row<Own>, "address" | "data">,
  rows: readonly Row<Own>[],
  systemOf: (data: Own) => unknown,
): (address: number) => boolean {
  const system = systemOf(data);
  const taken = rows.filter((row) => systemOf(row.data) === system).map((row) => row.address);
  return (other) => other !== address && taken.includes(other);
}

/**
 * Another message about the system of a row: from the row's device, because two devices may use one instance, or from a
 * device without such a row.
 */
export function companionOf<Own, Other>(
  row: Pick<Row<Own>, "address" | "data">,
  rows: readonly Row<Own>[],
  others: readonly Row<Other>[],
  systemOf: (data: Own) => unknown,
  systemOfOther: (data: Other) => unknown,
): Row<Other> | undefined {
  const isOfOther = othersOf(row, rows, systemOf);
  const found = others.filter((other) => systemOfOther(other.data) === systemOf(row.data));
  return found.find(({ address }) => address === row.address) ?? found.find(({ address }) => !isOfOther(address));
}
