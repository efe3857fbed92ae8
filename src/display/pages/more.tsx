/** The pages that have no room in the navigation of small screens. */
import { restPages, views } from "../views.ts";

export function More() {
  return (
    <ul class="more-pages">
      {restPages.map((page) => (
        <li key={page}>
          <a href={`#/${page}`}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={views[page].icon} />
            </svg>
            <b>{views[page].name}</b>
            <small>{views[page].about}</small>
          </a>
        </li>
      ))}
    </ul>
  );
}
