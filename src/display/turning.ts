/** Directions on a dial: a needle takes the shorter way, and a history does not jump where 360 becomes 0. Pure. */

/**
 * The number of degrees that shows `direction` and is nearest to `before`, so that what turned to 359 goes on to 361 and
 * not back through a whole turn.
 */
export function nearest(before: number, direction: number): number {
  const turned = (direction - before) % 360;
  return before + (turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned);
}

/** Makes the function that follows a direction turn by turn. */
export function createFollower(): (direction: number) => number {
  let shown: number | undefined;
  return (direction) => {
    shown = shown === undefined ? direction : nearest(shown, direction);
    return shown;
  };
}

/** A point so many units from the centre in a direction: 0 is up, degrees go with the clock, y goes down as on screens. */
export function onDial(direction: number, radius: number): { readonly x: number; readonly y: number } {
  const angle = (direction * Math.PI) / 180;
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

/** Two decimals are more than a screen shows. */
const short = (value: number): string => String(Math.round(value * 100) / 100);

/** The path of an arc around the centre, with the clock. */
export function arc(from: number, to: number, radius: number): string {
  const begin = onDial(from, radius);
  const end = onDial(to, radius);
  const large = (((to - from) % 360) + 360) % 360 > 180 ? 1 : 0;
  return `M${short(begin.x)} ${short(begin.y)}A${radius} ${radius} 0 ${large} 1 ${short(end.x)} ${short(end.y)}`;
}
