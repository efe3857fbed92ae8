/** The page that commissions a boat: devices, settings and projects, and changes that are not in force yet. */
import { useEffect, useState } from "preact/hooks";
import { unlock } from "../boat/api.ts";
import { BoatDevices } from "../boat/devices.tsx";
import type { FormEntry } from "../boat/entries.ts";
import { BoatProjects } from "../boat/projects.tsx";
import { BoatSettings } from "../boat/settings.tsx";
import {
  checkDeployed,
  chosen,
  deploy,
  done,
  failure,
  load,
  locked,
  pending,
  projects,
  waiting,
} from "../boat/state.ts";
import { secondTick } from "../frame-tick.ts";
import { store } from "../store.ts";

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

function Password() {
  const [text, setText] = useState("");
  const request = locked.value;
  if (request === undefined) return null;
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        unlock(request.project, text);
        locked.value = undefined;
        setText("");
        void request.again();
      }}
    >
      <label class="form-field">
        <span>Password of {request.project}</span>
        <input type="password" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main-action">
        Unlock
      </button>
    </form>
  );
}

const MOST_SENTENCES = 8;

function Pending() {
  const sentences = pending.value;
  if (sentences.length === 0) return <p class="in-force">{chosen.value && "Everything is deployed."}</p>;
  return (
    <section class="pending" data-id="pending">
      <h2>Not deployed yet</h2>
      <ul class="difference">
        {sentences.slice(0, MOST_SENTENCES).map((one) => (
          <li key={one}>{one}</li>
        ))}
        {sentences.length > MOST_SENTENCES && <li>and {sentences.length - MOST_SENTENCES} more</li>}
      </ul>
      <button type="button" class="main-action" onClick={() => void deploy()}>
        Deploy
      </button>
    </section>
  );
}

/** Interval of the checks of the deployed file, because others deploy too. */
const CHECK_MS = 5000;

export function Boat() {
  const [tab, setTab] = useState(tabOfHash);
  const [entries, setEntries] = useState<readonly FormEntry[]>();
  useEffect(() => {
    const follow = (): void => setTab(tabOfHash());
    addEventListener("hashchange", follow);
    void load();
    // Loaded here, because the schemas bring their library with them.
    void import("../boat/entries.ts").then(({ formEntries }) => setEntries(formEntries));
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
      {failure.value !== undefined && (
        <p class="failed" role="alert">
          {failure.value}
        </p>
      )}
      {done.value !== undefined && (
        <p class="done" role="status">
          {done.value}
        </p>
      )}
      {waiting.value > 0 && (
        <p class="waiting" role="status">
          Waiting for the configuration service
        </p>
      )}
      <Password />
      {projects.value !== undefined && <Pending />}
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
