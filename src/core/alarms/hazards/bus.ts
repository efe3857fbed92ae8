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
    notices(kind).map(({ key, severity, subject, name, sentences, title, answered, device }) => ({
      key,
      title,
      severity,
      subject,
      name: name ?? (device && nameOfDevice(device)),
      sentences,
      device,
      answered,
      zone: "beyond",
    }));

const alerts = heardBy(alertForReports, ({ busAlerts }, message, { device }) => busAlerts.hear(message, device));
const alertTexts = heardBy(alertTextForReports, ({ busAlerts }, message) => busAlerts.hearText(message));

export const busHazards = {
  alert: alarm({
    title: "Alert of a device",
    severity: "each",
    delay: 0,
    reads: [alerts, alertTexts],
    isListed: ({ isHeard }, { device }) => device === undefined || isHeard(device),
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
