/**
 * Variation of the earth's magnetic field by the World Magnetic Model (NOAA and the British Geological Survey), as the
 * package geomagnetism computes it.
 */
import type { MagneticModel } from "../../core/ports/magnetic-model.ts";
import { attempt } from "../../core/util/attempt.ts";

/** Loads the models; they are used only if the settings say so, and then many times a second. */
export async function worldMagneticModel(): Promise<MagneticModel> {
  const { default: geomagnetism } = await import("geomagnetism");
  const DAY = 86_400_000;
  /** The model of a day; undefined before the first model and after the last, for which the package throws. */
  const modelOf = (day: number) => attempt(() => geomagnetism.model(new Date(day * DAY)));
  let model: { readonly day: number; readonly it: ReturnType<typeof modelOf> } | undefined;
  return (latitude, longitude, wall) => {
    const day = Math.floor(wall / DAY);
    if (model?.day !== day) model = { day, it: modelOf(day) };
    if (model.it === undefined) return undefined;
    return { degrees: model.it.point([latitude, longitude]).decl, model: model.it.name.replace("-", " ") };
  };
}
