/** Starts the display. */
import { effect, untracked } from "@preact/signals";
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
import { connectionState } from "./data/connection.ts";
import { isSlow } from "./data/demand.ts";
import { startFeed } from "./data/feed.ts";
import { startTicks } from "./data/frame-tick.ts";
import { startLinkProbe } from "./data/link.ts";
import { registerWorker } from "./data/version.ts";
import { spoken } from "./languages/say.ts";
import { Boundary } from "./parts/boundary.tsx";
import { loadViews } from "./parts/lazy.tsx";
import { startLightBySun } from "./parts/light-by-sun.ts";
import { startPast } from "./trend/boat-history.ts";

startFeed(page);
startTicks();
startLightBySun();
startPast();
startLinkProbe();
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
  untracked(() =>
    render(
      <Boundary name="hub">
        <App key={drawings} />
      </Boundary>,
      root,
    ),
  );
});

/** Time for the first page, which comes before the views of others; a slow link carries data alone. */
const LOAD_VIEWS_MS = 10_000;
setInterval(() => {
  if (connectionState.peek() === "connected" && !isSlow.peek()) void loadViews();
}, LOAD_VIEWS_MS);

registerWorker();
