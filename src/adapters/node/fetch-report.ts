/** The last report of hub-config-fetch, as hub-configd reads it. */
import { type FetchReport, parseFetchReport } from "../../report/config-fetch.ts";
import { cachedFileReader } from "./cached-files.ts";

const MAX_BYTES = 64 << 10;

/** Makes a function that reads it; undefined where there is none, or none that can be read. */
export function fetchReportFile(path: string): () => Promise<FetchReport | undefined> {
  const readFile = cachedFileReader();
  return async () => {
    const bytes = await readFile(path, { maxBytes: MAX_BYTES }).catch(() => undefined);
    return bytes && parseFetchReport(new TextDecoder().decode(bytes));
  };
}
