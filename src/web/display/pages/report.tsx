/** The report about the bus that an installer prints, `#/report`. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const report: Page = {
  name: "report",
  title: "Report",
  filters: (prefix) => [topics.findings.name({ prefix }), topics.traffic.name({ prefix })],
  View: lazyView(() => import("../bus/report-view.tsx").then(({ ReportView }) => ReportView)),
};
