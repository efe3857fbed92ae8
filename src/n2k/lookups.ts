/**
 * Lists of codes and what they stand for. Strings are those of the public canboat database (6.2.0) except where the
 * document fixes others; pgn-layouts section 6. The place in a list is the code.
 */
/** Fixed by the document. */
export const TrueMagnetic = ["True", "Magnetic"] as const;
export const VariationSource = ["Manual", "Chart", "Table", "Calculation", "WMM 2000", "WMM 2005", "WMM 2010", "WMM 2015", "WMM 2020"] as const;

/** Ours, where the document leaves the strings open. */
export const OffOnError = ["Off", "On", "Error"] as const;
export const OffOnReserved = ["Off", "On", "Reserved"] as const;
export const LanguageCode = ["en-US", "en-GB", "ar", "zh", "hr", "da", "nl", "fi", "fr", "de", "el", "it", "ja", "ko", "no", "pl", "pt", "ru", "es", "sv"] as const;
/** Two flags side by side: perpendicular crossed in bits 0-1, arrival circle entered in bits 2-3. */
export const ArrivalStatus = { 0: "Not Arrived", 1: "Perpendicular Crossed", 4: "Arrival Circle Entered", 5: "Arrival Circle Entered, Perpendicular Crossed" } as const;

/** Public. */
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
export const TankType = ["Fuel", "Water", "Gray water", "Live well", "Oil", "Black water"] as const;
export const TargetAcquisition = ["Manual", "Automatic"] as const;
export const TemperatureSource = ["Sea Temperature", "Outside Temperature", "Inside Temperature", "Engine Room Temperature", "Main Cabin Temperature", "Live Well Temperature", "Bait Well Temperature", "Refrigeration Temperature", "Heating System Temperature", "Dew Point Temperature", "Apparent Wind Chill Temperature", "Theoretical Wind Chill Temperature", "Heat Index Temperature", "Freezer Temperature", "Exhaust Gas Temperature", "Shaft Seal Temperature"] as const;
export const Tracking = ["Cancelled", "Acquiring", "Tracking", "Lost"] as const;
export const TurnMode = ["Rudder limit controlled", "Turn rate controlled", "Radius controlled"] as const;
export const WaterReference = ["Paddle wheel", "Pitot tube", "Doppler", "Correlation (ultra sound)", "Electro Magnetic"] as const;
export const WindReference = ["True (ground referenced to North)", "Magnetic (ground referenced to Magnetic North)", "Apparent", "True (boat referenced)", "True (water referenced)"] as const;
export const YesNo = ["No", "Yes"] as const;

