/**
 * Runs in a page before its own scripts: keeps in `drawn` the texts and images of its canvases, each with the last
 * place of it.
 */
globalThis.drawn = new Map();

{
  const { prototype } = CanvasRenderingContext2D;
  const { fillText, drawImage } = prototype;
  const note = (what, context, x, y) => {
    const place = context.getTransform().transformPoint({ x, y });
    globalThis.drawn.set(what, { x: place.x, y: place.y });
  };
  prototype.fillText = function (text, x, y, ...rest) {
    note(text, this, x, y);
    fillText.call(this, text, x, y, ...rest);
  };
  prototype.drawImage = function (image, ...rest) {
    if (image instanceof HTMLImageElement) note(new URL(image.src).pathname, this, rest.at(-4) ?? 0, rest.at(-3) ?? 0);
    drawImage.call(this, image, ...rest);
  };
}
