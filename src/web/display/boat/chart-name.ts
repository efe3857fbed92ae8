/** The name that a chart has on the boat's computer, in letters, digits, points and dashes. */
import { sha256Hex } from "../../../core/text/sha256.ts";

const MAX_STEM = 50;
const DIGEST_DIGITS = 8;

/**
 * The name for a file: letters lose their accents. Where more is lost, as of other alphabets, digits of the whole name keep
 * charts apart that would replace one another.
 *
 * @example chartName("Côte d'Azur.mbtiles") // "Cote-d-Azur.pmtiles"
 */
export function chartName(fileName: string): string {
  const whole = fileName
    .replace(/\.(pmtiles|mbtiles)$/i, "")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
  const stem = whole.replace(/[^a-zA-Z0-9._-]+/g, "-").replace(/^[^a-zA-Z0-9]+/, "");
  const isTold = stem !== "" && stem.length <= MAX_STEM && /^[\x20-\x7e]+$/.test(whole);
  const digest = isTold ? "" : `-${sha256Hex(whole).slice(0, DIGEST_DIGITS)}`;
  return `${(stem || "chart").slice(0, MAX_STEM - digest.length)}${digest}.pmtiles`;
}
