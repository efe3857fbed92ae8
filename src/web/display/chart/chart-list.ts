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

/** Asks the web server until it answers. One that was not told of the folder has no list. */
export function askForCharts(): void {
  if (isAsked) return;
  isAsked = true;
  void ask();
}

/** Asks again, after a chart has come or gone. */
export const askAgain = (): void => void ask();

async function ask(): Promise<void> {
  const response = await fetch(CHARTS_FOLDER).catch(() => undefined);
  if (response === undefined || response.status >= 500) {
    setTimeout(ask, ASK_AGAIN_MS);
    return;
  }
  const isList = response.ok && response.headers.get("content-type")?.startsWith("application/json") === true;
  if (isList) chartNames.value = namesIn(await response.json().catch(() => []));
}
