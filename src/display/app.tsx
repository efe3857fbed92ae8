/** The frame around the pages: navigation, connection status, day and night colours. */
import { computed, effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { connectionState } from "./connection.ts";
import { frameTick } from "./frame-tick.ts";
import { ageText } from "./freshness.ts";
import { Bus } from "./pages/bus.tsx";
import { Devices } from "./pages/devices.tsx";
import { Messages } from "./pages/messages.tsx";
import { Sail } from "./pages/sail.tsx";
import { SettingsPage } from "./pages/settings.tsx";
import { Ships } from "./pages/ships.tsx";
import { Systems } from "./pages/systems.tsx";
import { changeSettings, settings } from "./settings.ts";
import { lastHeard, latest } from "./store.ts";
import { type Page, pages } from "./topic-filters.ts";

/** Name, icon (SVG path in a box of 24 by 24) and component of each page. */
const views: Readonly<Record<Page, { readonly name: string; readonly icon: string; readonly View: ComponentType }>> = {
  sail: { name: "Sail", icon: "M12 2V18M12 3C17 7 18 12 18 16H12M10 7C8 10 7 13 6 16H10M3 20H21", View: Sail },
  ships: { name: "Ships", icon: "M12 3A9 9 0 1 1 11.9 3ZM12 7A5 5 0 1 1 11.9 7ZM12 12L18 5", View: Ships },
  systems: { name: "Systems", icon: "M3 8H21V19H3ZM6 8V5H9V8M15 8V5H18V8M6 13H10M14 13H18M16 11V15", View: Systems },
  devices: {
    name: "Devices",
    icon: "M3 12H21M7 12V6M12 12V18M17 12V6M5 3H9V6H5ZM15 3H19V6H15ZM10 18H14V21H10Z",
    View: Devices,
  },
  bus: { name: "Bus", icon: "M2 13H6L9 5L14 19L17 11L18 13H22", View: Bus },
  messages: { name: "Data", icon: "M4 6H20M4 12H20M4 18H13", View: Messages },
  settings: {
    name: "Setup",
    icon: "M4 7H13M17 7H20M15 5A2 2 0 1 1 14.9 5ZM4 17H7M11 17H20M9 15A2 2 0 1 1 8.9 15Z",
    View: SettingsPage,
  },
};

const pageOf = (hash: string): Page => pages.find((page) => hash === `#/${page}`) ?? "sail";

export const page = signal<Page>(pageOf(location.hash));
addEventListener("hashchange", () => {
  page.value = pageOf(location.hash);
});

effect(() => {
  document.title = `${views[page.value].name} – hub`;
});

effect(() => {
  const { light, lamp } = settings.value;
  document.documentElement.dataset.light = light;
  document.documentElement.style.setProperty("--lamp", light === "night" ? `${lamp}%` : "100%");
});

/** Seconds without a message after which the connection is shown as silent. The navigation report comes every second. */
const SILENCE_SECONDS = 4;

const status = computed(() => {
  const now = frameTick.value;
  if (connectionState.value !== "connected")
    return { kind: "lost", text: connectionState.value === "connecting" ? "Connecting" : "No broker – trying again" };
  const silent = (now - lastHeard()) / 1000;
  if (!Number.isFinite(silent)) return { kind: "silent", text: "Connected, nothing heard" };
  if (silent > SILENCE_SECONDS) return { kind: "silent", text: `Silent for ${ageText(silent)}` };
  return { kind: "good", text: "Live" };
});

const clock = computed(() => {
  const date = latest.read("date", frameTick.value);
  return date.kind === "live" ? (date.value.time?.slice(0, 5) ?? "") : "––:––";
});

function Status() {
  const { kind, text } = status.value;
  return (
    <p class={`status ${kind}`} role="status" data-id="link">
      <span class="lamp" aria-hidden="true" />
      {text}
    </p>
  );
}

function toggleLight(): void {
  changeSettings({ light: settings.peek().light === "day" ? "night" : "day" });
}

/** Keys: digits choose a page, n toggles the light; ignored while an input has the focus. */
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  const chosen = pages[Number(event.key) - 1];
  if (chosen !== undefined) location.hash = `#/${chosen}`;
  else if (event.key === "n") toggleLight();
});

export function App() {
  const { name, View } = views[page.value];
  const { light } = settings.value;
  return (
    <>
      <header class="head">
        <h1>{name}</h1>
        <Status />
        <p class="head-clock">
          {clock} <small>UTC</small>
        </p>
        <button
          type="button"
          class="light"
          aria-label={light === "day" ? "Night colours" : "Day colours"}
          onClick={toggleLight}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path
              d={
                light === "day"
                  ? "M19 14A8 8 0 1 1 10 5A6.5 6.5 0 0 0 19 14Z"
                  : "M12 8A4 4 0 1 1 11.9 8ZM12 2V4M12 20V22M2 12H4M20 12H22M5 5L6.5 6.5M17.500 17.5L19 19M19 5L17.5 6.5M6.5 17.5L5 19"
              }
            />
          </svg>
        </button>
      </header>
      <nav class="ways" aria-label="Pages">
        {pages.map((one, index) => (
          <a
            key={one}
            href={`#/${one}`}
            aria-current={one === page.value ? "page" : undefined}
            aria-keyshortcuts={String(index + 1)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={views[one].icon} />
            </svg>
            {views[one].name}
          </a>
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls and has to be reachable by keyboard */}
      <main tabIndex={0} class={status.value.kind === "lost" ? "cut" : ""}>
        <View />
      </main>
    </>
  );
}
