/** A map that hands move: dragged, zoomed by wheel, fingers and buttons, and shown whole again. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { settings } from "../data/settings.ts";
import { say } from "../languages/say.ts";
import { type Size, useSize } from "../parts/use-size.ts";
import { emptied } from "./canvas.ts";
import { Coast } from "./coast.tsx";
import { followHands } from "./gestures.ts";
import { drawScale } from "./scale-bar.ts";
import { type Extent, type Point, placeOf, type View } from "./view.ts";

/** Pixels a nautical mile: the world on a watch, and the length of a boat. */
const [SMALLEST_SCALE, LARGEST_SCALE] = [0.01, 4000];

export const scaleWithin = (scale: number): number => Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, scale));

interface FreeMapProps {
  readonly kind: "fleet-map" | "voyage-map";
  /** The extent that it shows at first, by its size in pixels, and the title of the button that goes back to it. */
  readonly whole: (size: Size) => Extent;
  readonly wholeTitle: string;
  /** Draws over the land, after each change; the middle of the view is the origin. */
  readonly draw: (context: CanvasRenderingContext2D, view: View) => void;
  readonly drawn: string;
  /** Called with a place that was touched, in pixels from the center. */
  readonly onTap?: (at: Point, view: View) => void;
  readonly children?: ComponentChildren;
}

export function FreeMap({ kind, whole, wholeTitle, draw, drawn, onTap, children }: FreeMapProps) {
  const [box, size] = useSize();
  const [moved, setMoved] = useState<Extent>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const view: View = { ...(moved ?? whole(size)), turn: 0, ...size };
  const shown = useRef({ view, onTap });
  shown.current = { view, onTap };
  const { light, lamp, units } = settings.value;
  useEffect(() => {
    const { context, toScreen } = emptied(canvas.current!, view);
    context.setTransform(toScreen);
    context.save();
    draw(context, view);
    context.restore();
    drawScale(context, view, units);
  });
  useEffect(() => {
    const element = box.current!;
    let isDragged = false;
    let scale = 0;
    const stop = followHands(element, {
      drag: (by) => {
        isDragged = true;
        const { view } = shown.current;
        setMoved({ center: placeOf(view, { x: -by.x, y: -by.y }), scale: view.scale });
      },
      stretch: (factor) => {
        isDragged = true;
        const { view } = shown.current;
        scale ||= view.scale;
        setMoved({ center: view.center, scale: scaleWithin(scale * factor) });
      },
      rest: () => {
        scale = 0;
      },
    });
    const press = (): void => {
      isDragged = false;
    };
    const tap = ({ clientX, clientY, target }: MouseEvent): void => {
      if (isDragged || !(target instanceof HTMLCanvasElement)) return;
      const { left, top, width, height } = element.getBoundingClientRect();
      const { view, onTap } = shown.current;
      onTap?.({ x: clientX - left - width / 2, y: clientY - top - height / 2 }, view);
    };
    element.addEventListener("pointerdown", press);
    element.addEventListener("click", tap);
    return () => {
      stop();
      element.removeEventListener("pointerdown", press);
      element.removeEventListener("click", tap);
    };
  }, []);
  const zoom = (factor: number): void => setMoved({ center: view.center, scale: scaleWithin(view.scale * factor) });
  return (
    <section class={kind} aria-label={say("Map")}>
      <div class="plot-box" ref={box} onWheel={(event) => zoom(event.deltaY < 0 ? 1.5 : 1 / 1.5)}>
        <Coast view={view} light={`${light} ${lamp}`} />
        <canvas class={drawn} ref={canvas} />
      </div>
      <div class="map-tools">
        <button type="button" aria-label={say("Zoom in")} onClick={() => zoom(2)}>
          +
        </button>
        <button type="button" aria-label={say("Zoom out")} onClick={() => zoom(0.5)}>
          −
        </button>
        {moved !== undefined && (
          <button type="button" onClick={() => setMoved(undefined)}>
            {wholeTitle}
          </button>
        )}
      </div>
      {children}
    </section>
  );
}
