/** The colours of the page; the first script of a page has them before all others. */

/** `lamp` is the brightness by night, percent. */
export function showLight(light: "day" | "night", lamp: number): void {
  const { dataset, style } = document.documentElement;
  dataset.light = light;
  const percent = light === "night" ? lamp : 100;
  style.setProperty("--lamp", `${percent}%`);
  style.setProperty("--gain", String(100 / Math.max(1, percent)));
}
