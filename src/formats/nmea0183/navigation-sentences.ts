/** Sentences from the navigation report: the sources that hub-cand has chosen. */
import {
  celsius,
  choice,
  constant,
  type Derived,
  date,
  decimal,
  derived,
  direction,
  type Field,
  latitude,
  longitude,
  type Member,
  numberOf,
  otherwise,
  type Sentence,
  sentence,
  status,
  timeOfDay,
  within,
} from "./sentence.ts";

const KMH = 1.852;
const FEET = 1 / 0.3048;
const FATHOMS = FEET / 6;

const hasFix = "navigation position.hasFix";
const fixType = "navigation position.fixType";
const latitudes = within("navigation position.latitude", -90, 90);
const longitudes = within("navigation position.longitude", -180, 180);
/** Latitude and longitude count only together. */
const lat = derived([latitudes, longitudes], (north) => north!);
const lon = derived([latitudes, longitudes], (_north, east) => east!);
const time = timeOfDay("fix time");
const day = "fix date";
/** Knots; nothing that is watched is faster. */
const sog = within("navigation speed_course.sog", 0, 999);
const cog = "navigation speed_course.cog";
const variation = "navigation speed_course.variation";
const deviation = "navigation speed_course.deviation";
const headingTrue = "navigation speed_course.headingTrue";
const headingMagnetic = "navigation speed_course.headingMagnetic";
const speed = "navigation speed_course.speedThroughWater";
const depth = "navigation depth_water.depth";
const range = "128267 rangeM";
const waterTemperature = celsius("navigation depth_water.waterTemperature");

/** Letters of the mode of positioning, and digits of the quality of a fix, by `fixType` of the report. */
const modes: ReadonlyMap<unknown, readonly [letter: string, quality: string]> = new Map([
  ["gnss", ["A", "1"]],
  ["dgnss", ["D", "2"]],
  ["precise_gnss", ["P", "3"]],
  ["rtk_fixed", ["R", "4"]],
  ["rtk_float", ["F", "5"]],
  ["estimated", ["E", "6"]],
  ["manual", ["M", "7"]],
  ["simulator", ["S", "8"]],
]);
const modeOf = (isFix: unknown, type: unknown) =>
  isFix === true ? (modes.get(type) ?? (["A", "1"] as const)) : (["N", "0"] as const);

const mode = choice([hasFix, fixType], (isFix, type) => modeOf(isFix, type)[0]);

/** A field made from the letter and the quality of the position; without a fix these are the values for no fix. */
const ofPosition = (write: (letter: string, quality: string) => string): Field => ({
  members: [hasFix, fixType, ...lat.members],
  write: (find) => write(...modeOf(find(hasFix) === true && numberOf(lat, find) !== undefined, find(fixType))),
});
const positionMode = ofPosition((letter) => letter);
const quality = ofPosition((_letter, digit) => digit);
/** `A` for a position that a receiver has measured; `V` for one that is estimated, entered or simulated. */
const positionStatus = ofPosition((letter) => ("ADPRF".includes(letter) ? "A" : "V"));

/** RMC has a position with its time: without a time its position is not valid. */
const withTime = (ofTimed: Field, instead: string): Field => ({
  members: [...ofTimed.members, ...time.members],
  write: (find) => (time.write(find) === "" ? instead : ofTimed.write(find)),
});

/** A member of the true wind, if it is that over the water, or that over the ground. */
const trueWind = (reference: "water" | "ground", member: "speed" | "angle" | "direction"): Derived => {
  const referenceMember: Member = "navigation wind_true.reference";
  const value = derived([`navigation wind_true.${member}`], (number) => number!);
  return {
    members: [referenceMember, ...value.members],
    compute: (find) => (find(referenceMember) === reference ? value.compute(find) : undefined),
  };
};

const apparentWindSpeed = "navigation wind_apparent.speed";

/** Degrees true minus the variation are degrees magnetic. */
const magnetic = (member: Member): Derived => derived([member, variation], (degrees, east) => degrees! - east!);

/** Heading by the compass, before its deviation was added. */
const compassHeading = derived([headingMagnetic, otherwise(deviation, 0)], (heading, added) => heading! - added!);

const position = [latitude(lat), longitude(lon)];
/** East is positive, also in deviations and variations that letters mark. */
const eastOrWest = { letters: ["E", "W"], max: 180 } as const;

export const navigationSentences: readonly Sentence[] = [
  sentence("GP", "RMC", { on: "fix" }, [
    time,
    withTime(positionStatus, "V"),
    ...position,
    decimal(1, sog),
    direction(cog),
    date(day, "ddmmyy"),
    decimal(1, variation, eastOrWest),
    withTime(positionMode, "N"),
  ]),
  sentence("GP", "GGA", { on: "fix" }, [
    time,
    ...position,
    quality,
    decimal(0, "navigation position.numSatellites", { digits: 2, limit: 99 }),
    decimal(1, "navigation position.hdop", { limit: 99.9 }),
    // Receivers put their altitude above the sea into 129029, whatever its name there.
    decimal(1, "navigation position.altitude", { max: 99_999 }),
    constant("M"),
    decimal(1, "navigation position.geoidalSeparation", { max: 999 }),
    constant("M,,"),
  ]),
  sentence("GP", "GLL", { on: "fix" }, [...position, time, positionStatus, positionMode]),
  sentence("GP", "VTG", { on: "fix", needs: [cog, sog] }, [
    direction(cog),
    constant("T"),
    direction(magnetic(cog)),
    constant("M"),
    decimal(1, sog),
    constant("N"),
    decimal(1, sog, { times: KMH }),
    constant("K"),
    mode,
  ]),
  // The local time zone is unknown.
  sentence("GP", "ZDA", { on: "fix", needs: [time] }, [time, date(day, "dd,mm,yyyy"), constant(",")]),
  sentence("HC", "HDG", { everyMs: 100, needs: [headingMagnetic] }, [
    direction(compassHeading),
    decimal(1, deviation, eastOrWest),
    decimal(1, variation, eastOrWest),
  ]),
  sentence("HC", "HDM", { everyMs: 500, needs: [headingMagnetic] }, [direction(headingMagnetic), constant("M")]),
  sentence("II", "HDT", { everyMs: 500, needs: [headingTrue] }, [direction(headingTrue), constant("T")]),
  sentence("II", "ROT", { everyMs: 500, needs: ["navigation speed_course.rateOfTurn"] }, [
    decimal(1, "navigation speed_course.rateOfTurn", { times: 60 }),
    constant("A"),
  ]),
  sentence("II", "VHW", { needs: [speed] }, [
    direction(headingTrue),
    constant("T"),
    direction(headingMagnetic),
    constant("M"),
    decimal(2, speed),
    constant("N"),
    decimal(2, speed, { times: KMH }),
    constant("K"),
  ]),
  sentence("II", "DBT", { needs: [depth] }, [
    decimal(1, depth, { times: FEET }),
    constant("f"),
    decimal(2, depth),
    constant("M"),
    decimal(1, depth, { times: FATHOMS }),
    constant("F"),
  ]),
  sentence("II", "DPT", { needs: [depth] }, [
    decimal(2, depth),
    decimal(2, "navigation depth_water.offset"),
    decimal(0, range),
  ]),
  sentence("II", "MTW", { needs: [waterTemperature] }, [decimal(1, waterTemperature), constant("C")]),
  sentence("II", "MWV", { everyMs: 500, needs: [apparentWindSpeed, "navigation wind_apparent.angle"] }, [
    direction("navigation wind_apparent.angle"),
    constant("R"),
    decimal(1, apparentWindSpeed),
    constant("N"),
    status(apparentWindSpeed, "navigation wind_apparent.angle"),
  ]),
  sentence("II", "MWV", { everyMs: 500, needs: [trueWind("water", "speed"), trueWind("water", "angle")] }, [
    direction(trueWind("water", "angle")),
    constant("T"),
    decimal(1, trueWind("water", "speed")),
    constant("N"),
    status(trueWind("water", "speed"), trueWind("water", "angle")),
  ]),
  sentence("II", "MWD", { needs: [trueWind("ground", "direction")] }, [
    direction(trueWind("ground", "direction")),
    constant("T"),
    direction(derived([trueWind("ground", "direction"), variation], (degrees, east) => degrees! - east!)),
    constant("M"),
    decimal(1, trueWind("ground", "speed")),
    constant("N"),
    decimal(1, trueWind("ground", "speed"), { times: KMH / 3.6 }),
    constant("M"),
  ]),
];
