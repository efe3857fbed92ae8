/** A table that scrolls by itself where the page is narrower, by the arrow keys too. */
import type { ComponentChildren } from "preact";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";

export function WideTable({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls and has to be reachable by keyboard
    <section class="wide-table" aria-label={name} tabIndex={0}>
      <table>{children}</table>
    </section>
  );
}

export const TableHead = ({ titles }: { readonly titles: readonly PlainText[] }) => (
  <thead>
    <tr>
      {titles.map((title) => (
        <th scope="col" key={title}>
          {say(title)}
        </th>
      ))}
    </tr>
  </thead>
);
