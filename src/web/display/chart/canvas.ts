/** A canvas as large as a view, in pixels of the screen. */
import type { View } from "./view.ts";

/** An empty canvas: its context, and the matrix that takes the points of the view to its pixels. */
export function emptied(canvas: HTMLCanvasElement, { width, height }: View) {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  // Paper has day colours: what is drawn by night is inverted there.
  canvas.dataset.light = matchMedia("print").matches ? "day" : document.documentElement.dataset.light;
  const toScreen = new DOMMatrix([ratio, 0, 0, ratio, canvas.width / 2, canvas.height / 2]);
  return { context: canvas.getContext("2d")!, toScreen };
}
