/** The page of active alarms, watches and past alarms. */
import { definitions } from "../../../core/n2k/pgns/index.ts";
import { topics } from "../../../core/topics/topics.ts";
import { isValueChosen } from "../alarms/value-choice.ts";
import { lazyView } from "../parts/lazy.tsx";
import { type Page, pgnFilters } from "./page.ts";

export const alarms: Page = {
  name: "alarms",
  title: "Alarms",
  icon: "M6 17C7 15 7 13 7 10A5 5 0 0 1 17 10C17 13 17 15 18 17ZM10 20A2 2 0 0 0 14 20",
  about: "what rings, what rang, what is watched, the anchor watch",
  hasAlarms: true,
  filters: (prefix) => [
    topics.alarmHistory.name({ prefix }),
    ...(isValueChosen.value
      ? pgnFilters(
          prefix,
          definitions.map(({ pgn }) => pgn),
        )
      : []),
  ],
  View: lazyView(() => import("./alarms-view.tsx").then(({ Alarms }) => Alarms)),
};
