/** The frame around the pages: navigation, connection status, day and night colours. */
import { computed, effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { AlarmBar } from "./alarm-bar.tsx";
import { connectionState } from "./connection.ts";
import { frameTick } from "./frame-tick.ts";
import { ageText, TRANSPORT_SECONDS } from "./freshness.ts";
import { fleetHref, hull } from "./hull.ts";
import { instrumentOf } from "./instruments.ts";
import { LightButton, toggleLight } from "./light-button.tsx";
import { Alarms } from "./pages/alarms.tsx";
import { Boat } from "./pages/boat.tsx";
import { Bus } from "./pages/bus.tsx";
import { Devices } from "./pages/devices.tsx";
import { Messages } from "./pages/messages.tsx";
import { Mine } from "./pages/mine.tsx";
import { More } from "./pages/more.tsx";
import { Route } from "./pages/route.tsx";
import { Sail } from "./pages/sail.tsx";
import { SettingsPage } from "./pages/settings.tsx";
import { Ships } from "./pages/ships.tsx";
import { Systems } from "./pages/systems.tsx";
import { TrendPage, trendTitle } from "./pages/trend.tsx";
import { instrumentOfHash, Value } from "./pages/value.tsx";
import { settings } from "./settings.ts";
import { bridgeOf, lastHeard, latest, reportLife } from "./store.ts";
import { type Page, pages } from "./topic-filters.ts";
import { dateTimeText } from "./units.ts";
import { type ListedPage, listedPages, restPages, views } from "./views.ts";

const components: Readonly<Record<Page, ComponentType>> = {
  sail: Sail,
  route: Route,
  mine: Mine,
  ships: Ships,
  systems: Systems,
  devices: Devices,
  bus: Bus,
  messages: Messages,
  alarms: Alarms,
  boat: Boat,
  settings: SettingsPage,
  more: More,
  value: Value,
  trend: TrendPage,
};

const pageOf = (hash: string): Page => pages.find((page) => hash.split("/")[1] === page) ?? "sail";

export const page = signal<Page>(pageOf(location.hash));

function nameOf(one: Page): string {
  if (one === "value") return instrumentOf(instrumentOfHash(location.hash)).name;
  return one === "trend" ? trendTitle(location.hash) : views[one].name;
}

const title = signal(nameOf(page.peek()));

addEventListener("hashchange", () => {
  page.value = pageOf(location.hash);
  title.value = nameOf(page.value);
});

effect(() => {
  document.title = [hull, title.value, "hub"].filter((part) => part !== undefined).join(" – ");
});

const status = computed(() => {
  const now = frameTick.value;
  if (connectionState.value !== "connected")
    return { kind: "lost", text: connectionState.value === "connecting" ? "Connecting" : "No broker" };
  if (bridgeOf(settings.value.prefix)?.online === false) return { kind: "lost", text: "Bridge off line" };
  const silent = (now - lastHeard()) / 1000;
  if (!Number.isFinite(silent)) return { kind: "silent", text: "Nothing heard" };
  if (silent > reportLife() + TRANSPORT_SECONDS) return { kind: "silent", text: `Silent for ${ageText(silent)}` };
  return { kind: "good", text: "Live" };
});

const clock = computed(() => {
  const date = latest.read("date", frameTick.value);
  if (date.kind !== "live" || date.value.date === undefined || date.value.time === undefined) return "––:––";
  return dateTimeText(date.value.date, date.value.time, settings.value.timeZone).time.slice(0, 5);
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

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

/** Keys: digits choose a page, n toggles the light; ignored while an input has the focus. */
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target)) return;
  const chosen = listedPages[Number(event.key) - 1];
  if (chosen !== undefined) location.hash = `#/${chosen}`;
  else if (event.key === "n") toggleLight();
});

/** A page in the navigation; small screens show `more` in place of the pages that are listed there. */
function PageLink({ name }: { readonly name: ListedPage }) {
  const isRest = restPages.some((one) => one === name);
  const isHere = name === page.value;
  const isAbove = name === "more" && restPages.some((one) => one === page.value);
  return (
    <a
      class={isRest ? "rest" : name === "more" ? "more" : ""}
      href={`#/${name}`}
      aria-current={isHere ? "page" : isAbove ? "true" : undefined}
      aria-keyshortcuts={listedPages.indexOf(name) < 9 ? String(listedPages.indexOf(name) + 1) : undefined}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={views[name].icon} />
      </svg>
      {views[name].name}
    </a>
  );
}

export function App() {
  const View = components[page.value];
  const { timeZone } = settings.value;
  return (
    <>
      <header class="head">
        {hull !== undefined && (
          <a class="hull" href={fleetHref()} aria-label={`${hull}, to the fleet`}>
            {hull}
          </a>
        )}
        <h1>{title}</h1>
        <Status />
        <p class="head-clock">
          {clock} <small>{timeZone === "UTC" ? "UTC" : "LT"}</small>
        </p>
        <LightButton />
      </header>
      {page.value !== "alarms" && <AlarmBar />}
      <nav class="ways" aria-label="Pages">
        {listedPages.map((name) => (
          <PageLink key={name} name={name} />
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls and has to be reachable by keyboard */}
      <main tabIndex={0} class={status.value.kind === "lost" ? "cut" : ""}>
        <View />
      </main>
    </>
  );
}
