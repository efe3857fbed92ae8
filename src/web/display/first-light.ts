/**
 * Runs before the first paint, while the scripts of the page are still on their way, which takes seconds over a bad link:
 * the crew's colours, because a white screen by night blinds, and a sentence if a script does not come.
 */
import { stored } from "./data/stored.ts";
import { showLight } from "./parts/light.ts";

const { light, lamp } =
  stored("hub-display", (json) => json as { readonly light?: unknown; readonly lamp?: unknown }).read() ?? {};
showLight(light === "night" ? "night" : "day", typeof lamp === "number" ? lamp : 100);

// This page came from the cache, and its server refuses it: only a page of the server's own can ask for a password.
navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ readonly isRefused?: boolean }>) => {
  if (data.isRefused === true) location.reload();
});

const RELOAD_MS = 5000;
const isScript = (target: EventTarget | null): boolean => target instanceof HTMLScriptElement;

// The event of an element does not bubble.
addEventListener(
  "error",
  ({ target }) => {
    const state = isScript(target) ? document.querySelector("[data-first]") : null;
    if (state === null) return;
    state.textContent = "The boat's computer does not answer. This page is loaded again.";
    setTimeout(() => location.reload(), RELOAD_MS);
  },
  true,
);
