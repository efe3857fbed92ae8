import { expect, test } from "vitest";
import { entryText } from "../../../src/core/voyages/kinds/index.ts";
import { observationOf } from "../../../src/services/history/observations.ts";

const metadata = { rxDate: "2026-06-01T08:00:00.000Z" };

test("a person has the place of the screen that marked her without hub-cand, and a ship in distress is none of the boat", () => {
  const position = { latitude: 54.3, longitude: 10.2 };
  const first = { at: "2026-06-01T07:00:00.000Z", position };
  const of = {
    kind: "manOverboard",
    title: "Call",
    severity: "emergency",
    since: metadata.rxDate,
    state: "active",
    first,
  };
  const boat = { latitude: 54.2, longitude: 10.1 };
  const alarms = [
    { ...of, id: "manOverboard-0", person: 1 },
    { ...of, id: "manOverboard-0-2", person: 2, first: { ...first, boat } },
    { ...of, id: "distress-211234560" },
  ];
  const heard = observationOf({ topic: "alarms" } as never, { data: { alarms }, metadata });
  expect(heard).toMatchObject({ alarms: [{ person: 1, boatAt: position }, { person: 2, boatAt: boat }, {}] });
  expect(heard).not.toHaveProperty("alarms[2].boatAt");
});

test("an alarm without a name is of its engine, its battery or its ship, or says what it is about", () => {
  const of = { id: "1", title: "Alarm", severity: "warning", since: metadata.rxDate, state: "active" };
  const sentences = [{ text: "depth is not watched any more", values: [] }];
  const alarms = [
    { ...of, kind: "batteryVoltage", subject: 1, name: "House", sentences },
    { ...of, kind: "batteryVoltage", subject: 1 },
    { ...of, kind: "oilPressure", subject: 0, sentences },
    { ...of, kind: "cpa", subject: 211234560 },
    { ...of, kind: "distress", subject: 2111240 },
    { ...of, kind: "manOverboard", subject: 7, sentences },
    { ...of, kind: "dataLost", sentences },
    { ...of, kind: "ofNewer" },
  ];
  const heard = observationOf({ topic: "alarms" } as never, { data: { alarms }, metadata });
  const texts =
    heard!.of === "alarms"
      ? heard!.alarms.map((details) => entryText({ kind: "alarm", details: details as never }))
      : [];
  expect(texts).toEqual([
    "Alarm: Alarm House",
    "Alarm: Alarm battery 1",
    "Alarm: Alarm engine 0",
    "Alarm: Alarm MMSI 211234560",
    "Alarm: Alarm MMSI 2111240",
    ...["Alarm: Alarm", "Alarm: Alarm depth is not watched any more", "Alarm: Alarm"],
  ]);
});
