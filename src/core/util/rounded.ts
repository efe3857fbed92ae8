export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
