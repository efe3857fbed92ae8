/** Starts the display. */
import { computed, effect, untracked } from "@preact/signals";
import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./display.css";
import "./alarms.css";
import "./boat/boat.css";
import { startAlarmSound } from "./alarm-sound.ts";
import { App, page } from "./app.tsx";
import { connect, connectionState, subscribeTo } from "./connection.ts";
import { invalidate, startTicks } from "./frame-tick.ts";
import { clearHistories, record, restore, save } from "./histories.ts";
import { topicRoot } from "./hull.ts";
import { startPast } from "./past.ts";
import { brokerUrl, settings } from "./settings.ts";
import { clearStore, hear, keepFor } from "./store.ts";
import { filtersOf } from "./topic-filters.ts";

let prefix = "";

/** A computed signal, so that the connection is made anew only when the URL changes, not with every setting. */
const broker = computed(brokerUrl);

effect(() => {
  const url = broker.value;
  untracked(() =>
    connect(url, (topic, payload, retained) => {
      const isReport = hear(prefix, topic, payload, retained, page.peek() === "messages");
      if (isReport) record(performance.now(), topicRoot + prefix);
    }),
  );
});

effect(() => {
  const chosen = settings.value.prefix;
  if (chosen !== prefix) {
    prefix = chosen;
    untracked(clearStore);
    clearHistories();
    restore(performance.now(), topicRoot + prefix);
  }
  untracked(() => keepFor(page.value));
  subscribeTo(filtersOf(page.value, chosen));
});

effect(() => {
  void connectionState.value;
  invalidate();
});

addEventListener("pagehide", () => save(performance.now(), topicRoot + prefix));

startTicks();
startPast();
startAlarmSound();
render(<App />, document.getElementById("display")!);

// Browsers have service workers only over https and on localhost.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("service-worker.js").catch(() => {});
