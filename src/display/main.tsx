/** Starts the display. */
import { computed, effect, untracked } from "@preact/signals";
import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./display.css";
import { App, page } from "./app.tsx";
import { connect, connectionState, subscribeTo } from "./connection.ts";
import { invalidate, startTicks } from "./frame-tick.ts";
import { brokerUrl, settings } from "./settings.ts";
import { clearStore, hear } from "./store.ts";
import { filtersOf } from "./topic-filters.ts";

let prefix = "";

/** A computed signal, so that the connection is made anew only when the URL changes, not with every setting. */
const broker = computed(brokerUrl);

effect(() => {
  const url = broker.value;
  untracked(() =>
    connect(url, (topic, payload, retained) => hear(prefix, topic, payload, retained, page.peek() === "messages")),
  );
});

effect(() => {
  const chosen = settings.value.prefix;
  if (chosen !== prefix) {
    prefix = chosen;
    untracked(clearStore);
  }
  subscribeTo(filtersOf(page.value, chosen));
});

effect(() => {
  void connectionState.value;
  invalidate();
});

startTicks();
render(<App />, document.getElementById("display")!);

// Browsers have service workers only over https and on localhost.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("service-worker.js").catch(() => {});
