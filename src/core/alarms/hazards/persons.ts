/** Persons and vessels in distress. */
import { aisSafetyRelatedBroadcastMessage } from "../../n2k/pgns/ais.ts";
import { dscCallInformation } from "../../n2k/pgns/dsc.ts";
import { manOverboardNotification } from "../../n2k/pgns/for-reports.ts";
import { greatCircle } from "../../nav/great-circle.ts";
import { isoTime } from "../../text/date.ts";
import type { CallKind } from "../distress.ts";
import type { Situation } from "../situation.ts";
import { alarm, type Reading } from "./hazard.ts";

/** Readings of the calls of one kind; a call that has been silent for long is within its limit. */
const callsOf =
  (kind: CallKind) =>
  ({ calls, position: boat, isOver }: Situation): readonly Reading[] =>
    calls
      .filter((call) => call.kind === kind)
      .map((call) => {
        const { subject, name, text, position, firstAt, firstPosition, boatAt, wasAcknowledged } = call;
        const line = boat && position && greatCircle(boat, position);
        const first = { at: isoTime(firstAt), position: firstPosition, boat: boatAt };
        const place = { position, range: line?.range, bearing: line?.bearing, first };
        return { subject, name, text, place, wasAcknowledged, zone: isOver(call) ? "within" : "beyond" };
      });

export const personHazards = {
  manOverboard: alarm(
    0,
    {},
    {
      title: "Man overboard",
      severity: "emergency",
      isLatched: true,
      reads: [manOverboardNotification, aisSafetyRelatedBroadcastMessage],
      // The button needs no sensor.
      canWatch: () => true,
      readings: callsOf("manOverboard"),
    },
  ),
  distress: alarm(
    0,
    {},
    {
      title: "Distress",
      severity: "emergency",
      isLatched: true,
      reads: [aisSafetyRelatedBroadcastMessage, dscCallInformation],
      readings: callsOf("distress"),
    },
  ),
  beaconTest: alarm(
    0,
    {},
    {
      title: "Distress beacon under test",
      severity: "warning",
      reads: [manOverboardNotification, aisSafetyRelatedBroadcastMessage],
      readings: callsOf("beaconTest"),
    },
  ),
};
