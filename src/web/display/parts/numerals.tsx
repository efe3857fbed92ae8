/**
 * Numerals drawn as SVG strokes of one width with round ends. They look the same on every device, need no font, and all
 * digits have the same width. Screen readers get the text.
 */

import { numberText } from "../languages/formats.ts";

/** SVG paths in a box 60 wide and 100 high; `widths` lists other widths. */
const glyphs: Readonly<Record<string, string>> = {
  "0": "M30 8A22 22 0 0 1 52 30V70A22 22 0 0 1 8 70V30A22 22 0 0 1 30 8Z",
  "1": "M16 25L36 8V92",
  "2": "M9 29A21 21 0 0 1 51 29C51 43 43 51 35 60L9 92H52",
  "3": "M10 27A20 19.5 0 1 1 30 47A22 22.5 0 1 1 8 70",
  "4": "M34 8L8 71H54M41 49V92",
  "5": "M49 8H14V46C19 41 25 39 31 39A21 26.5 0 0 1 31 92C20 92 12 86 8 76",
  "6": "M42 8L13 51M30 40A22 26 0 1 1 29.9 40Z",
  "7": "M8 8H52L24 92",
  "8": "M30 8A19 19 0 1 1 29.9 8ZM30 46A22 23 0 1 1 29.9 46Z",
  "9": "M18 92L47 49M30 8A22 26 0 1 1 29.9 8Z",
  "-": "M14 50H46",
  "–": "M6 50H54",
  ".": "M12 91v.01",
  ",": "M15 80L9 94",
  ":": "M12 34v.01M12 76v.01",
  "°": "M14 8a9 9 0 1 1 -.1 0Z",
  "′": "M12 8L8 26",
  "‹": "M20 32L8 50L20 68",
  "›": "M8 32L20 50L8 68",
  N: "M10 92V8L50 92V8",
  S: "M49 24C46 13 39 8 30 8C18 8 11 16 11 28C11 52 50 45 50 71C50 84 42 92 30 92C19 92 11 86 9 75",
  E: "M48 8H12V92H48M12 49H42",
  W: "M5 8L17 92L30 30L43 92L55 8",
};
const widths: Readonly<Record<string, number>> = {
  ".": 24,
  ",": 24,
  ":": 24,
  "°": 30,
  "′": 22,
  "‹": 28,
  "›": 28,
  " ": 22,
};
const GAP = 12;

const widthOf = (character: string): number => (widths[character] ?? 60) + GAP;

/** Whether each character is drawn; a space has no strokes. */
export const isDrawn = (text: string): boolean =>
  [...text].every((character) => character in glyphs || character === " ");

/** Width of a text, as a multiple of its height. */
export const numeralsWidth = (text: string): number =>
  ([...text].reduce((sum, character) => sum + widthOf(character), 0) - GAP) / 100;

export interface NumeralsProps {
  readonly text: string;
  /** Text for screen readers; `text` unless given. */
  readonly spoken?: string;
}

/** A number in the height of the surrounding font size, with the decimal sign of the language. */
export function Numerals({ text: plain, spoken }: NumeralsProps) {
  const text = numberText(plain);
  let at = 0;
  const placed = [...text].map((character) => {
    const x = at;
    at += widthOf(character);
    return { x, strokes: glyphs[character] };
  });
  return (
    <span class="numerals">
      <svg viewBox={`0 0 ${Math.max(1, at - GAP)} 100`} aria-hidden="true">
        {placed.map(({ x, strokes }) => strokes && <path key={x} transform={`translate(${x})`} d={strokes} />)}
      </svg>
      <span class="spoken">{spoken ?? text}</span>
    </span>
  );
}
