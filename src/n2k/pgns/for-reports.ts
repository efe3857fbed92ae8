/**
 * Messages of which the navigation report needs fields that the document does not publish. Not in `index.ts`, because they
 * are not published.
 */
import { code, type Definition, type Fields, pgn, u3, u4 } from "../field.ts";
import { windData } from "./environment.ts";
import { gnssPositionData } from "./gnss.ts";
import { magneticVariation } from "./steering.ts";

type Revealed<All extends Fields, Name extends string> = {
  readonly [Key in keyof All as Key extends `_${Name}` ? (Key extends `_${infer Bare}` ? Bare : never) : Key]: All[Key];
};

/** A definition with some of its unpublished fields published: `_integrity` as `integrity`. */
const revealing = <Pgn extends number, All extends Fields, const Name extends string>(
  { pgn: number, title, fields, transport }: Definition<Pgn, All>,
  names: readonly Name[],
) => {
  const hidden = new Set(names.map((name) => `_${name}`));
  const revealed = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [hidden.has(name) ? name.slice(1) : name, field]),
  );
  return pgn(number, title, revealed as Revealed<All, Name>, { transport });
};

/** 129029 with its integrity and the geoidal separation. */
export const gnssPositionForReports = revealing(gnssPositionData, ["integrity", "geoidalSeparation"]);

/** 127258 with the code of its source: the document's texts end at WMM 2020, newer models have higher codes. */
export const magneticVariationForReports = pgn(127258, "Magnetic Variation", {
  ...magneticVariation.fields,
  source: code(u4),
});

/** 130306 with the code of its reference. */
export const windDataForReports = pgn(130306, "Wind Data", {
  ...windData.fields,
  reference: code(u3),
});
