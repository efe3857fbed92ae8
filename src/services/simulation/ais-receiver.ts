/** The messages of the AIS receiver: position reports at the intervals of ITU-R M.1371, and static data. */
import {
  aisAidsToNavigationReport,
  aisClassAPositionReport,
  aisClassAStaticAndVoyageData,
  aisClassBExtendedPositionReport,
  aisClassBPositionReport,
  aisClassBStaticDataPartA,
  aisClassBStaticDataPartB,
  aisSarAircraftPositionReport,
} from "../../core/n2k/pgns/ais.ts";
import { heading360, type Instant, type PeriodicMessage, periodicMessage } from "./periodic-message.ts";
import { type AidToNavigation, type Aircraft, type ClassA, type ClassB, type Ship, ships } from "./ships.ts";

const POSITION = 4;
const STATIC = 6;
const SIX_MINUTES_MS = 360_000;
const KNOT = 1852 / 3600;

/** Interval of position reports (ITU-R M.1371; the shorter intervals while turning are left out). */
export function reportIntervalMs({ kind, at }: Ship): number {
  const { speed } = at(0);
  switch (kind) {
    case "A":
      return speed === 0 ? 180_000 : speed <= 14 * KNOT ? 10_000 : speed <= 23 * KNOT ? 6000 : 2000;
    case "B":
      return speed <= 2 * KNOT ? 180_000 : 30_000;
    case "AtoN":
      return 180_000;
    case "SAR":
      return 10_000;
  }
}

/** The members at the beginning of every AIS message; stations alternate between the two channels. */
const head = ({ mmsi }: Ship, messageId: number, { seconds }: Instant) =>
  ({
    messageId,
    repeatIndicator: 0,
    mmsi,
    transceiver: Math.floor(seconds / 2) % 2 === 0 ? "Channel A VDL reception" : "Channel B VDL reception",
  }) as const;

const gps = { positionFixingDevice: "GPS" } as const;

/** Static data, `delayMs` after the first position. */
const statics = (firstMs: number, delayMs: number) =>
  ({ periodMs: SIX_MINUTES_MS, firstMs: firstMs + delayMs, priority: STATIC }) as const;

const where = (ship: Ship, now: Instant) => ({
  ...ship.at(now.seconds).position,
  positionAccuracy: "Low" as const,
  raim: false,
  timeStamp: Math.floor(now.wall / 1000) % 60,
});

const movement = (ship: Ship, { seconds }: Instant) => {
  const { course, speed } = ship.at(seconds);
  return { cogDeg: heading360(course), sogMs: speed };
};

const classA = (ship: ClassA, periodMs: number, firstMs: number): readonly PeriodicMessage[] => [
  periodicMessage(aisClassAPositionReport, { periodMs, firstMs, priority: POSITION }, (now) => {
    const { heading, rateOfTurn } = ship.at(now.seconds);
    return {
      ...head(ship, ship.navStatus === "At anchor" ? 3 : 1, now),
      ...where(ship, now),
      ...movement(ship, now),
      communicationState: 0,
      headingDeg: heading360(heading),
      rateOfTurnDegPerMin: rateOfTurn,
      navStatus: ship.navStatus,
      specialManeuver: "Not engaged in special maneuver",
    };
  }),
  periodicMessage(aisClassAStaticAndVoyageData, statics(firstMs, 4000), (now) => ({
    ...head(ship, 5, now),
    ...ship.hull,
    ...gps,
    imoNumber: ship.imo,
    callsign: ship.callsign,
    name: ship.name,
    shipType: ship.shipType,
    draftM: ship.draft,
    destination: ship.destination,
    aisVersion: "ITU-R M.1371-5",
    dte: "Available",
  })),
];

const classBPosition = (ship: ClassB, periodMs: number, firstMs: number): PeriodicMessage =>
  periodicMessage(aisClassBPositionReport, { periodMs, firstMs, priority: POSITION }, (now) => ({
    ...head(ship, 18, now),
    ...where(ship, now),
    ...movement(ship, now),
    communicationState: 0,
    headingDeg: heading360(ship.at(now.seconds).heading),
    unitType: "CS",
    integratedDisplay: false,
    dsc: true,
    band: "Entire marine band",
    canHandleMessage22: true,
    mode: "Autonomous",
    communicationStateType: "ITDMA",
  }));

const classBStatic = (ship: ClassB, firstMs: number): readonly PeriodicMessage[] => [
  periodicMessage(aisClassBStaticDataPartA, statics(firstMs, 4000), (now) => ({
    ...head(ship, 24, now),
    name: ship.name,
  })),
  periodicMessage(aisClassBStaticDataPartB, statics(firstMs, 6000), (now) => ({
    ...head(ship, 24, now),
    ...ship.hull,
    ...gps,
    shipType: ship.shipType,
    vendorId: "HUBSIM",
    callsign: ship.callsign,
  })),
];

const classBExtended = (ship: ClassB, periodMs: number, firstMs: number): PeriodicMessage =>
  periodicMessage(aisClassBExtendedPositionReport, { periodMs, firstMs, priority: POSITION }, (now) => ({
    ...head(ship, 19, now),
    ...where(ship, now),
    ...movement(ship, now),
    ...ship.hull,
    ...gps,
    headingDeg: heading360(ship.at(now.seconds).heading),
    shipType: ship.shipType,
    name: ship.name,
    dte: "Available",
    mode: "Autonomous",
  }));

const aidToNavigation = (ship: AidToNavigation, periodMs: number, firstMs: number): PeriodicMessage =>
  periodicMessage(aisAidsToNavigationReport, { periodMs, firstMs, priority: POSITION }, (now) => ({
    ...head(ship, 21, now),
    ...where(ship, now),
    atonType: ship.atonType,
    offPosition: false,
    virtual: ship.virtual,
    assignedMode: "Autonomous and continuous",
    positionFixingDevice: "Surveyed",
    atonStatus: 0,
    name: ship.name,
  }));

const aircraft = (ship: Aircraft, periodMs: number, firstMs: number): PeriodicMessage =>
  periodicMessage(aisSarAircraftPositionReport, { periodMs, firstMs, priority: POSITION }, (now) => ({
    ...head(ship, 9, now),
    ...where(ship, now),
    ...movement(ship, now),
    communicationState: 0,
    altitudeM: ship.altitude,
    dte: "Available",
  }));

function messagesOf(ship: Ship, index: number): readonly PeriodicMessage[] {
  const periodMs = reportIntervalMs(ship);
  // One after the other, as on the radio.
  const firstMs = 700 + 430 * index;
  switch (ship.kind) {
    case "A":
      return classA(ship, periodMs, firstMs);
    case "B":
      return ship.extended
        ? [classBExtended(ship, periodMs, firstMs)]
        : [classBPosition(ship, periodMs, firstMs), ...classBStatic(ship, firstMs)];
    case "AtoN":
      return [aidToNavigation(ship, periodMs, firstMs)];
    case "SAR":
      return [aircraft(ship, periodMs, firstMs)];
  }
}

/** Every message of the AIS receiver. */
export const aisMessages: readonly PeriodicMessage[] = ships.flatMap(messagesOf);
