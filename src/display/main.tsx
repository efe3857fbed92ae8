/** Starts the display. */
import { computed, effect, untracked } from "@preact/signals";
import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./display.css";
import { App, page } from "./app.tsx";
import { startBeat, stir } from "./beat.ts";
import { forget, hear } from "./boat.ts";
import { connect, link, listen } from "./link.ts";
import { brokerUrl, settings } from "./settings.ts";
import { filtersOf } from "./topic-filters.ts";

let prefix = "";

/** Changes with the one setting that it is made of, and not with all of them. */
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
    untracked(forget);
  }
  listen(filtersOf(page.value, chosen));
});

effect(() => {
  void link.value;
  stir();
});

startBeat();
render(<App />, document.getElementById("display")!);

// Only where the browser keeps files for a page: over https, or on the machine itself.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("service-worker.js").catch(() => {});
