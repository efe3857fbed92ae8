/** Numbers on the wire and as published: the raw numbers that are published, and the conversion between both. */
import type { AlsoField, NumberField } from "./field.ts";
import type { Scale, Unit } from "./units.ts";

/** Limit of counts of the last decimal: a double has three more bits than this, so that conversions stay exact. */
const EXACT = 2 ** 50;

/** Lowest and highest raw number that is published: a value, within the published range, and exact in a double. */
export function rawLimits({ wire, scale, range }: Pick<NumberField, "wire" | "scale" | "range">): [number, number] {
  const step = scale.times / scale.per;
  const [low, high] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const exact = EXACT / (step * 10 ** scale.decimals);
  return [
    Math.max(wire.lowest, Math.ceil((low - scale.offset) / step - 1e-6), -exact),
    Math.min(wire.highest, Math.floor((high - scale.offset) / step + 1e-6), exact),
  ];
}

/** Factor (or divisor) and addend from a raw number to an integer count of the last decimal. */
export function scaling({ times, per, offset, decimals }: Scale): { factor: number; divisor: number; addend: number } {
  const power = 10 ** decimals;
  const factor = (times * power) / per;
  const divisor = per / (times * power);
  const near = (value: number): number =>
    Math.abs(value - Math.round(value)) < 1e-9 * value ? Math.round(value) : value;
  const addend = Number((offset * power).toFixed(6));
  return Number.isInteger(near(divisor)) && divisor > 1
    ? { factor: 1, divisor: near(divisor), addend }
    : { factor: near(factor), divisor: 1, addend };
}

const composed = (base: NumberField, unit: Unit): Scale => {
  const times = base.scale.times * unit.times;
  const per = base.scale.per * unit.per;
  const decimals = Math.min(10, Math.max(0, Math.ceil(-Math.log10(times / per) - 1e-9)));
  return { times, per, offset: base.scale.offset * (unit.times / unit.per), decimals };
};

/** The number field of an `also`: the field of its base, in the unit of the `also`. */
export const alsoNumber = (base: NumberField, { unit }: AlsoField): NumberField =>
  unit === undefined
    ? base
    : { ...base, scale: composed(base, unit), range: undefined, integer: false, unit: unit.name };
