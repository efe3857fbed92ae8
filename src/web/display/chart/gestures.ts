/** Fingers, or a mouse, that move a plot and stretch it. */
import type { Point } from "./view.ts";

export interface Hands {
  /** Moved by pixels. */
  readonly drag: (by: Point) => void;
  /** Stretched by a factor since two fingers came down. */
  readonly stretch: (factor: number) => void;
  /** No finger is down any more. */
  readonly rest: () => void;
}

/** Pixels that a finger may tremble at a tap. */
const LEAST_DRAG = 8;

const distanceOf = ([one, other]: readonly Point[]): number =>
  one === undefined || other === undefined ? 0 : Math.hypot(one.x - other.x, one.y - other.y);

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** Follows the pointers of an element until the returned function is called. */
export function followHands(element: Element, { drag, stretch, rest }: Hands): () => void {
  const fingers = new Map<number, Point>();
  let middle: Point = { x: 0, y: 0 };
  let spread = 0;
  let isMoving = false;
  const begin = (): void => {
    middle = middleOf([...fingers.values()]);
    spread = distanceOf([...fingers.values()]);
  };
  const down = ({ pointerId, clientX, clientY, button }: PointerEvent): void => {
    // The menu of the second button takes its release.
    if (button !== 0 || fingers.size === 2) return;
    fingers.set(pointerId, { x: clientX, y: clientY });
    isMoving ||= fingers.size === 2;
    begin();
  };
  const move = (event: PointerEvent): void => {
    const { pointerId, clientX, clientY, buttons } = event;
    if (!fingers.has(pointerId)) return;
    // A mouse that was released outside of the element, before it had moved far enough for the capture.
    if (buttons === 0) return up(event);
    fingers.set(pointerId, { x: clientX, y: clientY });
    const now = middleOf([...fingers.values()]);
    const by = { x: now.x - middle.x, y: now.y - middle.y };
    if (!isMoving && Math.hypot(by.x, by.y) < LEAST_DRAG) return;
    // A capture keeps a drag from ending as a tap on a ship.
    if (!isMoving) element.setPointerCapture(pointerId);
    isMoving = true;
    middle = now;
    if (fingers.size === 2 && spread > 0) stretch(distanceOf([...fingers.values()]) / spread);
    else drag(by);
  };
  const up = ({ pointerId }: PointerEvent): void => {
    if (!fingers.delete(pointerId)) return;
    if (fingers.size > 0) {
      rest();
      begin();
    } else if (isMoving) {
      isMoving = false;
      rest();
    }
  };
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up } as const;
  const entries = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of entries) element.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of entries) element.removeEventListener(name, listener);
  };
}
