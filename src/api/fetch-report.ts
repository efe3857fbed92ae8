/**
 * The last report of hub-config-fetch, which hub-configd tells for it: in the response of GET /health, and over MQTT.
 */
import type { Publisher } from "../ports/publisher.ts";
import { type FetchReport, fetchReportPayload, parseFetchReport } from "../report/config-fetch.ts";
import { appTopics } from "../topics/topics.ts";
import type { Services } from "./http/services.ts";

/** Time from one look at the report to the next. */
const LOOK_MS = 5000;

/** Undefined where nothing is fetched, and for a file that is no report. */
export async function readFetchReport({ fetchReport }: Services): Promise<FetchReport | undefined> {
  const bytes = await fetchReport?.();
  return bytes && parseFetchReport(new TextDecoder().decode(bytes));
}

/** Publishes the report, and each that follows it; the returned function ends that. */
export function publishFetchReports(services: Services, publisher: Publisher): () => void {
  let published: string | undefined;
  const look = async (): Promise<void> => {
    const report = await readFetchReport(services);
    const payload = report && fetchReportPayload(report);
    if (payload === undefined || payload === published) return;
    published = payload;
    publisher.retain(appTopics.configFetch, payload);
    publisher.flush();
  };
  void look();
  return services.clock.every(LOOK_MS, () => void look());
}
