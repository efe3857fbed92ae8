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
  let touch: AbortController | undefined;
  addEventListener(
    "touchstart",
    ({ touches, target }) => {
      // Of two fingers, and of a touch that the browser has taken over, neither is a swipe.
      touch?.abort();
      const [finger] = touches;
      if (touches.length !== 1 || !(target instanceof Element)) return;
      if (target.closest("main") === null || !isTurnable(target)) return;
      const { clientX: x, clientY: y } = finger!;
      touch = new AbortController();
      // A page that is drawn meanwhile may remove the element; the end of the touch still goes to it, and not further.
      target.addEventListener(
        "touchend",
        (end) => {
          const step = stepOf(x, y, (end as TouchEvent).changedTouches[0]);
          if (step !== undefined) turn(step);
        },
        { passive: true, once: true, signal: touch.signal },
      );
    },
    { passive: true },
  );
}

/** The turn that a finger makes which went down at x and y; undefined if it is no swipe. */
function stepOf(x: number, y: number, finger: Touch | undefined): 1 | -1 | undefined {
  if (finger === undefined) return undefined;
  const [across, along] = [finger.clientX - x, finger.clientY - y];
  if (Math.abs(across) < LEAST_PIXELS || Math.abs(across) < LEAST_SLOPE * Math.abs(along)) return undefined;
  return across < 0 ? 1 : -1;
}
