/**
 * The rows of the document about CAN messages, word for word where it matters: PGN, title, fields with their types
 * (i integer, n number, s string, b boolean) and the strings it fixes. Units and remarks are left away.
 */

export interface DocumentRow {
  readonly pgn: number;
  readonly title: string;
  readonly fields: string;
}

const withFields = `
65256 | Vehicle Direction/Speed | compassBearing n, navSpeed n, pitch n, altitude n
65267 | Vehicle Position | latitude n, longitude n
126983 | Alert | sourceAddress i, alertType i, alertCategory i, alertId i, state s, priority s, silenced b, acknowledged b, escalated b, occurrenceNumber i
126984 | Alert Response | sourceAddress i, alertType i, alertCategory i, alertId i, command s
126985 | Alert Text | sourceAddress i, alertType i, alertCategory i, alertId i, languageId i, languageCode s, languageName s, textLength i, text s
126992 | System Time | sequenceId i, source i, date i, time n
127237 | Heading/Track Control | steeringMode s, turnMode i, headingReference s, commandedRudderDeg n, commandedHeadingDeg n, commandedTrackDeg n, headingToSteerDeg n, rudderLimitExceeded i, offHeadingExceeded i, offTrackExceeded i, override i, rudderDirection i
127245 | Rudder | instance i, directionOrder s, angleOrderDeg n, positionDeg n
127250 | Vessel Heading | sequenceId i, headingDeg n, deviationDeg n, variationDeg n, reference s {True, Magnetic, Unknown}
127251 | Rate of Turn | sequenceId i, rateDegPerSec n
127257 | Attitude | sequenceId i, yawDeg n, pitchDeg n, rollDeg n
127258 | Magnetic Variation | sequenceId i, source s {Manual, Chart, Table, Calculation, WMM 2000, WMM 2005, WMM 2010, WMM 2015, WMM 2020, Unknown}, age i, variation n
127488 | Engine Parameters, Rapid Update | engineInstance i, engineSpeedRpm n, boostPressureKpa n, tiltTrimPercent n
127489 | Engine Parameters, Dynamic | engineInstance i, oilPressureKpa n, oilTempC n, coolantTempC n, alternatorVoltage n, fuelRateLh n, engineHours n, coolantPressureKpa n, fuelPressureKpa n, loadPercent i, torquePercent i, discreteStatus1 i, discreteStatus2 i
127490 | Engine Parameters, Static | engineInstance i, ratedSpeedRpm n, engineType s, propulsionType s
127491 | Engine Tachometer | engineInstance i, engineSpeedRpm n, boostPressureKpa n, tiltTrimPercent n
127493 | Transmission Parameters, Dynamic | engineInstance i, gear s, gearNumber i, oilPressureKpa n, oilTempC n, discreteStatus1 i
127494 | Transmission Parameters, Static | engineInstance i, transmissionType s, maxForwardGearRatio n, maxReverseGearRatio n, numForwardGears i, numReverseGears i
127495 | Transmission Slip | engineInstance i, slipPercent n, torqueConverterRpm n, turbineRpm n
127496 | Trip Parameters, Vessel | timeToEmptyHours n, distanceToEmptyNm n, fuelRemainingL n, tripRunTimeHours n
127497 | Trip Parameters, Engine | engineInstance i, tripFuelUsedL n, fuelRateAvgLh n, fuelRateEconomyLh n, instFuelEconomyLh n
127498 | Engine Parameters, Static (Alternate) | engineInstance i, ratedSpeedRpm n, engineType s, engineMake s, engineModel s
127501 | Binary Switch Bank Status | instance i, switches [switch i, status s]
127503 | AC Input Status | instance i, numLines i, line1VoltageV n, line1CurrentA n, line1FrequencyHz n, line1RealPowerW n, line1PowerFactor n
127504 | AC Output Status | instance i, numLines i, line1VoltageV n, line1CurrentA n, line1FrequencyHz n, line1RealPowerW n, line1PowerFactor n
127505 | Fluid Level | instance i, fluidType s, levelPercent n, capacityLiters n
127506 | DC Detailed Status | sequenceId i, instance i, dcType s, stateOfChargePercent n, stateOfHealthPercent n, timeRemainingMin n, rippleVoltageV n, capacityRemainingAh n
127507 | Charger Status | chargerInstance i, batteryInstance i, operatingState s, chargerMode s, enabled s, equalizationPending i, equalizationTimeRemainingMin n
127508 | Battery Status | instance i, sequenceId i, voltageV n, currentA n, temperatureC n
127509 | Inverter Status | inverterInstance i, acInstance i, dcInstance i, operatingState s, inverterEnable s
127512 | Switch Bank Control | instance i, switches [switch i, control s]
127513 | Battery Configuration Status | instance i, batteryType s, supportsEqualization s, nominalVoltageV n, capacityAh n, temperatureCoefficientPct n
127514 | Binary Switch Bank Status (Alternate) | switchBankInstance i, indicatorBankInstance i, switches [switch i, status s]
127744 | AC Breaker Status | acInstance i, breakerInstance i, breakerState s, bypassState s, realPowerW n
127745 | AC Breaker Control | acInstance i, breakerInstance i, breakerCommand s, resetCommand s
127746 | AC Breaker Configuration | acInstance i, breakerInstance i, maxCurrentA n, tripTimeMs i, breakerType s
127747 | AC Breaker Status, Extended | acInstance i, breakerInstance i, breakerState s, voltageV n, currentA n, frequencyHz n, realPowerW n, powerFactor n, bypassState s
127748 | DC Breaker Status | dcInstance i, breakerInstance i, breakerState s, bypassState s, currentA n
127749 | DC Breaker Control | dcInstance i, breakerInstance i, breakerCommand s, resetCommand s
127750 | DC Breaker Configuration | dcInstance i, breakerInstance i, maxCurrentA n, tripTimeMs i, breakerType s
127751 | DC Breaker Status, Extended | dcInstance i, breakerInstance i, breakerState s, voltageV n, currentA n, powerW n, temperatureC i, bypassState s
128259 | Speed, Water Referenced | sequenceId i, speedWaterMs n, speedWaterKnots n, speedGroundMs n, speedGroundKnots n, speedSensorType s
128267 | Water Depth | sequenceId i, depthM n, offsetM n, rangeM n
128275 | Distance Log | tripLogM n, tripLogNm n, totalLogM n, totalLogNm n
128520 | Tracked Target Data | sid i, targetId i, trackStatus s, reportedTarget b, acquisitionSource s, bearing n, distance n, distanceNm n, cog n, sog n, cpa n, cpaNm n, tcpa n, tcpaMin n, utcOfFix n
128521 | Tracked Target Information | sid i, targetId i, targetType s, mmsi i, latitude n, longitude n, cog n, sog n, heading n
128522 | Radar Guard Zone | sid i, radarId i, zoneId i, zoneShape s, zoneStatus s, innerRange n, outerRange n, startBearing n, endBearing n
129025 | Position, Rapid Update (10 Hz) | latitude n, longitude n
129026 | COG & SOG, Rapid Update (10 Hz) | sequenceId i, cogReference s {True, Magnetic}, cogDeg n, sogMs n, sogKnots n
129029 | GNSS Position Data | sequenceId i, days i, time n, latitude n, longitude n, altitude n, gnssType i, method i, numberOfSatellites i, hdop n, pdop n
129033 | Local Time Offset | days i, time n, hours i, minutes i, seconds n, localOffset i
129044 | Datum | localDatum s, deltaLatitude n, deltaLongitude n, deltaAltitude n, referenceDatum s
129283 | Cross Track Error | sequenceId i, xteMode i, xte n
129284 | Navigation Data | sequenceId i, distanceToWaypoint n, bearingToWaypoint n, bearingReference s, waypointClosing b, arrivalStatus s, destinationLatitude n, destinationLongitude n, waypointId i
129291 | Set & Drift, Rapid Update | sequenceId i, setReference s, setDeg n, driftMs n, driftKnots n
129539 | GNSS DOPs | sequenceId i, mode i, hdop n, vdop n, tdop n
129540 | GNSS Satellites in View | sequenceId i, mode i, numberOfSatellites i
130306 | Wind Data | sequenceId i, windSpeedMs n, windSpeedKnots n, windAngleDeg n, reference s
130310 | Environmental Parameters | sequenceId i, waterTempC n, outsideTempC n, pressurePa n
130311 | Environmental Parameters (deprecated) | sequenceId i, tempSource s, humiditySource s, temperatureC n, humidityPercent n, pressurePa n
130312 | Temperature | sequenceId i, instance i, source s, actualTempC n, setTempC n
130313 | Humidity | sequenceId i, instance i, source s, actualHumidityPercent n, setHumidityPercent n
130314 | Actual Pressure | sequenceId i, instance i, source s, pressurePa n
130316 | Temperature, Extended Range | sequenceId i, instance i, source s, actualTempC n, setTempC n
130577 | Direction Data | sequenceId i, cogReference i, cog n, sog n, heading n, speedThroughWater n, set n, drift n
`;

const withoutFields = `
128523 | GNSS Control Status
128524 | GNSS Differential Correction Receiver Interface
128777 | Windlass Control Status
128780 | Windlass Operating Status
129038 | AIS Class A Position Report
129039 | AIS Class B Position Report
129040 | AIS Class B Extended Position Report
129041 | AIS Aids to Navigation Report
129285 | Route/Waypoint Information
129542 | GNSS Pseudorange Noise Statistics
129547 | GNSS RAIM Output
129793 | AIS UTC and Date Report
129794 | AIS Class A Static and Voyage Data
129795 | AIS Addressed Binary Message
129796 | AIS Acknowledge
129797 | AIS Binary Broadcast Message
129798 | AIS SAR Aircraft Position Report
129801 | AIS Addressed Safety Related Message
129802 | AIS Safety Related Broadcast Message
129808 | DSC Call Information
129809 | AIS Class B CS Static Data Part A
129810 | AIS Class B CS Static Data Part B
129812 | AIS Single Slot Binary Message
130064 | Route and Waypoint Service
130065 | Route and Waypoint Service
130066 | Route and Waypoint Service
130067 | Route and Waypoint Service
130068 | Route and Waypoint Service
130069 | Route and Waypoint Service
130074 | Route and Waypoint Service
130567 | Watermaker Input Setting and Status
130568 | Watermaker Output Status
130569 | Watermaker Configuration Status
`;

const rowsOf = (table: string): readonly DocumentRow[] =>
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [pgn, title, fields = ""] = line.split(" | ");
      return { pgn: Number(pgn), title: title!, fields };
    });

/** The rows with fields. */
export const rowsWithFields = rowsOf(withFields);

/** The rows of which the document gives the title only. */
export const rowsWithoutFields = rowsOf(withoutFields);
