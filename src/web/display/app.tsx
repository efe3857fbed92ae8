/** The frame around the pages: navigation, connection status, day and night colours. */

import { computed, effect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { AlarmBar } from "./alarms/alarm-bar.tsx";
import { ringingTitle } from "./alarms/alarm-sound.ts";
import { Bell } from "./alarms/bell.tsx";
import { ManOverboardButton, ManOverboardQuestion } from "./alarms/man-overboard-button.tsx";
import { substituteName } from "./bus/interface-words.ts";
import { isDead } from "./data/device-messages.ts";
import { guarded } from "./data/failures.ts";
import { frameTick, secondTick } from "./data/frame-tick.ts";
import { fleetHref, hull } from "./data/hull.ts";
import { type Link, linkNow, shortText } from "./data/link.ts";
import { settings, toggleLight } from "./data/settings.ts";
import { latest, store } from "./data/store.ts";
import { dateTimeText } from "./instruments/units.ts";
import { language, said, say } from "./languages/say.ts";
import { hash } from "./navigation/address.ts";
import { neighbour } from "./navigation/neighbour.ts";
import { followSwipes, isField, isTurnable } from "./navigation/turning.ts";
import { addressesInOrder, listedPages, pageOf, restPages, titleOf } from "./pages/index.ts";
import type { Page } from "./pages/page.ts";
import { Boundary } from "./parts/boundary.tsx";
import { Icon } from "./parts/icon.tsx";
import { lazy } from "./parts/lazy.tsx";
import { LightButton } from "./parts/light-button.tsx";

export const page = computed<Page>(() => pageOf(hash.value));

/** The title of the page; computed, because a thing may get a name meanwhile. */
const title = computed(() => {
  void secondTick.value;
  return guarded(page.value.name, () => titleOf(page.value, hash.value), page.value.name);
});

/** The bar of changes that are not in force yet, which are made on board. */
const Deployment = lazy(
  () => import("./boat/deployment.tsx").then(({ Deployment: View }) => View),
  () => null,
);

/** The mark in the head in place of that bar, where nothing is changed. */
const PendingMark = lazy(
  () => import("./boat/pending-mark.tsx").then(({ PendingMark: View }) => View),
  () => null,
);

effect(() => {
  const alarm = ringingTitle.value && `\u26a0 ${ringingTitle.value}`;
  document.title = [alarm, hull, title.value, "hub"].filter((part) => part !== undefined).join(" – ");
});

effect(() => {
  document.documentElement.lang = language.value;
});

const link = computed(() => linkNow(frameTick.value));

/** Time after which the bar of changes is loaded without values too; a slow link would bring them later because of it. */
const FIRST_VALUES_MS = 10_000;
const isPastFirstValues = computed(
  () => link.value === "live" || link.value === "slow" || secondTick.value > FIRST_VALUES_MS,
);

function Clock() {
  const date = latest.read("date", frameTick.value);
  const { timeZone } = settings.value;
  const isKnown = date.kind === "live" && date.value.date !== undefined && date.value.time !== undefined;
  return (
    <p class="head-clock">
      {isKnown ? dateTimeText(date.value.date!, date.value.time!, timeZone).time.slice(0, 5) : "––:––"}{" "}
      <small>{timeZone === "UTC" ? "UTC" : "LT"}</small>
    </p>
  );
}

/** Kind of the state of the link: good, lost, or silent, for a boat that may be off or whose data is late. */
function linkKind(link: Link): "good" | "silent" | "lost" {
  if (link === "live" || link === "slow") return "good";
  return link === "silent" || link === "nothing heard" || link === "late" ? "silent" : "lost";
}

function Status() {
  return (
    <p class={`status ${linkKind(link.value)}`} role="status" data-id="link">
      <span class="lamp" aria-hidden="true" />
      {shortText(link.value, frameTick.value)}
    </p>
  );
}

/** That the values are of no boat. */
function MadeUp() {
  const status = store.interface;
  const name = status && !isDead(status, secondTick.value) ? substituteName(status.data) : undefined;
  return name === undefined ? null : (
    <b class="made-up" data-id="made-up">
      {said(name)}
    </b>
  );
}

function turn(step: 1 | -1): void {
  const next = neighbour(addressesInOrder(), location.hash, step);
  if (next !== undefined) location.hash = `#/${next}`;
}

followSwipes(turn);

const steps: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Keys: digits choose a page, arrows turn to the one beside it, n toggles the light; not in a field. */
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target)) return;
  const chosen = listedPages[Number(event.key) - 1];
  const step = steps[event.key];
  if (chosen !== undefined) location.hash = `#/${chosen.name}`;
  else if (step !== undefined && isTurnable(event.target)) turn(step);
  else if (event.key === "n") toggleLight();
});

/** A page in the navigation; small screens show `more` in place of the pages that are listed there. */
function PageLink({ of: { name, title, icon }, at }: { readonly of: Page; readonly at: number }) {
  const here = page.value.name;
  const isRest = restPages.some((one) => one.name === name);
  const isAbove = name === "more" && restPages.some((one) => one.name === here);
  const isBeside = isAbove && listedPages.some((one) => one.name === here);
  return (
    <a
      class={isRest ? "rest" : isBeside ? "beside" : ""}
      href={`#/${name}`}
      aria-current={name === here ? "page" : isAbove ? "true" : undefined}
      aria-keyshortcuts={at < 9 ? String(at + 1) : undefined}
    >
      <Icon d={icon} />
      {typeof title === "string" && say(title)}
    </a>
  );
}

export function App() {
  const { View, hasAlarms, name } = page.value;
  const main = useRef<HTMLElement>(null);
  // A page begins at its top; the effects of the page, which may scroll to a panel, come later.
  useLayoutEffect(() => main.current?.scrollTo(0, 0), [name]);
  return (
    <>
      <header class={`head ${link.value === "live" ? "" : "troubled"}`}>
        {hull !== undefined && (
          <a class="hull" href={fleetHref()} aria-label={say("{hull}, to the fleet", { hull })}>
            {hull}
          </a>
        )}
        <h1>{title}</h1>
        <Boundary name={say("The state of the link")}>
          <Status />
          <MadeUp />
        </Boundary>
        {hull === undefined && (
          <Boundary name="The mark of changes">
            <PendingMark page={page.value.name} />
          </Boundary>
        )}
        {/* The bell is first in the group at the right, so that nothing moves under the finger when it disappears. */}
        <Boundary name={say("The bell")}>
          <Bell />
        </Boundary>
        <Boundary name={say("The clock")}>
          <Clock />
        </Boundary>
        <Boundary name={say("The man-overboard button")}>
          <ManOverboardButton />
        </Boundary>
        <LightButton />
      </header>
      <Boundary name={say("The man-overboard question")}>
        <ManOverboardQuestion />
      </Boundary>
      <Boundary name={say("The alarm bar")} within=".alarm-bar">
        <AlarmBar isList={hasAlarms ?? false} />
      </Boundary>
      <nav class="ways" aria-label={say("Pages")}>
        {listedPages.map((one, at) => (
          <PageLink key={one.name} of={one} at={at} />
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls and has to be reachable by keyboard */}
      <main ref={main} tabIndex={0} class={linkKind(link.value) === "lost" ? "cut" : ""}>
        <Boundary key={page.value.name} within="main" name={say("The page {title}", { title: title.value })}>
          <View />
        </Boundary>
      </main>
      {hull === undefined && isPastFirstValues.value && (
        <Boundary name={say("The bar of changes")} within=".changes">
          <Deployment page={page.value.name} />
        </Boundary>
      )}
    </>
  );
}
