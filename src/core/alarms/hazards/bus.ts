/** Alarms that others raise: devices on the bus, programs on board. */
import { alertForReports, alertTextForReports } from "../../n2k/pgns/for-reports.ts";
import type { NoticeKind } from "../notices.ts";
import type { Reading } from "../reading.ts";
import { heardBy } from "../reads.ts";
import type { Situation } from "../situation.ts";
import { alarm } from "./hazard.ts";

/** The notices of a kind, with the name of their device. */
export const noticesOf =
  (kind: NoticeKind) =>
  ({ notices, nameOfDevice }: Situation): readonly Reading[] =>
    notices(kind).map(({ key, severity, subject, name, sentences, title, answered, source }) => ({
      key,
      title,
      severity,
      subject,
      name: name ?? (source === undefined ? undefined : nameOfDevice({ address: source })),
      sentences,
      source,
      answered,
      zone: "beyond",
    }));

const alerts = heardBy(alertForReports, ({ busAlerts }, message, { source }) => busAlerts.hear(message, source));
const alertTexts = heardBy(alertTextForReports, ({ busAlerts }, message) => busAlerts.hearText(message));

export const busHazards = {
  alert: alarm({
    title: "Alert of a device",
    severity: "each",
    delay: 0,
    reads: [alerts, alertTexts],
    isListed: ({ isHeard }, { source }) => source === undefined || isHeard(source),
    isAnsweredElsewhere: true,
    readings: noticesOf("alert"),
  }),
  external: alarm({
    title: "Alarm of a program",
    severity: "each",
    delay: 0,
    isListed: true,
    readings: noticesOf("external"),
  }),
};
