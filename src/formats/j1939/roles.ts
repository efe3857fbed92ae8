/**
 * The role of a device of a J1939 network, by its source address (SAE J1939, appendix B) or by the function in its NAME,
 * and its number among those of its kind, from 0.
 */
import { namePartsOf } from "../../core/n2k/device-name.ts";

type Kind = "engine" | "transmission";

export interface Role {
  readonly kind: Kind;
  readonly number: number;
}

/** Source addresses that are preferred on every network. */
const byAddress: ReadonlyMap<number, Role> = new Map([
  [0, { kind: "engine", number: 0 }],
  [1, { kind: "engine", number: 1 }],
  [3, { kind: "transmission", number: 0 }],
  [4, { kind: "transmission", number: 1 }],
]);

/** Functions below 128 mean the same in every industry group. */
const byFunction: ReadonlyMap<number, Kind> = new Map([
  [0, "engine"],
  [3, "transmission"],
]);

/** Undefined for a device that is neither; `name` is its NAME if it is known. */
export function roleOf(address: number, name: bigint | undefined): Role | undefined {
  const role = byAddress.get(address);
  if (role !== undefined || name === undefined) return role;
  const { functionCode, functionInstance: number } = namePartsOf(name);
  const kind = byFunction.get(functionCode);
  return kind && { kind, number };
}
