/** Persons and vessels in distress. */
import { aisSafetyRelatedBroadcastMessage } from "../../n2k/pgns/ais.ts";
import { dscCallInformation } from "../../n2k/pgns/dsc.ts";
import { manOverboardNotification } from "../../n2k/pgns/for-reports.ts";
import { greatCircle } from "../../nav/great-circle.ts";
import { type CallKind, firstOf, keyOfCall } from "../distress.ts";
import { deviceSentence } from "../names.ts";
import type { Reading } from "../reading.ts";
import { heardBy } from "../reads.ts";
import type { Situation } from "../situation.ts";
import { alarm } from "./hazard.ts";

/** Readings of the calls of one kind; a call that has been silent for long is within its limit. */
const callsOf =
  (kind: CallKind) =>
  ({ calls, clock, position: boat, isOver, nameOfDevice }: Situation): readonly Reading[] =>
    calls
      .filter((call) => call.kind === kind)
      .map((call) => {
        const { subject, press, person, name, address, what, position, wasAcknowledged } = call;
        const line = boat && position && greatCircle(boat, position);
        const place = { position, range: line?.range, bearing: line?.bearing, first: firstOf(call, clock) };
        return {
          key: keyOfCall(call),
          subject,
          press,
          person,
          name,
          sentences: address === undefined ? [what] : [what, deviceSentence({ address }, { nameOfDevice })],
          place,
          wasAcknowledged,
          level: call.generation ?? 0,
          zone: isOver(call) ? "within" : "beyond",
        };
      });

const notifications = heardBy(manOverboardNotification, ({ distress }, message, heard) =>
  distress.hearNotification(message, heard),
);
const radioCalls = heardBy(dscCallInformation, ({ distress }, message, { arrived }) =>
  distress.hearRadio(message, arrived),
);
const beaconTexts = heardBy(aisSafetyRelatedBroadcastMessage, ({ distress }, message, { arrived }) =>
  distress.hearText(message, arrived),
);

export const personHazards = {
  manOverboard: alarm({
    title: "Man overboard",
    severity: "emergency",
    delay: 0,
    isLatched: true,
    reads: [notifications, beaconTexts],
    // The button needs no sensor.
    canWatch: () => true,
    readings: callsOf("manOverboard"),
  }),
  distress: alarm({
    title: "Distress",
    severity: "emergency",
    delay: 0,
    isLatched: true,
    reads: [beaconTexts, radioCalls],
    // No receiver is heard before it has a call.
    canWatch: () => true,
    readings: callsOf("distress"),
  }),
  beaconTest: alarm({
    title: "Distress beacon under test",
    severity: "warning",
    delay: 0,
    reads: [notifications, beaconTexts],
    canWatch: () => true,
    readings: callsOf("beaconTest"),
  }),
};
