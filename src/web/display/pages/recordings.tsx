/** A recording that is read in the browser, `#/recordings`: its devices, findings and messages, without a boat. */
import { say } from "../languages/say.ts";
import { lazy } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

const View = lazy(
  () => import("../recordings/recordings-view.tsx").then(({ RecordingsView }) => RecordingsView),
  () => <p class="nothing">{say("Loading")}</p>,
);

export const recordings: Page = {
  name: "recordings",
  title: "Recordings",
  icon: "M4 4H20V20H4ZM4 8H20M8 12V16M12 11V17M16 13V15",
  about: "read a file of a bus: devices, findings, messages",
  View,
};
