/**
 * Texts by code; the index in a list is the code. The texts are those of the public canboat database (6.2.0), unless
 * the document fixes others. Those of messages with an assumed layout are assumed too.
 */

/** Texts that the document fixes. */
export const TrueMagnetic = ["True", "Magnetic"] as const;
export const VariationSource = ["Manual", "Chart", "Table", "Calculation", "WMM 2000", "WMM 2005", "WMM 2010", "WMM 2015", "WMM 2020"] as const;

/** Texts chosen here, because the document leaves them open. */
export const OffOnError = ["Off", "On", "Error"] as const;
export const OffOnReserved = ["Off", "On", "Reserved"] as const;
export const LanguageCode = ["en-US", "en-GB", "ar", "zh", "hr", "da", "nl", "fi", "fr", "de", "el", "it", "ja", "ko", "no", "pl", "pt", "ru", "es", "sv"] as const;
/** Two adjacent flags: perpendicular crossed in bits 0-1, arrival circle entered in bits 2-3. */
export const ArrivalStatus = { 0: "Not Arrived", 1: "Perpendicular Crossed", 4: "Arrival Circle Entered", 5: "Arrival Circle Entered, Perpendicular Crossed" } as const;

/** Lists of the public database. */
export const AlertCategory = ["Navigational", "Technical"] as const;
export const AlertState = ["Disabled", "Normal", "Active", "Silenced", "Acknowledged", "Awaiting Acknowledge"] as const;
export const AlertType = { 1: "Emergency Alarm", 2: "Alarm", 5: "Warning", 8: "Caution" } as const;
export const AlertResponseCommand = ["Acknowledge", "Temporary Silence", "Test Command off", "Test Command on"] as const;
export const Language = ["English (US)", "English (UK)", "Arabic", "Chinese (simplified)", "Croatian", "Danish", "Dutch", "Finnish", "French", "German", "Greek", "Italian", "Japanese", "Korean", "Norwegian", "Polish", "Portuguese", "Russian", "Spanish", "Swedish"] as const;
export const BatteryType = ["Flooded", "Gel", "AGM"] as const;
export const BatteryVoltage = [6, 12, 24, 32, 36, 42, 48] as const;
export const ChargerMode = ["Standalone", "Primary", "Secondary", "Echo"] as const;
export const ChargerState = ["Not charging", "Bulk", "Absorption", "Overcharge", "Equalise", "Float", "No float", "Constant VI", "Disabled", "Fault"] as const;
export const DcSource = ["Battery", "Alternator", "Convertor", "Solar cell", "Wind generator"] as const;
export const DirectionRudder = ["No Order", "Move to starboard", "Move to port"] as const;
export const EngineStatus1 = ["Check Engine", "Over Temperature", "Low Oil Pressure", "Low Oil Level", "Low Fuel Pressure", "Low System Voltage", "Low Coolant Level", "Water Flow", "Water In Fuel", "Charge Indicator", "Preheat Indicator", "High Boost Pressure", "Rev Limit Exceeded", "EGR System", "Throttle Position Sensor", "Emergency Stop"] as const;
export const EngineStatus2 = ["Warning Level 1", "Warning Level 2", "Power Reduction", "Maintenance Needed", "Engine Comm Error", "Sub or Secondary Throttle", "Neutral Start Protect", "Engine Shutting Down"] as const;
export const TransmissionStatus = ["Check Transmission", "Over Temperature", "Low Oil Pressure", "Low Oil Level", "Sail Drive"] as const;
export const GearStatus = ["Forward", "Neutral", "Reverse"] as const;
export const Gns = ["GPS", "GLONASS", "GPS+GLONASS", "GPS+SBAS/WAAS", "GPS+SBAS/WAAS+GLONASS", "Chayka", "integrated", "surveyed", "Galileo"] as const;
export const GnsMethod = ["no GNSS", "GNSS fix", "DGNSS fix", "Precise GNSS", "RTK Fixed Integer", "RTK float", "Estimated (DR) mode", "Manual Input", "Simulate mode"] as const;
export const GnssMode = ["1D", "2D", "3D", "Auto"] as const;
export const HumiditySource = ["Inside", "Outside"] as const;
export const InverterState = ["Invert", "AC passthru", "Load sense", "Fault", "Disabled"] as const;
export const OffOn = ["Off", "On"] as const;
export const PressureSource = ["Atmospheric", "Water", "Steam", "Compressed Air", "Hydraulic", "Filter", "AltimeterSetting", "Oil", "Fuel"] as const;
export const RangeResidualMode = ["Range residuals were used to calculate data", "Range residuals were calculated after the position"] as const;
export const ResidualMode = ["Autonomous", "Differential enhanced", "Estimated", "Simulator", "Manual"] as const;
export const SteeringMode = ["Main Steering", "Non-Follow-Up Device", "Follow-Up Device", "Heading Control Standalone", "Heading Control", "Track Control"] as const;
export const SystemTimeSource = ["GPS", "GLONASS", "Radio Station", "Local Cesium clock", "Local Rubidium clock", "Local Crystal clock"] as const;
export const TankType = ["Fuel", "Water", "Gray water", "Live well", "Oil", "Black water", "Gasoline"] as const;
/** The fluids of tanks that engines burn. */
export const fuels: ReadonlySet<unknown> = new Set<(typeof TankType)[number]>(["Fuel", "Gasoline"]);
export const TargetAcquisition = ["Manual", "Automatic"] as const;
const TemperaturePlace = ["Sea", "Outside", "Inside", "Engine Room", "Main Cabin", "Live Well", "Bait Well", "Refrigeration", "Heating System", "Dew Point", "Apparent Wind Chill", "Theoretical Wind Chill", "Heat Index", "Freezer", "Exhaust Gas", "Shaft Seal"] as const;
export const TemperatureSource = TemperaturePlace.map((place) => `${place} Temperature` as const);
/** The place in such a text; another text as it is. */
export const placeOfTemperature = (source: string): string => TemperaturePlace[(TemperatureSource as readonly string[]).indexOf(source)] ?? source;
export const Tracking = ["Cancelled", "Acquiring", "Tracking", "Lost"] as const;
export const TurnMode = ["Rudder limit controlled", "Turn rate controlled", "Radius controlled"] as const;
export const WaterReference = ["Paddle wheel", "Pitot tube", "Doppler", "Correlation (ultra sound)", "Electro Magnetic"] as const;
export const WindReference = ["True (ground referenced to North)", "Magnetic (ground referenced to Magnetic North)", "Apparent", "True (boat referenced)", "True (water referenced)"] as const;
export const YesNo = ["No", "Yes"] as const;

/**
 * Lists of the public database, for messages whose fields are beyond the document. Codes that the database calls "Not
 * available", "undefined" or "Reserved" are left out.
 */
export const AisAssignedMode = ["Autonomous and continuous", "Assigned mode"] as const;
export const AisBand = ["Top 525 kHz of marine band", "Entire marine band"] as const;
export const AisCommunicationState = ["SOTDMA", "ITDMA"] as const;
export const AisMode = ["Autonomous", "Assigned"] as const;
export const AisSpecialManeuver = { 1: "Not engaged in special maneuver", 2: "Engaged in special maneuver" } as const;
export const AisTimeStampStatus = { 61: "Manual input mode", 62: "Dead reckoning mode", 63: "Positioning system is inoperative" } as const;
export const AisTransceiver = ["Channel A VDL reception", "Channel B VDL reception", "Channel A VDL transmission", "Channel B VDL transmission", "Own information not broadcast"] as const;
export const AisUnitType = ["SOTDMA", "CS"] as const;
export const AisVersion = ["ITU-R M.1371-1", "ITU-R M.1371-3", "ITU-R M.1371-5", "ITU-R M.1371 future edition"] as const;
export const AtonType = {
  1: "Reference point", 2: "RACON", 3: "Fixed structure off-shore",
  5: "Fixed light: without sectors", 6: "Fixed light: with sectors", 7: "Fixed leading light front", 8: "Fixed leading light rear",
  9: "Fixed beacon: cardinal N", 10: "Fixed beacon: cardinal E", 11: "Fixed beacon: cardinal S", 12: "Fixed beacon: cardinal W",
  13: "Fixed beacon: port hand", 14: "Fixed beacon: starboard hand", 15: "Fixed beacon: preferred channel port hand", 16: "Fixed beacon: preferred channel starboard hand",
  17: "Fixed beacon: isolated danger", 18: "Fixed beacon: safe water", 19: "Fixed beacon: special mark",
  20: "Floating AtoN: cardinal N", 21: "Floating AtoN: cardinal E", 22: "Floating AtoN: cardinal S", 23: "Floating AtoN: cardinal W",
  24: "Floating AtoN: port hand mark", 25: "Floating AtoN: starboard hand mark", 26: "Floating AtoN: preferred channel port hand", 27: "Floating AtoN: preferred channel starboard hand",
  28: "Floating AtoN: isolated danger", 29: "Floating AtoN: safe water", 30: "Floating AtoN: special mark", 31: "Floating AtoN: light vessel/LANBY/rigs",
} as const;
export const Availability = ["Available", "Not available"] as const;
export const ControllerState = ["Error Active", "Error Passive", "Bus Off"] as const;
export const DscCategory = { 100: "Routine", 108: "Safety", 110: "Urgency", 112: "Distress" } as const;
export const DscExpansion = { 100: "Enhanced position", 101: "Source and datum of position", 102: "SOG", 103: "COG", 104: "Additional station identification", 105: "Enhanced geographic area", 106: "Number of persons on board" } as const;
export const DscFirstTelecommand = { 100: "F3E/G3E All modes TP", 101: "F3E/G3E duplex TP", 103: "Polling", 104: "Unable to comply", 105: "End of call", 106: "Data", 109: "J3E TP", 110: "Distress acknowledgement", 112: "Distress relay", 113: "F1B/J2B TTY-FEC", 115: "F1B/J2B TTY-ARQ", 118: "Test", 121: "Ship position or location registration updating", 126: "No information" } as const;
export const DscFormat = { 102: "Geographical area", 112: "Distress", 114: "Common interest", 116: "All ships", 120: "Individual stations", 121: "Non-calling purpose", 123: "Individual station automatic" } as const;
export const DscNature = { 100: "Fire", 101: "Flooding", 102: "Collision", 103: "Grounding", 104: "Listing", 105: "Sinking", 106: "Disabled and adrift", 107: "Undesignated", 108: "Abandoning ship", 109: "Piracy", 110: "Man overboard", 112: "EPIRB emission" } as const;
export const DscSecondTelecommand = { 100: "No reason given", 101: "Congestion at MSC", 102: "Busy", 103: "Queue indication", 104: "Station barred", 105: "No operator available", 106: "Operator temporarily unavailable", 107: "Equipment disabled", 108: "Unable to use proposed channel", 109: "Unable to use proposed mode", 110: "Ships and aircraft of States not parties to an armed conflict", 111: "Medical transports", 112: "Pay phone/public call office", 113: "Fax/data", 126: "No information" } as const;
export const EquipmentStatus = ["Operational", "Fault"] as const;
export const GroupFunction = ["Request", "Command", "Acknowledge", "Read Fields", "Read Fields Reply", "Write Fields", "Write Fields Reply"] as const;
export const IsoControl = ["ACK", "NAK", "Access Denied", "Address Busy"] as const;
export const NavigationStatus = { 0: "Under way using engine", 1: "At anchor", 2: "Not under command", 3: "Restricted maneuverability", 4: "Constrained by her draught", 5: "Moored", 6: "Aground", 7: "Engaged in Fishing", 8: "Under way sailing", 9: "Hazardous material - High Speed", 10: "Hazardous material - Wing in Ground", 11: "Power-driven vessel towing astern", 12: "Power-driven vessel pushing ahead or towing alongside", 14: "AIS-SART" } as const;
export const OkWarning = ["OK", "Warning"] as const;
export const PgnListFunction = ["Transmit PGN list", "Receive PGN list"] as const;
export const PositionAccuracy = ["Low", "High"] as const;
export const PositionFixDevice = { 1: "GPS", 2: "GLONASS", 3: "Combined GPS/GLONASS", 4: "Loran-C", 5: "Chayka", 6: "Integrated navigation system", 7: "Surveyed", 8: "Galileo" } as const;
export const RouteDirection = ["Forward", "Reverse"] as const;
/** Types of ships that have categories of hazard, by the first digit of their codes, and the categories by the second. */
const hazardousShips = { 20: "Wing In Ground", 40: "High speed craft", 60: "Passenger ship", 70: "Cargo ship", 80: "Tanker", 90: "Other" } as const;
const hazardCategories = { 1: "X", 2: "Y", 3: "Z", 4: "OS" } as const;
const hazards = <const Base extends keyof typeof hazardousShips>(base: Base) => {
  const name = hazardousShips[base];
  return {
    [base]: name,
    ...Object.fromEntries(Object.entries(hazardCategories).map(([digit, category]) => [base + Number(digit), `${name} (hazard cat ${category})`])),
    [base + 9]: `${name} (no additional information)`,
  } as Readonly<Record<number, (typeof hazardousShips)[Base] | `${(typeof hazardousShips)[Base]} (${string})`>>;
};
export const ShipType = {
  ...hazards(20),
  30: "Fishing", 31: "Towing", 32: "Towing exceeds 200m or wider than 25m", 33: "Engaged in dredging or underwater operations", 34: "Engaged in diving operations", 35: "Engaged in military operations", 36: "Sailing", 37: "Pleasure",
  ...hazards(40),
  50: "Pilot vessel", 51: "SAR", 52: "Tug", 53: "Port tender", 54: "Anti-pollution", 55: "Law enforcement", 56: "Spare", 57: "Spare #2", 58: "Medical", 59: "Ships and aircraft of States not parties to an armed conflict",
  ...hazards(60), ...hazards(70), ...hazards(80), ...hazards(90),
} as const;
/** Such a type without its category, and the category if it has one; undefined for another type. */
export function hazardousShip(type = 0): { readonly name: string; readonly category: string | undefined } | undefined {
  const digit = type % 10;
  const name = (hazardousShips as Readonly<Record<number, string>>)[type - digit];
  return name === undefined ? undefined : { name, category: (hazardCategories as Readonly<Record<number, string>>)[digit] };
}
export const WatermakerState = ["Stopped", "Starting", "Running", "Stopping", "Flushing", "Rinsing", "Initiating", "Manual"] as const;
export const WaypointIdentification = ["Waypoints in WP list", "Waypoints embedded in route"] as const;
export const WaypointNavigation = ["Great Circle", "Rhumb Line"] as const;
export const WaypointRouteStatus = ["Active", "Inactive", "Deleted"] as const;
