/** The pages for which the navigation has no room. */
import type { ComponentChildren } from "preact";
import { say } from "../languages/say.ts";
import type { Page } from "./page.ts";

/** The page that lists `rest`. */
export const more = (rest: readonly Page[]): Page => ({
  name: "more",
  title: "More",
  icon: "M5 11A1 1 0 1 1 4.9 11ZM12 11A1 1 0 1 1 11.9 11ZM19 11A1 1 0 1 1 18.9 11Z",
  View: () => (
    <ul class="more-pages">
      {rest.flatMap(({ name, title, icon, about, part }) => [
        <Way key={name} address={name} icon={icon} title={typeof title === "string" && say(title)}>
          {about && say(about)}
        </Way>,
        part && <Way key={part.address} address={part.address} icon={icon} title={say(part.title)} />,
      ])}
    </ul>
  ),
});

interface WayProps {
  readonly address: string;
  readonly icon: string | undefined;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}

const Way = ({ address, icon, title, children }: WayProps) => (
  <li>
    <a href={`#/${address}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={icon} />
      </svg>
      <b>{title}</b>
      {children !== undefined && <small>{children}</small>}
    </a>
  </li>
);
