/** Turning to the next page or the one before, by a swipe or an arrow key. */

/** Least length of a swipe, and the least ratio of its width to its height. */
const LEAST_PIXELS = 60;
const LEAST_SLOPE = 2;

export const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select") !== null;

/** Elements in which a finger or an arrow key has a meaning of its own. */
const ownTouch = ".trend, .plot-box, [draggable=true], [data-own-touch]";

const scrollsAcross = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX);

/**
 * Whether a swipe or key that begins at an element turns the page: the element is in the page, and has no use for it.
 */
export function isTurnable(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || isField(target) || target.closest(ownTouch) !== null) return false;
  for (let element: Element | null = target; element !== null; element = element.parentElement)
    if (scrollsAcross(element)) return false;
  return true;
}

/** Calls `turn` with 1 for a swipe to the left, which brings the next page, and with -1 for one to the right. */
export function followSwipes(turn: (step: 1 | -1) => void): void {
  let begin: { readonly x: number; readonly y: number } | undefined;
  addEventListener(
    "touchstart",
    ({ touches, target }) => {
      const [finger] = touches;
      const isOne = touches.length === 1 && target instanceof Element && target.closest("main") !== null;
      begin = isOne && isTurnable(target) ? { x: finger!.clientX, y: finger!.clientY } : undefined;
    },
    { passive: true },
  );
  addEventListener(
    "touchend",
    ({ changedTouches }) => {
      const [finger] = changedTouches;
      if (begin === undefined || finger === undefined) return;
      const [across, along] = [finger.clientX - begin.x, finger.clientY - begin.y];
      const isSwipe = Math.abs(across) >= LEAST_PIXELS && Math.abs(across) >= LEAST_SLOPE * Math.abs(along);
      begin = undefined;
      if (isSwipe) turn(across < 0 ? 1 : -1);
    },
    { passive: true },
  );
}
