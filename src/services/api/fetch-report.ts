/**
 * The last report of hub-config-fetch, which hub-configd serves in the response of GET /health and publishes over MQTT.
 */
import type { Publisher } from "../../core/ports/publisher.ts";
import { type FetchReport, fetchReportPayload, parseFetchReport } from "../../core/report/config-fetch.ts";
import { appTopics } from "../../core/topics/topics.ts";
import type { Services } from "./http/services.ts";

/** Interval at which the report is read. */
const LOOK_MS = 5000;

/** Undefined if nothing is fetched, and for a file that is not a report. */
export async function readFetchReport({ fetchReport }: Services): Promise<FetchReport | undefined> {
  const bytes = await fetchReport?.();
  return bytes && parseFetchReport(new TextDecoder().decode(bytes));
}

/** Publishes the report and each later one; the returned function ends that. */
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
