/** What an AIS receiver makes of the ships around: reports of position at the intervals of ITU-R M.1371, static data between. */
import {
  aisAidsToNavigationReport,
  aisClassAPositionReport,
  aisClassAStaticAndVoyageData,
  aisClassBExtendedPositionReport,
  aisClassBPositionReport,
  aisClassBStaticDataPartA,
  aisClassBStaticDataPartB,
  aisSarAircraftPositionReport,
} from "../n2k/pgns/ais.ts";
import { type AidToNavigation, type Aircraft, type ClassA, type ClassB, type Hull, type Ship, ships } from "./ships.ts";
import { circle, type Moment, type Talk, talk } from "./talk.ts";

const POSITION = 4;
const STATIC = 6;
const SIX_MINUTES = 360_000;
const KNOT = 1852 / 3600;

/** Milliseconds between two reports of position (ITU-R M.1371, reporting intervals; the faster ones of a turn left out). */
export function reportInterval({ kind, at }: Ship): number {
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

const head = ({ mmsi }: Ship, messageId: number) => ({ messageId, repeatIndicator: 0, mmsi });

const dimensions = ({ length, beam, toBow, toStarboard }: Hull) => ({
  lengthM: length,
  beamM: beam,
  toBowM: toBow,
  toStarboardM: toStarboard,
});

/** The two channels are used in turn. */
const channel = ({ seconds }: Moment) =>
  ({ transceiver: Math.floor(seconds / 2) % 2 === 0 ? "Channel A VDL reception" : "Channel B VDL reception" }) as const;

const gps = { positionFixingDevice: "GPS" } as const;

const where = (ship: Ship, now: Moment) => ({
  ...ship.at(now.seconds).position,
  positionAccuracy: "Low" as const,
  raim: false,
  timeStamp: Math.floor(now.wall / 1000) % 60,
});

const movement = (ship: Ship, { seconds }: Moment) => {
  const { course, speed } = ship.at(seconds);
  return { cogDeg: circle(course), sogMs: speed };
};

const classA = (ship: ClassA, every: number, first: number): readonly Talk[] => [
  talk(aisClassAPositionReport, { every, first, priority: POSITION }, (now) => {
    const { heading, rateOfTurn } = ship.at(now.seconds);
    return {
      ...head(ship, ship.navStatus === "At anchor" ? 3 : 1),
      ...where(ship, now),
      ...movement(ship, now),
      ...channel(now),
      communicationState: 0,
      headingDeg: circle(heading),
      rateOfTurnDegPerMin: rateOfTurn,
      navStatus: ship.navStatus,
      specialManeuver: "Not engaged in special maneuver",
    };
  }),
  talk(aisClassAStaticAndVoyageData, { every: SIX_MINUTES, first: first + 4000, priority: STATIC }, (now) => ({
    ...head(ship, 5),
    ...dimensions(ship.hull),
    ...gps,
    ...channel(now),
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

const classBPosition = (ship: ClassB, every: number, first: number): Talk =>
  talk(aisClassBPositionReport, { every, first, priority: POSITION }, (now) => ({
    ...head(ship, 18),
    ...where(ship, now),
    ...movement(ship, now),
    ...channel(now),
    communicationState: 0,
    headingDeg: circle(ship.at(now.seconds).heading),
    unitType: "CS",
    integratedDisplay: false,
    dsc: true,
    band: "Entire marine band",
    canHandleMessage22: true,
    mode: "Autonomous",
    communicationStateType: "ITDMA",
  }));

const classBStatic = (ship: ClassB, first: number): readonly Talk[] => [
  talk(aisClassBStaticDataPartA, { every: SIX_MINUTES, first: first + 4000, priority: STATIC }, (now) => ({
    ...head(ship, 24),
    ...channel(now),
    name: ship.name,
  })),
  talk(aisClassBStaticDataPartB, { every: SIX_MINUTES, first: first + 6000, priority: STATIC }, (now) => ({
    ...head(ship, 24),
    ...dimensions(ship.hull),
    ...gps,
    ...channel(now),
    shipType: ship.shipType,
    vendorId: "HUBSIM",
    callsign: ship.callsign,
  })),
];

const classBExtended = (ship: ClassB, every: number, first: number): Talk =>
  talk(aisClassBExtendedPositionReport, { every, first, priority: POSITION }, (now) => ({
    ...head(ship, 19),
    ...where(ship, now),
    ...movement(ship, now),
    ...dimensions(ship.hull),
    ...gps,
    ...channel(now),
    headingDeg: circle(ship.at(now.seconds).heading),
    shipType: ship.shipType,
    name: ship.name,
    dte: "Available",
    mode: "Autonomous",
  }));

const aidToNavigation = (ship: AidToNavigation, every: number, first: number): Talk =>
  talk(aisAidsToNavigationReport, { every, first, priority: POSITION }, (now) => ({
    ...head(ship, 21),
    ...where(ship, now),
    ...channel(now),
    atonType: ship.atonType,
    offPosition: false,
    virtual: ship.virtual,
    assignedMode: "Autonomous and continuous",
    positionFixingDevice: "Surveyed",
    atonStatus: 0,
    name: ship.name,
  }));

const aircraft = (ship: Aircraft, every: number, first: number): Talk =>
  talk(aisSarAircraftPositionReport, { every, first, priority: POSITION }, (now) => ({
    ...head(ship, 9),
    ...where(ship, now),
    ...movement(ship, now),
    ...channel(now),
    communicationState: 0,
    altitudeM: ship.altitude,
    dte: "Available",
  }));

function talksOf(ship: Ship, index: number): readonly Talk[] {
  const every = reportInterval(ship);
  // One after the other, as they come over the radio.
  const first = 700 + 430 * index;
  switch (ship.kind) {
    case "A":
      return classA(ship, every, first);
    case "B":
      return ship.extended
        ? [classBExtended(ship, every, first)]
        : [classBPosition(ship, every, first), ...classBStatic(ship, first)];
    case "AtoN":
      return [aidToNavigation(ship, every, first)];
    case "SAR":
      return [aircraft(ship, every, first)];
  }
}

/** Everything that an AIS receiver on board says about the ships. */
export const aisTalks: readonly Talk[] = ships.flatMap(talksOf);
