/** The view of the page Boat, in a part of the bundle that is loaded on demand. */

import { computed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { secondTick } from "../data/frame-tick.ts";
import { store } from "../data/store.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { hash } from "../navigation/address.ts";
import { Button } from "../parts/button.tsx";
import { lazy } from "../parts/lazy.tsx";
import { BoatApps } from "./apps.tsx";
import { BoatDevices } from "./devices.tsx";
import type { FormEntry } from "./entries.ts";
import { BoatProjects } from "./projects.tsx";
import { BoatSettings } from "./settings.tsx";
import { chosen, ignoredText, isUnread, load, loadWords, pending, projects, unread } from "./state.ts";
import { Steps } from "./steps.tsx";
import { BoatVersion } from "./version.tsx";

/** Loaded apart, because it reads rows of sensors by their schema. */
const BoatNetworks = lazy(
  () => import("./networks.tsx").then(({ BoatNetworks: View }) => View),
  () => <p class="hint">{say("Loading")}</p>,
);

const tabs = {
  devices: "Devices",
  networks: "Networks",
  settings: "Settings",
  charts: "Charts",
  projects: "Projects",
  apps: "Apps",
  version: "Version",
} as const satisfies Readonly<Record<string, PlainText>>;
type Tab = keyof typeof tabs;

const tabNow = computed((): Tab => {
  const [, , tab] = hash.value.split("/");
  return tab !== undefined && tab in tabs ? (tab as Tab) : "devices";
});

/** Loaded apart, because it reads files of charts. */
const BoatCharts = lazy(
  () => import("./charts.tsx").then(({ BoatCharts: View }) => View),
  () => <p class="hint">{say("Loading")}</p>,
);

/** The parts of the deployed settings that hub-cand cannot use. */
function Ignored() {
  void secondTick.value;
  const ignored = store.health?.data.ignoredSettings ?? [];
  if (ignored.length === 0) return null;
  return (
    <section class="ignored" role="alert" data-id="ignored-settings">
      <h2>{say("Deployed, but not understood")}</h2>
      <ul>
        {ignored.map((part) => {
          const { entry, reason } = part;
          const [name, why] = ignoredText(part);
          return (
            <li key={`${entry} ${reason}`}>
              <b>{entry === "" ? say("the whole file") : name}</b> {why}
            </li>
          );
        })}
      </ul>
      <p>{say("The value before it stays in force until hub-cand starts again.")}</p>
    </section>
  );
}

export function BoatView() {
  const tab = tabNow.value;
  // All of the page appears at once: what was there before would move.
  const isKnown = projects.value !== undefined || unread.value !== undefined;
  const [entries, setEntries] = useState<readonly FormEntry[]>();
  useEffect(() => {
    void load();
    void loadWords();
    // The schemas are loaded here, because they need their library.
    void import("./entries.ts").then(({ formEntries }) => setEntries(formEntries));
  }, []);
  return (
    <div class="boat">
      <nav class="tabs" aria-label={say("Parts of this page")}>
        {(Object.keys(tabs) as Tab[]).map((one) => (
          <a key={one} href={`#/boat/${one}`} aria-current={one === tab ? "page" : undefined}>
            {say(tabs[one])}
          </a>
        ))}
        {chosen.value !== undefined && <small>{say("project {project}", { project: chosen.value })}</small>}
      </nav>
      <Ignored />
      {tab === "devices" && isKnown && <Steps />}
      {unread.value !== undefined && (
        <p class="failed" role="alert">
          {unread.value}
        </p>
      )}
      {isUnread.value ? (
        <p class="hint">
          {say("The project {project} is not read.", { project: chosen.value ?? "" })}{" "}
          <Button says="Read it" onClick={() => void load()} />
        </p>
      ) : (
        chosen.value !== undefined &&
        pending.value.length === 0 && <p class="in-force">{say("Everything is deployed.")}</p>
      )}
      <div class="boat-parts">
        {tab === "devices" && isKnown && !isUnread.value && <BoatDevices />}
        {tab === "networks" && !isUnread.value && projects.value !== undefined && entries !== undefined && (
          <BoatNetworks entries={entries} />
        )}
        {tab === "settings" && !isUnread.value && projects.value !== undefined && entries !== undefined && (
          <BoatSettings entries={entries} />
        )}
        {tab === "charts" && isKnown && <BoatCharts />}
        {tab === "apps" && isKnown && <BoatApps />}
        {tab === "version" && isKnown && <BoatVersion />}
        {tab === "projects" && projects.value !== undefined && <BoatProjects />}
      </div>
    </div>
  );
}
