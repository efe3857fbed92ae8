/**
 * The report of hub-config-fetch about its last run, which hub-configd serves in `GET /health` and publishes over MQTT.
 */
import * as z from "zod";
import { textOf } from "../text/ascii-buffer.ts";
import { jsonIn } from "../util/json-in.ts";
import { envelopeOf, metadataAt, metadataOf } from "./envelope.ts";
import { writerOf } from "./write.ts";

/** Three runs of the hourly timer. */
const EXPIRE_AFTER_SECONDS = 10_800;

export const fetchReport = z.strictObject({
  channel: z.string().describe("channel of the releases that this boat takes"),
  result: z
    .enum(["deployed", "unchanged", "refused", "failed"])
    .describe("refused: what was fetched may not be deployed; failed: the server or the service is away"),
  reason: z.string().describe("why it was refused or failed").optional(),
  version: z.int().min(1).describe("version that was deployed last; absent: none yet").optional(),
  checkedAt: z.iso.datetime().describe("time of the run"),
});

type Parsed = z.infer<typeof fetchReport>;

/** Members are absent, never undefined, so that it is JSON as it is. */
export type FetchReport = { readonly [Name in keyof Parsed]: Exclude<Parsed[Name], undefined> };

/** The report in the text of a file; undefined for anything else. */
export const parseFetchReport = (text: string): FetchReport | undefined =>
  fetchReport.safeParse(jsonIn(text)).data as FetchReport | undefined;

const payloadText = textOf(writerOf(envelopeOf(fetchReport, metadataOf(EXPIRE_AFTER_SECONDS))));

export const fetchReportPayload = (report: FetchReport): string =>
  payloadText({ data: report, metadata: metadataAt(Date.parse(report.checkedAt), EXPIRE_AFTER_SECONDS) });
