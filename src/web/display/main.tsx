/** Starts the display. */
import { computed, effect, untracked } from "@preact/signals";
import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./display.css";
import "./alarms/alarms.css";
import "./alarms/anchor.css";
import "./alarms/distress.css";
import "./alarms/marks.css";
import "./boat/boat.css";
import "./boat/changes.css";
import "./bus/bus.css";
import "./recordings/recordings.css";
import "./voyages/voyages.css";
import { startAlarmSound } from "./alarms/alarm-sound.ts";
import { startAnchorMemory } from "./alarms/anchor-memory.ts";
import { startManOverboard } from "./alarms/man-overboard.ts";
import { App, page } from "./app.tsx";
import { connect, connectionState, subscribeTo } from "./data/connection.ts";
import { filtersWanted, isSlow, noteAnswer, noteMessage, startDemand } from "./data/demand.ts";
import { invalidate, startTicks } from "./data/frame-tick.ts";
import { topicRoot } from "./data/hull.ts";
import { startLinkProbe } from "./data/link.ts";
import { brokerUrl, settings } from "./data/settings.ts";
import { clearStore, hear, lastMade, noteBrokerAnswer, noteSubscriptions } from "./data/store.ts";
import { registerWorker } from "./data/version.ts";
import { instrumentPgns } from "./instruments/instruments.ts";
import { spoken } from "./languages/say.ts";
import { filtersOf } from "./pages/page.ts";
import { loadViews } from "./parts/lazy.tsx";
import { startLightBySun } from "./parts/light-by-sun.ts";
import { startPast } from "./trend/boat-history.ts";
import { clearHistories, record, restore, save } from "./trend/trend-memory.ts";

let prefix = "";

/** A computed signal, so that the connection is made anew only when the URL changes, not with every setting. */
const broker = computed(brokerUrl);

effect(() => {
  const url = broker.value;
  untracked(() =>
    connect(
      url,
      (topic, payload, retained) => {
        const rawPgns = page.peek().hearsAll ? instrumentPgns : undefined;
        const place = hear(prefix, { topic, payload, retained }, rawPgns);
        noteMessage(place, prefix);
        if (place?.topic === "navigation") record(lastMade(), topicRoot + prefix);
      },
      (askedAt) => {
        noteBrokerAnswer(askedAt);
        noteAnswer(askedAt);
      },
    ),
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
  const { hearsAll = false, ...other } = page.value;
  // All topics are more than a slow link carries.
  const filters = filtersOf(hearsAll && !isSlow.value ? page.value : other, chosen);
  untracked(() => noteSubscriptions(filters, chosen));
  subscribeTo(filtersWanted(filters, chosen));
});

effect(() => {
  void connectionState.value;
  invalidate();
});

addEventListener("pagehide", () => save(performance.now(), topicRoot + prefix));

startTicks();
startLightBySun();
startPast();
startLinkProbe();
startDemand();
startAlarmSound();
startManOverboard();
startAnchorMemory();
const root = document.getElementById("display")!;
root.replaceChildren();
/** A language draws the page anew. */
let drawings = 0;
effect(() => {
  void spoken.value;
  drawings += 1;
  untracked(() => render(<App key={drawings} />, root));
});

/** Time for the first page, which comes before the views of others; a slow link carries data alone. */
const LOAD_VIEWS_MS = 10_000;
setInterval(() => {
  if (connectionState.peek() === "connected" && !isSlow.peek()) void loadViews();
}, LOAD_VIEWS_MS);

/** Devices that fall silent while other pages are shown; the list of hub-cand comes every half a minute. */
const DEVICES_PERIOD_MS = 30_000;
setInterval(() => {
  void import("./data/device-memory.ts").then(
    ({ followDevices }) => followDevices(performance.now()),
    () => {},
  );
}, DEVICES_PERIOD_MS);

registerWorker();
