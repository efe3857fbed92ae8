/** The display without its drawings: what a page hears, what rings on it, and what the crew answers there. */
import { signal } from "@preact/signals";
import { topics } from "../../../../src/core/topics/topics.ts";
import { startAlarmSound } from "../../../../src/web/display/alarms/alarm-sound.ts";
import { currentAlarms } from "../../../../src/web/display/alarms/alarms.ts";
import { confirm, press, question, startManOverboard } from "../../../../src/web/display/alarms/man-overboard.ts";
import { acknowledgeThese, ringingNow, silence } from "../../../../src/web/display/alarms/ringing.ts";
import { startFeed } from "../../../../src/web/display/data/feed.ts";
import { linkNow, startLinkProbe } from "../../../../src/web/display/data/link.ts";
import { boatClock, latest } from "../../../../src/web/display/data/store.ts";
import type { TabletPage } from "../tablet-page.ts";

startFeed(
  signal({
    name: "ships",
    filters: (prefix) => [topics.ais.name({ prefix })],
  }),
);
startLinkProbe();
startAlarmSound();
startManOverboard();

const now = (): number => performance.now();

export const page: TabletPage = {
  alarms: () => currentAlarms(now())?.alarms.map(({ id }) => id),
  link: () => linkNow(now()),
  liveDepth() {
    const depth = latest.read("depth", now());
    return depth.kind === "live" ? depth.value : undefined;
  },
  boatClock: () => boatClock(now()),
  acknowledge: () => acknowledgeThese(ringingNow(now()).map(({ id }) => id)),
  silence: () => silence("all"),
  pressManOverboard() {
    press();
    const name = question.peek()!.press;
    confirm();
    return name;
  },
};
