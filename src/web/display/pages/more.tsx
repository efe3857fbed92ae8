/** The pages for which the navigation has no room. */
import { say } from "../languages/say.ts";
import { Icon } from "../parts/icon.tsx";
import type { Page } from "./page.ts";

/** The page that lists `rest`. */
export const more = (rest: readonly Page[]): Page => ({
  name: "more",
  title: "More",
  icon: "M5 11A1 1 0 1 1 4.9 11ZM12 11A1 1 0 1 1 11.9 11ZM19 11A1 1 0 1 1 18.9 11Z",
  View: () => (
    <ul class="more-pages">
      {rest.map(({ name, title, icon, about }) => (
        <li key={name}>
          <a href={`#/${name}`}>
            <Icon d={icon} />
            <b>{typeof title === "string" && say(title)}</b>
            <small>{about && say(about)}</small>
          </a>
        </li>
      ))}
    </ul>
  ),
});
