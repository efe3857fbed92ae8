/** The screens of the page Mine, with the values on each, as the settings of the display keep them. Pure. */

/** Numbers of values that a screen may have. */
export const screenSizes = [1, 2, 3, 4, 6, 9] as const;

export const MOST_SCREENS = 4;

/** The values of the screen: `depth` is a number, `gauge/depth` a gauge, `rose/winds` a rose. */
export type Screen = readonly string[];

const isScreen = (value: unknown): value is Screen =>
  Array.isArray(value) &&
  screenSizes.some((size) => size === value.length) &&
  value.every((one) => typeof one === "string");

/** The stored screens; undefined for anything else. A list of six values is the one screen of earlier versions. */
export function storedScreens(value: unknown): readonly Screen[] | undefined {
  if (isScreen(value)) return [value];
  const isUsable =
    Array.isArray(value) && value.length > 0 && value.length <= MOST_SCREENS && value.every((one) => isScreen(one));
  return isUsable ? value : undefined;
}

/**
 * A screen with more or fewer values; added ones come from `more`, in its order, without those already on the screen.
 */
export function resized(screen: Screen, size: number, more: readonly string[]): Screen {
  const others = more.filter((one) => !screen.includes(one));
  return Array.from({ length: size }, (_, at) => screen[at] ?? others[at - screen.length] ?? more[0]!);
}

export const screenAddress = (at: number): string => (at === 0 ? "mine" : `mine/${at + 1}`);

/** The screen of an address; the first for an unknown one. */
export function screenOfHash(hash: string, count: number): number {
  const at = Number(hash.split("/")[2] ?? 1) - 1;
  return Number.isInteger(at) && at >= 0 && at < count ? at : 0;
}
