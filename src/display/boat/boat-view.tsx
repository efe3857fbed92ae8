/** The view of the page Boat, in a part of the bundle that only a boat that is commissioned loads. */

import { useEffect, useState } from "preact/hooks";
import { store } from "../data/store.ts";
import { secondTick } from "../frame-tick.ts";
import { Deployment } from "./deployment.tsx";
import { BoatDevices } from "./devices.tsx";
import type { FormEntry } from "./entries.ts";
import { BoatProjects } from "./projects.tsx";
import { BoatSettings } from "./settings.tsx";
import { checkDeployed, chosen, load, projects } from "./state.ts";

const tabs = { devices: "Devices", settings: "Settings", projects: "Projects" } as const;
type Tab = keyof typeof tabs;

const tabOfHash = (): Tab => {
  const [, , tab] = location.hash.split("/");
  return tab !== undefined && tab in tabs ? (tab as Tab) : "devices";
};

/** The parts of the deployed settings that hub-cand does not understand. */
function Ignored() {
  void secondTick.value;
  const ignored = store.health?.data.ignoredSettings ?? [];
  if (ignored.length === 0) return null;
  return (
    <section class="ignored" role="alert" data-id="ignored-settings">
      <h2>Deployed, but not understood</h2>
      <ul>
        {ignored.map(({ entry, reason }) => (
          <li key={`${entry} ${reason}`}>
            <b>{entry === "" ? "the whole file" : entry}</b> {reason}
          </li>
        ))}
      </ul>
      <p>The value before it stays in force until hub-cand starts again.</p>
    </section>
  );
}

/** Interval of the checks of the deployed file, because others deploy too. */
const CHECK_MS = 5000;

export function BoatView() {
  const [tab, setTab] = useState(tabOfHash);
  const [entries, setEntries] = useState<readonly FormEntry[]>();
  useEffect(() => {
    const follow = (): void => setTab(tabOfHash());
    addEventListener("hashchange", follow);
    void load();
    // Loaded here, because the schemas bring their library with them.
    void import("./entries.ts").then(({ formEntries }) => setEntries(formEntries));
    const timer = setInterval(() => void checkDeployed(), CHECK_MS);
    return () => {
      removeEventListener("hashchange", follow);
      clearInterval(timer);
    };
  }, []);
  return (
    <div class="boat">
      <nav class="tabs" aria-label="Parts of this page">
        {(Object.keys(tabs) as Tab[]).map((one) => (
          <a key={one} href={`#/boat/${one}`} aria-current={one === tab ? "page" : undefined}>
            {tabs[one]}
          </a>
        ))}
        {chosen.value !== undefined && <small>project {chosen.value}</small>}
      </nav>
      <Ignored />
      <Deployment />
      <div class="boat-parts">
        {tab === "devices" && <BoatDevices />}
        {tab === "settings" && projects.value !== undefined && entries !== undefined && (
          <BoatSettings entries={entries} />
        )}
        {tab === "projects" && projects.value !== undefined && <BoatProjects />}
      </div>
    </div>
  );
}
