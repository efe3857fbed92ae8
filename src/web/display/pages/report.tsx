/** The report about the bus that an installer prints, `#/report`. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const report: Page = {
  name: "report",
  title: "Report",
  icon: "M6 3H15L19 7V21H6ZM9 11H16M9 15H16M9 7H12",
  about: "Report of the NMEA 2000 network",
  filters: (prefix) => [topics.findings.name({ prefix }), topics.traffic.name({ prefix })],
  View: lazyView(() => import("../bus/report-view.tsx").then(({ ReportView }) => ReportView)),
};
