/** The colours of the page; the first script of a page has them before all others. */

/** `lamp` is the brightness by night, percent. */
export function showLight(light: "day" | "night", lamp: number): void {
  const { dataset, style } = document.documentElement;
  dataset.light = light;
  style.setProperty("--lamp", light === "night" ? `${lamp}%` : "100%");
}
