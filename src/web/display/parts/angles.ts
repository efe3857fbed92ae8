/** Angle unwrapping and dial geometry. Pure. */

/**
 * The angle equivalent to `direction` that is nearest to `before`, so that a needle takes the shorter way.
 *
 * @example unwrapAngle(359, 1) === 361
 */
export function unwrapAngle(before: number, direction: number): number {
  const turned = (direction - before) % 360;
  return before + (turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned);
}

export function createAngleUnwrapper(): (direction: number) => number {
  let shown: number | undefined;
  return (direction) => {
    shown = shown === undefined ? direction : unwrapAngle(shown, direction);
    return shown;
  };
}

/** The point at `radius` from the centre in screen coordinates; 0 degrees is up, clockwise positive. */
export function pointOnDial(direction: number, radius: number): { readonly x: number; readonly y: number } {
  const angle = (direction * Math.PI) / 180;
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

/** Two decimals of an SVG unit are finer than a pixel. */
const rounded = (value: number): string => String(Math.round(value * 100) / 100);

/** SVG path of a clockwise arc around the centre. */
export function arc(from: number, to: number, radius: number): string {
  const begin = pointOnDial(from, radius);
  const end = pointOnDial(to, radius);
  const large = (((to - from) % 360) + 360) % 360 > 180 ? 1 : 0;
  return `M${rounded(begin.x)} ${rounded(begin.y)}A${radius} ${radius} 0 ${large} 1 ${rounded(end.x)} ${rounded(end.y)}`;
}
