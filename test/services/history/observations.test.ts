import { expect, test } from "vitest";
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
    { ...of, id: "manOverboard-0" },
    { ...of, id: "manOverboard-0-2", first: { ...first, boat } },
    { ...of, id: "distress-211234560" },
  ];
  const heard = observationOf({ topic: "alarms" } as never, { data: { alarms }, metadata });
  expect(heard).toMatchObject({ alarms: [{ person: 1, boatAt: position }, { person: 2, boatAt: boat }, {}] });
  expect(heard).not.toHaveProperty("alarms[2].boatAt");
});
