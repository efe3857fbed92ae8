/** The report about the bus that an installer prints, `#/report`. */
import { topics } from "../../topics/topics.ts";
import { lazy } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

const View = lazy(
  () => import("../bus/report-view.tsx").then(({ ReportView }) => ReportView),
  () => <p class="nothing">Loading</p>,
);

export const report: Page = {
  name: "report",
  title: "Report",
  filters: (prefix) => [
    topics.interface.name({ prefix }),
    topics.findings.name({ prefix }),
    topics.traffic.name({ prefix }),
  ],
  View,
};
