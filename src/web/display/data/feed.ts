/** The data feed of a page: the connection, the topics of the page, and the store and the trends that take them. */
import { effect, type ReadonlySignal, untracked } from "@preact/signals";
import { hearCommand } from "../alarms/man-overboard.ts";
import { instrumentPgns } from "../instruments/instruments.ts";
import { filtersOf, type HeardPage } from "../pages/page.ts";
import { record, restore, save } from "../trend/trend-memory.ts";
import { connect, connectionState, subscribeTo } from "./connection.ts";
import { filtersWanted, isSlow, noteAnswer, noteMessage, readLanes, startDemand } from "./demand.ts";
import { guarded } from "./failures.ts";
import { noteValues } from "./first-values.ts";
import { invalidate } from "./frame-tick.ts";
import { topicRoot } from "./hull.ts";
import { restorePlaces, savePlaces } from "./place-memory.ts";
import { brokerUrl, settings } from "./settings.ts";
import { forgetPrograms, hear, lastMade, noteBrokerAnswer, noteConnection, noteSubscriptions } from "./store.ts";

/** Connects, and follows the page that is shown. */
export function startFeed(page: ReadonlySignal<HeardPage>): void {
  const { prefix } = settings.peek();
  const url = brokerUrl();
  // All that a page holds is of one boat: with another one, or another broker, it is loaded anew.
  effect(() => {
    if (settings.value.prefix !== prefix || brokerUrl() !== url) setTimeout(() => location.reload());
  });
  restore(performance.now(), topicRoot + prefix);
  restorePlaces(performance.now(), topicRoot + prefix);

  connect(url, {
    onOpen: noteConnection,
    onMessage(topic, payload, retained) {
      const rawPgns = page.peek().hearsAll ? instrumentPgns : undefined;
      const place = hear(prefix, { topic, payload, retained }, rawPgns);
      noteMessage(place, prefix);
      if (place?.topic === "manOverboard") hearCommand(payload);
      if (place?.topic !== "navigation") return;
      noteValues();
      record(lastMade(), topicRoot + prefix);
    },
    onAnswer(askedAt) {
      noteBrokerAnswer(askedAt);
      noteAnswer(askedAt);
    },
  });

  effect(() => {
    const { hearsAll = false, ...other } = page.value;
    // All topics are more than a slow link carries.
    const filters = filtersOf(hearsAll && !isSlow.value ? page.value : other, prefix);
    untracked(() => {
      // The page that hears all stores what every page does.
      noteSubscriptions(filtersOf(other, prefix), prefix);
      readLanes(
        guarded(other.name, () => other.filters?.(prefix) ?? [], []),
        prefix,
      );
    });
    subscribeTo(filtersWanted(filters, prefix));
  });

  effect(() => {
    if (connectionState.value === "lost") forgetPrograms();
    invalidate();
  });

  addEventListener("pagehide", () => {
    save(performance.now(), topicRoot + prefix);
    savePlaces(performance.now(), topicRoot + prefix);
  });
  startDemand();
}
