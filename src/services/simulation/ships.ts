/**
 * The other ships, as the AIS receiver hears them. Each follows a closed track at a constant speed, or lies still.
 * Names and call signs are invented, the MMSI have an unassigned country code (299), and the IMO numbers a wrong check
 * digit, so that none is mistaken for a real ship.
 */
import { type Coordinates, directionOf, half, minus, plus, polar, toCoordinates, type Vector } from "./plane.ts";
import { closedTrack } from "./track.ts";
import { ROUND_SECONDS, voyageAt } from "./voyage.ts";

/** Dimensions, and the position of the antenna from bow and starboard side, metres. */
export interface Hull {
  readonly lengthM: number;
  readonly beamM: number;
  readonly toBowM: number;
  readonly toStarboardM: number;
}

/** Position and movement of a station: degrees, metres per second, degrees per minute to starboard. */
export interface Motion {
  readonly place: Vector;
  readonly position: Coordinates;
  readonly course: number;
  readonly heading: number;
  readonly speed: number;
  readonly rateOfTurn: number;
}

interface Station {
  readonly mmsi: number;
  readonly name: string;
  at(seconds: number): Motion;
}

interface Vessel extends Station {
  readonly callsign: string;
  /** Code of ITU-R M.1371: 36 sailing, 60 passenger, 70 cargo, 80 tanker. */
  readonly shipType: number;
  readonly hull: Hull;
}

export interface ClassA extends Vessel {
  readonly kind: "A";
  readonly imo: number;
  readonly draft: number;
  readonly destination: string;
  readonly navStatus: "Under way using engine" | "At anchor" | "Engaged in Fishing" | "Restricted maneuverability";
}

export interface ClassB extends Vessel {
  readonly kind: "B";
  /** Reports name and size with the position (129040) in place of static messages. */
  readonly extended: boolean;
}

export interface AidToNavigation extends Station {
  readonly kind: "AtoN";
  readonly atonType: "Floating AtoN: cardinal N" | "Floating AtoN: special mark";
  /** Whether a station ashore transmits it for a place without a real aid. */
  readonly virtual: boolean;
}

export interface Aircraft extends Station {
  readonly kind: "SAR";
  readonly altitude: number;
}

export type Ship = ClassA | ClassB | AidToNavigation | Aircraft;

const lyingAt =
  (place: Vector, heading = 0) =>
  (): Motion => ({ place, position: toCoordinates(place), course: heading, heading, speed: 0, rateOfTurn: 0 });

/** Follows `corners`; at the second `time` it is `way` metres past the arc of the first corner. */
function sailing(
  corners: readonly Vector[],
  { radius, speed, way = 0, time = 0 }: { radius: number; speed: number; way?: number; time?: number },
): (seconds: number) => Motion {
  const track = closedTrack(corners, radius);
  return (seconds) => {
    const point = track.at(way + speed * (seconds - time));
    const later = track.at(way + speed * (seconds - time + 1));
    return {
      place: point.place,
      position: toCoordinates(point.place),
      course: point.course,
      heading: point.course,
      speed,
      rateOfTurn: 60 * half(later.course - point.course),
    };
  };
}

/** Closest approach of the ferry: metres, and seconds into each round. */
const ENCOUNTER = { distance: 110, seconds: 270 } as const;

/**
 * A ferry from starboard: at the time of `ENCOUNTER` she is at her closest, `distance` metres from the boat, if both
 * keep their courses. She is back in the same place a round later.
 */
function ferry(): (seconds: number) => Motion {
  const course = 225;
  /** Metres of her straight track before and after the closest approach, corners included. */
  const before = 3500;
  const behind = 2100;
  const radius = 300;
  // Two sides long, so that her round takes as long as the boat's.
  const length = 2 * (before + behind - 2 * radius) + 2 * radius * Math.PI;
  const speed = length / ROUND_SECONDS;
  const boat = voyageAt(ENCOUNTER.seconds);
  // The course of the boat's leg, without the swell in her momentary course.
  const { track } = boat.navigation;
  const relative = minus(polar(speed, course), polar(boat.speedOverGround, track));
  // At the closest approach the line between them is perpendicular to the relative velocity; here, astern of the boat.
  const nearest = plus(boat.place, polar(ENCOUNTER.distance, directionOf(relative) - 90));
  const side = polar(2 * radius, course - 90);
  const end = plus(nearest, polar(behind, course));
  const beginning = plus(nearest, polar(-before, course));
  const corners = [beginning, end, plus(end, side), plus(beginning, side)];
  // Slightly less than half the side, which rounding could make too short.
  return sailing(corners, { radius: radius - 1e-6, speed, way: before - radius, time: ENCOUNTER.seconds });
}

/** A rectangle: first corner, course and length of the first side, length of the second side, to starboard. */
const rectangle = (first: Vector, course: number, length: number, width: number): readonly Vector[] => {
  const along = polar(length, course);
  const across = polar(width, course + 90);
  return [first, plus(first, along), plus(plus(first, along), across), plus(first, across)];
};

export const ships: readonly Ship[] = [
  {
    kind: "A",
    mmsi: 299_001_100,
    name: "VEERKRACHT",
    callsign: "3XAB1",
    imo: 9_100_001,
    shipType: 60,
    draft: 4.1,
    destination: "WESTHAVEN",
    hull: { lengthM: 92, beamM: 16, toBowM: 24, toStarboardM: 8 },
    navStatus: "Under way using engine",
    at: ferry(),
  },
  {
    kind: "A",
    mmsi: 299_001_200,
    name: "NOORDSTROOM",
    callsign: "3XAB2",
    imo: 9_100_013,
    shipType: 70,
    draft: 8.6,
    destination: "OOSTPOORT",
    hull: { lengthM: 186, beamM: 27.4, toBowM: 158, toStarboardM: 13.7 },
    navStatus: "Under way using engine",
    at: sailing(rectangle({ north: 4200, east: -16_000 }, 70, 30_000, 3600), { radius: 900, speed: 7.4, way: 11_000 }),
  },
  {
    kind: "A",
    mmsi: 299_001_300,
    name: "STELLA MARINE",
    callsign: "3XAB3",
    imo: 9_100_025,
    shipType: 80,
    draft: 11.9,
    destination: "OOSTPOORT",
    hull: { lengthM: 241, beamM: 42, toBowM: 205, toStarboardM: 21 },
    navStatus: "At anchor",
    at: lyingAt({ north: -5200, east: 4100 }, 238),
  },
  {
    kind: "A",
    mmsi: 299_001_400,
    name: "JONGE WILLEM",
    callsign: "3XAB4",
    imo: 9_100_037,
    shipType: 30,
    draft: 3.4,
    destination: "FISHING GROUNDS",
    hull: { lengthM: 38, beamM: 8.5, toBowM: 14, toStarboardM: 4.2 },
    navStatus: "Engaged in Fishing",
    at: sailing(rectangle({ north: -2600, east: -5200 }, 20, 2600, 900), { radius: 200, speed: 1.9 }),
  },
  {
    kind: "A",
    mmsi: 299_001_500,
    name: "ZANDVLIET",
    callsign: "3XAB5",
    imo: 9_100_049,
    shipType: 33,
    draft: 5.2,
    destination: "DREDGING AREA 4",
    hull: { lengthM: 97.5, beamM: 21, toBowM: 80, toStarboardM: 10.5 },
    navStatus: "Restricted maneuverability",
    at: sailing(rectangle({ north: 2200, east: 2800 }, 110, 3000, 700), { radius: 150, speed: 1.1, way: 900 }),
  },
  {
    kind: "B",
    mmsi: 299_002_100,
    name: "WINDROOS",
    callsign: "3XBC1",
    shipType: 36,
    extended: false,
    hull: { lengthM: 11.2, beamM: 3.6, toBowM: 4, toStarboardM: 1.8 },
    at: sailing(rectangle({ north: 1400, east: -4600 }, 100, 2400, 900), { radius: 80, speed: 2.9, way: 700 }),
  },
  {
    kind: "B",
    mmsi: 299_002_200,
    name: "MEERKOET",
    callsign: "3XBC2",
    shipType: 36,
    extended: false,
    hull: { lengthM: 9.4, beamM: 3.1, toBowM: 3.5, toStarboardM: 1.5 },
    at: sailing(rectangle({ north: -1500, east: 900 }, 60, 1900, 1300), { radius: 70, speed: 2.4, way: 2500 }),
  },
  {
    kind: "B",
    mmsi: 299_002_300,
    name: "SNELLE JELLE",
    callsign: "3XBC3",
    shipType: 37,
    extended: false,
    hull: { lengthM: 13.8, beamM: 4.2, toBowM: 6, toStarboardM: 2.1 },
    at: sailing(rectangle({ north: 3300, east: 900 }, 250, 6000, 2000), { radius: 200, speed: 9.3, way: 1000 }),
  },
  {
    kind: "B",
    mmsi: 299_002_400,
    name: "TWEE GEBROEDERS",
    callsign: "3XBC4",
    shipType: 37,
    extended: true,
    hull: { lengthM: 15.1, beamM: 4.5, toBowM: 7, toStarboardM: 2.2 },
    at: sailing(rectangle({ north: -3000, east: -1800 }, 60, 3500, 1200), { radius: 100, speed: 3.6 }),
  },
  {
    kind: "AtoN",
    mmsi: 992_990_011,
    name: "BANK NORTH",
    atonType: "Floating AtoN: cardinal N",
    virtual: false,
    at: lyingAt({ north: 1500, east: -400 }),
  },
  {
    kind: "AtoN",
    mmsi: 992_996_012,
    name: "SURVEY AREA",
    atonType: "Floating AtoN: special mark",
    virtual: true,
    at: lyingAt({ north: -2200, east: 1900 }),
  },
  {
    kind: "SAR",
    mmsi: 111_299_501,
    name: "RESCUE 01",
    altitude: 150,
    at: sailing(rectangle({ north: 5200, east: -3000 }, 90, 7000, 2500), { radius: 400, speed: 46, way: 3000 }),
  },
];
