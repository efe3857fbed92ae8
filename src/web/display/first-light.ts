/**
 * Runs before the first paint, while the scripts of the page are still on their way, which takes seconds over a bad link:
 * the crew's colours, because a white screen by night blinds, and a sentence if the page does not come. It stands before
 * the style sheet, for which scripts behind it wait. It connects to the broker meanwhile.
 */
import "./first-light.css";
import { brokerUrlOf, openFirstSocket } from "./data/broker-address.ts";
import { stored } from "./data/stored.ts";
import { showLight } from "./parts/light.ts";

const { light, lamp, broker } =
  stored("hub-display", (json) => json as Readonly<Partial<Record<"light" | "lamp" | "broker", unknown>>>).read() ?? {};
showLight(light === "night" ? "night" : "day", typeof lamp === "number" ? lamp : 100);
openFirstSocket(brokerUrlOf(typeof broker === "string" ? broker : ""));

// This page came from the cache, and its server refuses it: only a page of the server's own can ask for a password.
navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ readonly isRefused?: boolean }>) => {
  if (data.isRefused === true) location.reload();
});

/** The place of a sentence, until the page is drawn. */
const stateOf = (): Element | null => document.querySelector("[data-first]");

const RELOAD_MS = 5000;
const isScript = (target: EventTarget | null): boolean => target instanceof HTMLScriptElement;

// The event of an element does not bubble.
addEventListener(
  "error",
  ({ target }) => {
    const state = isScript(target) ? stateOf() : null;
    if (state === null) return;
    state.textContent = "The boat's computer does not answer. This page is loaded again.";
    setTimeout(() => location.reload(), RELOAD_MS);
  },
  true,
);

/** A good link needs less, and a bad one brings the page within the time after which it is loaded again. */
const SLOW_MS = 10_000;
const LONGEST_MS = 60_000;

setTimeout(() => {
  const state = stateOf();
  if (state === null) return;
  // A browser paints nothing before the style sheets of the head have come; it does not wait for one that is added.
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]"))
    if (link.sheet === null) link.replaceWith(link.cloneNode());
  state.textContent = "This page is slow to come. It is loaded again if it does not. ";
  const again = document.createElement("button");
  again.textContent = "Load it now";
  again.onclick = () => location.reload();
  state.append(again);
}, SLOW_MS);
setTimeout(() => stateOf() && location.reload(), LONGEST_MS);
