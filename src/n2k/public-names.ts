/**
 * Numbers, transports and titles of the public PGNs: facts of the canboat database 6.2.0 (npm package @canboat/ts-pgns
 * 1.11.18, Apache-2.0). For the titles in the lists of PGNs that devices send and receive, and for the reassembly of PGNs
 * that are not decoded. The transport of a proprietary PGN follows from its range.
 */
import { definitions, reportOnly } from "./pgns/index.ts";

export interface PublicPgn {
  readonly pgn: number;
  readonly transport: "single" | "fast" | "isoTp";
  readonly title: string;
}

const table = `
59392 single ISO Acknowledgement
59904 single ISO Request
60160 single ISO Transport Protocol, Data Transfer
60416 single ISO Transport Protocol, Connection Management
60928 single ISO Address Claim
65001 single Bus #1 Phase C Basic AC Quantities
65002 single Bus #1 Phase B Basic AC Quantities
65003 single Bus #1 Phase A Basic AC Quantities
65004 single Bus #1 Average Basic AC Quantities
65005 single Utility Total AC Energy
65006 single Utility Phase C AC Reactive Power
65007 single Utility Phase C AC Power
65008 single Utility Phase C Basic AC Quantities
65009 single Utility Phase B AC Reactive Power
65010 single Utility Phase B AC Power
65011 single Utility Phase B Basic AC Quantities
65012 single Utility Phase A AC Reactive Power
65013 single Utility Phase A AC Power
65014 single Utility Phase A Basic AC Quantities
65015 single Utility Total AC Reactive Power
65016 single Utility Total AC Power
65017 single Utility Average Basic AC Quantities
65018 single Generator Total AC Energy
65019 single Generator Phase C AC Reactive Power
65020 single Generator Phase C AC Power
65021 single Generator Phase C Basic AC Quantities
65022 single Generator Phase B AC Reactive Power
65023 single Generator Phase B AC Power
65024 single Generator Phase B Basic AC Quantities
65025 single Generator Phase A AC Reactive Power
65026 single Generator Phase A AC Power
65027 single Generator Phase A Basic AC Quantities
65028 single Generator Total AC Reactive Power
65029 single Generator Total AC Power
65030 single Generator Average Basic AC Quantities
65240 isoTp ISO Commanded Address
126208 fast NMEA - Group Function
126464 fast PGN List (Transmit and Receive)
126983 fast Alert
126984 fast Alert Response
126985 fast Alert Text
126986 fast Alert Configuration
126987 fast Alert Threshold
126988 fast Alert Value
126992 single System Time
126993 single Heartbeat
126996 fast Product Information
126998 fast Configuration Information
127233 fast Man Overboard Notification
127237 fast Heading/Track control
127245 single Rudder
127250 single Vessel Heading
127251 single Rate of Turn
127252 single Heave
127257 single Attitude
127258 single Magnetic Variation
127488 single Engine Parameters, Rapid Update
127489 fast Engine Parameters, Dynamic
127490 fast Electric Drive Status, Dynamic
127491 fast Electric Energy Storage Status, Dynamic
127493 single Transmission Parameters, Dynamic
127494 fast Electric Drive Information
127495 fast Electric Energy Storage Information
127496 fast Trip Parameters, Vessel
127497 fast Trip Parameters, Engine
127498 fast Engine Parameters, Static
127500 single Load Controller Connection State/Control
127501 single Binary Switch Bank Status
127502 single Switch Bank Control
127503 fast AC Input Status
127504 fast AC Output Status
127505 single Fluid Level
127506 fast DC Detailed Status
127507 fast Charger Status
127508 single Battery Status
127509 fast Inverter Status
127510 fast Charger Configuration Status
127511 fast Inverter Configuration Status
127512 fast AGS Configuration Status
127513 fast Battery Configuration Status
127514 fast AGS Status
127744 single AC Power / Current - Phase A
127745 single AC Power / Current - Phase B
127746 single AC Power / Current - Phase C
127747 single AC Voltage / Frequency - Phase A
127748 single AC Voltage / Frequency - Phase B
127749 single AC Voltage / Frequency - Phase C
127750 single Converter Status
127751 single DC Voltage/Current
128000 single Leeway Angle
128001 single Vessel Acceleration
128002 single Electric Drive Status, Rapid Update
128003 single Electric Energy Storage Status, Rapid Update
128006 single Thruster Control Status
128007 single Thruster Information
128008 single Thruster Motor Status
128259 single Speed
128267 single Water Depth
128275 fast Distance Log
128520 fast Tracked Target Data
128538 fast Elevator Car Status
128768 single Elevator Motor Control
128769 single Elevator Deck Push Button
128776 single Windlass Control Status
128777 single Anchor Windlass Operating Status
128778 single Anchor Windlass Monitoring Status
128780 single Linear Actuator Control/Status
129025 single Position, Rapid Update
129026 single COG & SOG, Rapid Update
129027 single Position Delta, Rapid Update
129028 single Altitude Delta, Rapid Update
129029 fast GNSS Position Data
129033 single Time & Date
129038 fast AIS Class A Position Report
129039 fast AIS Class B Position Report
129040 fast AIS Class B Extended Position Report
129041 fast AIS Aids to Navigation (AtoN) Report
129044 fast Datum
129045 fast User Datum
129283 single Cross Track Error
129284 fast Navigation Data
129285 fast Navigation - Route/WP Information
129291 single Set & Drift, Rapid Update
129301 fast Navigation - Route / Time to+from Mark
129302 fast Bearing and Distance between two Marks
129538 fast GNSS Control Status
129539 single GNSS DOPs
129540 fast GNSS Sats in View
129541 fast GPS Almanac Data
129542 fast GNSS Pseudorange Noise Statistics
129545 fast GNSS RAIM Output
129546 single GNSS RAIM Settings
129547 fast GNSS Pseudorange Error Statistics
129549 fast DGNSS Corrections
129550 single GNSS Differential Correction Receiver Interface
129551 fast GNSS Differential Correction Receiver Signal
129556 fast GLONASS Almanac Data
129792 fast AIS DGNSS Broadcast Binary Message
129793 fast AIS UTC and Date Report
129794 fast AIS Class A Static and Voyage Related Data
129795 fast AIS Addressed Binary Message
129796 fast AIS Acknowledge
129797 fast AIS Binary Broadcast Message
129798 fast AIS SAR Aircraft Position Report
129799 fast Radio Frequency/Mode/Power
129800 fast AIS UTC/Date Inquiry
129801 fast AIS Addressed Safety Related Message
129802 fast AIS Safety Related Broadcast Message
129803 fast AIS Interrogation
129804 fast AIS Assignment Mode Command
129805 fast AIS Data Link Management Message
129806 fast AIS Channel Management
129807 fast AIS Class B Group Assignment
129808 fast DSC Call Information
129809 fast AIS Class B static data (msg 24 Part A)
129810 fast AIS Class B static data (msg 24 Part B)
130052 fast Loran-C TD Data
130053 fast Loran-C Range Data
130054 fast Loran-C Signal Data
130060 fast Label
130061 fast Channel Source Configuration
130064 fast Route and WP Service - Database List
130065 fast Route and WP Service - Route List
130066 fast Route and WP Service - Route/WP-List Attributes
130067 fast Route and WP Service - Route - WP Name & Position
130068 fast Route and WP Service - Route - WP Name
130069 fast Route and WP Service - XTE Limit & Navigation Method
130070 fast Route and WP Service - WP Comment
130071 fast Route and WP Service - Route Comment
130072 fast Route and WP Service - Database Comment
130073 fast Route and WP Service - Radius of Turn
130074 fast Route and WP Service - WP List - WP Name & Position
130306 single Wind Data
130310 single Environmental Parameters (obsolete)
130311 single Environmental Parameters
130312 single Temperature
130313 single Humidity
130314 single Actual Pressure
130315 single Set Pressure
130316 single Temperature Extended Range
130320 fast Tide Station Data
130321 fast Salinity Station Data
130322 fast Current Station Data
130323 fast Meteorological Station Data
130324 fast Moored Buoy Station Data
130329 fast HVAC Status
130330 fast Lighting System Settings
130560 single Payload Mass
130561 fast Lighting Zone
130562 fast Lighting Scene
130563 fast Lighting Device
130564 fast Lighting Device Enumeration
130565 fast Lighting Color Sequence
130566 fast Lighting Program
130567 fast Watermaker Input Setting and Status
130569 fast Current Status and File
130570 fast Library Data File
130571 fast Library Data Group
130572 fast Library Data Search
130573 fast Supported Source Data
130574 fast Supported Zone Data
130576 single Small Craft Status
130577 fast Direction Data
130578 fast Vessel Speed Components
130579 single System Configuration
130580 fast System Configuration (deprecated)
130581 fast Zone Configuration (deprecated)
130582 single Zone Volume
130583 fast Available Audio EQ presets
130584 fast Available Bluetooth addresses
130585 single Bluetooth source status
130586 fast Zone Configuration
`;

export const publicPgns: readonly PublicPgn[] = table
  .trim()
  .split("\n")
  .map((line) => {
    const [pgn, transport, ...title] = line.split(" ");
    return { pgn: Number(pgn), transport: transport as PublicPgn["transport"], title: title.join(" ") };
  });

/** Ranges of proprietary PGNs. */
export const proprietaryRanges = [
  { first: 61_184, last: 61_184, transport: "single", title: "Manufacturer Proprietary single-frame addressed" },
  { first: 65_280, last: 65_535, transport: "single", title: "Manufacturer Proprietary single-frame non-addressed" },
  { first: 126_720, last: 126_720, transport: "fast", title: "Manufacturer Proprietary fast-packet addressed" },
  { first: 130_816, last: 131_071, transport: "fast", title: "Manufacturer Proprietary fast-packet non-addressed" },
] as const;

const titles = new Map([...publicPgns, ...reportOnly, ...definitions].map(({ pgn, title }) => [pgn, title]));

/** Title of a PGN: the document's, else the public one, else "Unknown". */
export const titleOf = (pgn: number): string =>
  titles.get(pgn) ?? proprietaryRanges.find(({ first, last }) => pgn >= first && pgn <= last)?.title ?? "Unknown";
