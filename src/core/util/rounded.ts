/** A number rounded to a number of decimals. */
export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
