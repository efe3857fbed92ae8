/** Which link of the way from the bus to this screen is broken: the network, the broker, or hub-cand. */
import { effect, signal } from "@preact/signals";
import { brokerUrl, settings } from "../settings.ts";
import { connectionState } from "./connection.ts";
import { ageText, TRANSPORT_SECONDS } from "./freshness.ts";
import { bridgeOf, lastHeard, reportLife } from "./store.ts";

const PROBE_PERIOD_MS = 5000;
const PROBE_TIMEOUT_MS = 3000;

/** Whether the host of the broker, where this page comes from, answers; undefined: not known. Asked while the broker is away. */
const isHostThere = signal<boolean>();

const isOwnHost = (): boolean => new URL(brokerUrl()).hostname === location.hostname;

async function probe(): Promise<void> {
  try {
    // The service worker answers from its cache what is asked by GET.
    await fetch(location.pathname, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    isHostThere.value = true;
  } catch {
    isHostThere.value = false;
  }
}

let probing: ReturnType<typeof setInterval> | undefined;

export function startLinkProbe(): void {
  effect(() => {
    clearInterval(probing);
    isHostThere.value = undefined;
    if (connectionState.value !== "lost" || !isOwnHost()) return;
    void probe();
    probing = setInterval(() => void probe(), PROBE_PERIOD_MS);
  });
}

/** `bridge`: hub-cand has said good-bye, or its broker did for it. */
export type Link = "live" | "connecting" | "network" | "host" | "broker" | "bridge" | "silent" | "nothing heard";

/** The first link that is broken, from this screen on; `network` when it is not known which. */
export function linkNow(now: number): Link {
  if (connectionState.value === "connecting") return "connecting";
  if (connectionState.value === "lost") {
    if (isHostThere.value === undefined) return "network";
    return isHostThere.value ? "broker" : "host";
  }
  if (bridgeOf(settings.value.prefix)?.online === false) return "bridge";
  const silent = silentSeconds(now);
  if (!Number.isFinite(silent)) return "nothing heard";
  return silent > reportLife() + TRANSPORT_SECONDS ? "silent" : "live";
}

const silentSeconds = (now: number): number => (now - lastHeard()) / 1000;

/** For the head of the page. */
const shortTexts: Readonly<Record<Exclude<Link, "silent">, string>> = {
  live: "Live",
  connecting: "Connecting",
  network: "No network",
  host: "No network",
  broker: "No broker",
  bridge: "No bus data",
  "nothing heard": "Nothing heard",
};

export const shortText = (link: Link, now: number): string =>
  link === "silent" ? `Silent for ${ageText(silentSeconds(now))}` : shortTexts[link];

/** The broken link in words; undefined where the links are whole. */
export const brokenLinks: Readonly<Partial<Record<Link, string>>> = {
  connecting: "the broker does not answer",
  network: "the connection to the broker is lost",
  host: "this screen does not reach the boat's computer",
  broker: "the boat's computer answers, its broker does not",
  bridge: "hub-cand is off",
  silent: "hub-cand is silent",
  "nothing heard": "hub-cand is silent",
};
