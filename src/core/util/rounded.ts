/** A number with at most so many decimals. */
export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
