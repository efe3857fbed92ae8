/** The alerts of devices (PGN 126983) with their texts (126985), as notices. */
import type { Message } from "../n2k/definition.ts";
import { AlertCategory } from "../n2k/lookups.ts";
import type { alertForReports, alertTextForReports } from "../n2k/pgns/for-reports.ts";
import type { Device } from "../nav/devices.ts";
import { sentence } from "../text/sentence.ts";
import { setNewest } from "../util/grouped.ts";
import type { Severity } from "./constants.ts";
import type { Notice, Notices } from "./notices.ts";

type Alert = Message<typeof alertForReports>;
type AlertText = Message<typeof alertTextForReports>;

/** Severities by the codes of `AlertType`. */
const severityOfType: Readonly<Record<number, Severity>> = { 1: "emergency", 2: "alarm", 5: "warning", 8: "caution" };

/** Limit of the texts in memory: a device may send the texts of all its alerts in all languages, raised or not. */
const MAX_TEXTS = 200;

const isEnglish = ({ languageId }: AlertText): boolean => languageId === 0 || languageId === 1;

export class BusAlerts {
  readonly #notices: Notices;
  /** Texts by alert, the oldest first. */
  readonly #texts = new Map<string, AlertText>();

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  hear(message: Alert, device: Device): void {
    const key = keyOf(message);
    if (message.state === "Normal" || message.state === "Disabled") {
      this.#notices.end("alert", key);
      return;
    }
    if (message.state === undefined) return;
    this.#notices.raise({
      kind: "alert",
      key,
      device,
      severity: severityOfType[message.alertType ?? 0] ?? "warning",
      ...this.#wordsOf(key, message),
      answered: answerOf(message),
      until: Number.POSITIVE_INFINITY,
    });
  }

  hearText(message: AlertText): void {
    if (!message.text) return;
    const key = keyOf(message);
    const known = this.#texts.get(key);
    if (known !== undefined && isEnglish(known) && !isEnglish(message)) return;
    setNewest(this.#texts, key, message, MAX_TEXTS);
    const notice = this.#notices.of("alert").find((each) => each.key === key);
    if (notice !== undefined) this.#notices.raise({ ...notice, ...inOwnWords(message) });
  }

  #wordsOf(key: string, { alertCategory, alertId }: Alert): Pick<Notice, "title" | "sentences"> {
    const text = this.#texts.get(key);
    if (text !== undefined) return inOwnWords(text);
    const category = AlertCategory[alertCategory ?? -1];
    const id = alertId ?? "";
    return { sentences: [category === undefined ? sentence`alert ${id}` : alertOf[category](id)] };
  }
}

const alertOf = {
  Navigational: (id: string | number) => sentence`navigational alert ${id}`,
  Technical: (id: string | number) => sentence`technical alert ${id}`,
} as const;

const MAX_TEXT_CHARACTERS = 200;

const inOwnWords = ({ text, locationText }: AlertText): Pick<Notice, "title" | "sentences"> => ({
  title: [text!.trim(), locationText?.trim()].filter(Boolean).join(", ").slice(0, MAX_TEXT_CHARACTERS),
  sentences: [sentence`alert of a device`],
});

/** The data source, not the sender: a gateway or a display may pass the alert of another device on. */
const keyOf = (alert: Alert | AlertText): string => {
  const { dataSourceName, dataSourceInstance, dataSourceIndex, alertSystem, alertSubSystem, alertId } = alert;
  return [dataSourceName, dataSourceInstance, dataSourceIndex, alertSystem, alertSubSystem, alertId]
    .map((part) => part ?? "x")
    .join("-");
};

/** Reads the state alone: each flag is one bit, which is set if a device does not support the flag. */
const answerOf = ({ state }: Alert) =>
  state === "Acknowledged" ? "acknowledged" : state === "Silenced" ? "silenced" : undefined;
