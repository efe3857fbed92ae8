/** The names of the boat's own charts, by the web server's list of their folder. */
import { signal } from "@preact/signals";

export const CHARTS_FOLDER = "../charts/";

/** By name, so that an owner decides by names which chart lies above the others. Empty until they are known. */
export const chartNames = signal<readonly string[]>([]);

/** The names in nginx's list of a folder (ngx_http_autoindex_module). */
function namesIn(listed: unknown): readonly string[] {
  const entries: readonly { readonly name?: unknown }[] = Array.isArray(listed) ? listed : [];
  return entries
    .map((entry) => entry?.name)
    .filter((name): name is string => typeof name === "string" && name.endsWith(".pmtiles"))
    .sort();
}

const ASK_AGAIN_MS = 30_000;
let isAsked = false;

/**
 * Asks the web server until it answers, whenever a plot is opened: another screen may have removed a chart. A server that
 * was not told of the folder has no list.
 */
export function askForCharts(): void {
  if (isAsked) return;
  isAsked = true;
  void ask();
}

export function forgetChart(name: string): void {
  chartNames.value = chartNames.peek().filter((each) => each !== name);
}

async function ask(): Promise<void> {
  const response = await fetch(CHARTS_FOLDER).catch(() => undefined);
  if (response === undefined || response.status >= 500) {
    setTimeout(ask, ASK_AGAIN_MS);
    return;
  }
  isAsked = false;
  const isList = response.ok && response.headers.get("content-type")?.startsWith("application/json") === true;
  const names = isList ? namesIn(await response.json().catch(() => [])) : [];
  if (names.join("\n") !== chartNames.peek().join("\n")) chartNames.value = names;
}
