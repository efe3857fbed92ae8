/**
 * Manufacturers, device classes and device functions by code: facts of the canboat database 6.2.0 (npm package
 * @canboat/ts-pgns 1.11.18, Apache-2.0), one a line.
 */

const byCode = (table: string): ReadonlyMap<number, string> =>
  new Map(
    table
      .trim()
      .split("\n")
      .map((line) => {
        const space = line.indexOf(" ");
        return [Number(line.slice(0, space)), line.slice(space + 1)];
      }),
  );

export const industryGroups: ReadonlyMap<number, string> = byCode(`
0 Global
1 Highway
2 Agriculture
3 Construction
4 Marine Industry
5 Industrial
`);

/** Class, function and name; a function code means something within its class only. */
const functionTable = `
10 130 Diagnostic
10 140 Bus Traffic Logger
20 110 Alarm Enunciator
20 130 Emergency Position Indicating Radio Beacon (EPIRB)
20 135 Man Overboard
20 140 Voyage Data Recorder
20 150 Camera
25 130 PC Gateway
25 131 NMEA 2000 to Analog Gateway
25 132 Analog to NMEA 2000 Gateway
25 133 NMEA 2000 to Serial Gateway
25 135 NMEA 0183 Gateway
25 136 NMEA Network Gateway
25 137 NMEA 2000 Wireless Gateway
25 140 Router
25 150 Bridge
25 160 Repeater
30 130 Binary Event Monitor
30 140 Load Controller
30 141 AC/DC Input
30 150 Function Controller
35 140 Engine
35 141 DC Generator/Alternator
35 142 Solar Panel (Solar Array)
35 143 Wind Generator (DC)
35 144 Fuel Cell
35 145 Network Power Supply
35 151 AC Generator
35 152 AC Bus
35 153 AC Mains (Utility/Shore)
35 154 AC Output
35 160 Power Converter - Battery Charger
35 161 Power Converter - Battery Charger+Inverter
35 162 Power Converter - Inverter
35 163 Power Converter - DC
35 170 Battery
35 180 Engine Gateway
40 130 Follow-up Controller
40 140 Mode Controller
40 150 Autopilot
40 155 Rudder
40 160 Heading Sensors
40 170 Trim (Tabs)/Interceptors
40 180 Attitude (Pitch, Roll, Yaw) Control
50 130 Engineroom Monitoring
50 140 Engine
50 141 DC Generator/Alternator
50 150 Engine Controller
50 151 AC Generator
50 155 Motor
50 160 Engine Gateway
50 165 Transmission
50 170 Throttle/Shift Control
50 180 Actuator
50 190 Gauge Interface
50 200 Gauge Large
50 210 Gauge Small
60 130 Bottom Depth
60 135 Bottom Depth/Speed
60 136 Bottom Depth/Speed/Temperature
60 140 Ownship Attitude
60 145 Ownship Position (GNSS)
60 150 Ownship Position (Loran C)
60 155 Speed
60 160 Turn Rate Indicator
60 170 Integrated Navigation
60 175 Integrated Navigation System
60 190 Navigation Management
60 195 Automatic Identification System (AIS)
60 200 Radar
60 201 Infrared Imaging
60 205 ECDIS
60 210 ECS
60 220 Direction Finder
60 230 Voyage Status
70 130 EPIRB
70 140 AIS
70 150 DSC
70 160 Data Receiver/Transceiver
70 170 Satellite
70 180 Radio-telephone (MF/HF)
70 190 Radiotelephone
75 130 Temperature
75 140 Pressure
75 150 Fluid Level
75 160 Flow
75 170 Humidity
80 130 Time/Date Systems
80 140 VDR
80 150 Integrated Instrumentation
80 160 General Purpose Displays
80 170 General Sensor Box
80 180 Weather Instruments
80 190 Transducer/General
80 200 NMEA 0183 Converter
85 130 Atmospheric
85 160 Aquatic
90 130 HVAC
100 130 Scale (Catch)
110 130 Button Interface
110 135 Switch Interface
110 140 Analog Interface
120 130 Display
120 140 Alarm Enunciator
125 130 Multimedia Player
125 140 Multimedia Controller
`;

const functionKey = (classCode: number, functionCode: number): number => classCode * 256 + functionCode;

const functions: ReadonlyMap<number, string> = new Map(
  functionTable
    .trim()
    .split("\n")
    .map((line) => {
      const [classCode, functionCode, ...name] = line.split(" ");
      return [functionKey(Number(classCode), Number(functionCode)), name.join(" ")];
    }),
);

export const deviceFunction = (classCode: number, functionCode: number): string | undefined =>
  functions.get(functionKey(classCode, functionCode));

export const manufacturers: ReadonlyMap<number, string> = byCode(`
69 ARKS Enterprises, Inc.
78 FW Murphy/Enovation Controls
80 Twin Disc
85 Kohler Power Systems
88 Hemisphere GPS Inc
116 BEP Marine
135 Airmar
137 Maretron
140 Lowrance
144 Mercury Marine
147 Nautibus Electronic GmbH
148 Blue Water Data
154 Westerbeke
157 ISSPRO Inc
161 Offshore Systems (UK) Ltd.
163 Evinrude/BRP
165 CPAC Systems AB
168 Xantrex Technology Inc.
169 Marlin Technologies, Inc.
172 Yanmar Marine
174 Volvo Penta
175 Honda Marine
176 Carling Technologies Inc. (Moritz Aerospace)
185 Beede Instruments
192 Floscan Instrument Co. Inc.
193 Nobletec
198 Mystic Valley Communications
199 Actia
200 Honda Marine 2
201 Disenos Y Technologia
211 Digital Switching Systems
215 Xintex/Atena
224 EMMI NETWORK S.L.
225 Honda Marine 3
228 ZF
229 Garmin
233 Yacht Monitoring Solutions
235 Sailormade Marine Telemetry/Tetra Technology LTD
243 Eride
250 Honda Marine 4
257 Honda Motor Company LTD
272 Groco
273 Actisense
274 Amphenol LTW Technology
275 Navico
283 Hamilton Jet
285 Sea Recovery
286 Coelmo SRL Italy
295 BEP Marine 2
304 Empir Bus
305 NovAtel
306 Sleipner Motor AS
307 MBW Technologies
311 Fischer Panda
315 ICOM
328 Qwerty
329 Dief
341 Boening Automationstechnologie GmbH & Co. KG
345 Korean Maritime University
351 Thrane and Thrane
355 Mastervolt
356 Fischer Panda Generators
358 Victron Energy
370 Rolls Royce Marine
373 Electronic Design
374 Northern Lights
378 Glendinning
381 B & G
384 Rose Point Navigation Systems
385 Johnson Outdoors Marine Electronics Inc Geonav
394 Capi 2
396 Beyond Measure
400 Livorsi Marine
404 ComNav
409 Chetco
419 Fusion Electronics
421 Standard Horizon
422 True Heading AB
426 Egersund Marine Electronics AS
427 em-trak Marine Electronics
431 Tohatsu Co, JP
437 Digital Yacht
438 Comar Systems Limited
440 Cummins
443 VDO (aka Continental-Corporation)
451 Parker Hannifin aka Village Marine Tech
459 Alltek Marine Electronics Corp
460 SAN GIORGIO S.E.I.N
466 Veethree Electronics & Marine
467 Humminbird Marine Electronics
470 SI-TEX Marine Electronics
471 Sea Cross Marine AB
475 GME aka Standard Communications Pty LTD
476 Humminbird Marine Electronics 2
478 Ocean Sat BV
481 Chetco Digitial Instruments
493 Watcheye
499 Lcj Capteurs
502 Attwood Marine
503 Naviop S.R.L.
504 Vesper Marine Ltd
510 Marinesoft Co. LTD
513 Simarine
517 NoLand Engineering
518 Transas USA
529 National Instruments Korea
530 National Marine Electronics Association
532 Onwa Marine
540 Webasto
571 Marinecraft (South Korea)
573 McMurdo Group aka Orolia LTD
578 Advansea
579 KVH
580 San Jose Technology
583 Yacht Control
586 Suzuki Motor Corporation
591 US Coast Guard
595 Ship Module aka Customware
600 Aquatic AV
605 Aventics GmbH
606 Intellian
612 SamwonIT
614 Arlt Tecnologies
637 Bavaria Yacts
641 Diverse Yacht Services
644 Wema U.S.A dba KUS
645 Garmin 2
658 Shenzhen Jiuzhou Himunication
688 Rockford Corp
699 Harman International
704 JL Audio
708 Lars Thrane
715 Autonnic
717 Yacht Devices
734 REAP Systems
735 Au Electronics Group
739 LxNav
741 Littelfuse, Inc (formerly Carling Technologies)
743 DaeMyung
744 Woosung
748 ISOTTA IFRA srl
773 Clarion US
776 HMI Systems
777 Ocean Signal
778 Seekeeper
781 Poly Planar
785 Fischer Panda DE
795 Broyda Industries
796 Canadian Automotive
797 Tides Marine
798 Lumishore
799 Still Water Designs and Audio
802 BJ Technologies (Beneteau)
803 Gill Sensors
811 Blue Water Desalination
815 FLIR
824 Undheim Systems
826 Lewmar Inc
838 TeamSurv
844 Fell Marine
847 Oceanvolt
862 Prospec
868 Data Panel Corp
890 L3 Technologies
894 Rhodan Marine Systems
896 Nexfour Solutions
905 ASA Electronics
909 Marines Co (South Korea)
911 Nautic-on
917 Sentinel
929 JL Marine ystems
930 Ecotronix
944 Zontisa Marine
951 EXOR International
962 Timbolier Industries
963 TJC Micro
968 Cox Powertrain
969 Blue Seas
981 Kobelt Manufacturing Co. Ltd
992 Blue Ocean IOT
997 Xenta Systems
999 Signal K
1004 Ultraflex SpA
1008 Lintest SmartBoat
1011 Soundmax
1020 Team Italia Marine (Onyx Marine Automation s.r.l)
1021 Entratech
1022 ITC Inc.
1029 The Marine Guardian LLC
1047 Sonic Corporation
1051 ProNav
1053 Vetus Maxwell INC.
1056 Lithium Pros
1059 Boatrax
1062 Marol Co ltd
1065 CALYPSO Instruments
1066 Spot Zero Water
1069 Lithionics Battery LLC
1070 Quick-teck Electronics Ltd
1075 Uniden America
1083 Nauticoncept
1084 Shadow-Caster LED lighting LLC
1085 Wet Sounds, LLC
1088 E-T-A Circuit Breakers
1092 Scheiber
1100 Smart Yachts International Limited
1109 Dockmate
1114 Bobs Machine
1118 L3Harris ASV
1119 Balmar LLC
1120 Elettromedia spa
1127 Electromaax
1140 Across Oceans Systems Ltd.
1145 Kiwi Yachting
1150 BSB Artificial Intelligence GmbH
1151 Orca Technologoes AS
1154 TBS Electronics BV
1158 Technoton Electroics
1160 MG Energy Systems B.V.
1169 Sea Macine Robotics Inc.
1171 Vista Manufacturing
1183 Zipwake
1186 Sailmon BV
1192 Airmoniq Pro Kft
1194 Sierra Marine
1200 Xinuo Information Technology (Xiamen)
1218 Septentrio
1233 NKE Marine Elecronics
1238 SuperTrack Aps
1239 Honda Electronics Co., LTD
1245 Raritan Engineering Company, Inc
1249 Integrated Power Solutions AG
1260 Interactive Technologies, Inc.
1283 LTG-Tech
1299 Energy Solutions (UK) LTD.
1300 WATT Fuel Cell Corp
1302 Pro Mainer
1305 Dragonfly Energy
1306 Koden Electronics Co., Ltd
1311 Humphree AB
1316 Hinkley Yachts
1317 Global Marine Management GmbH (GMM)
1320 Triskel Marine Ltd
1330 Warwick Control Technologies
1331 Dolphin Charger
1337 Barnacle Systems Inc
1348 Radian IoT, Inc.
1353 Ocean LED Marine Ltd
1359 BluNav
1361 OVA (Nantong Saiyang Electronics Co., Ltd)
1368 RAD Propulsion
1369 Electric Yacht
1372 Elco Motor Yachts
1384 Tecnoseal Foundry S.r.l
1385 Pro Charging Systems, LLC
1389 EVEX Co., LTD
1398 Gobius Sensor Technology AB
1403 Arco Marine
1408 Lenco Marine Inc.
1413 Naocontrol S.L.
1417 Revatek
1438 Aeolionics
1439 PredictWind Ltd
1440 Egis Mobile Electric
1445 Starboard Yacht Group
1446 Roswell Marine
1451 ePropulsion (Guangdong ePropulsion Technology Ltd.)
1452 Micro-Air LLC
1453 Vital Battery
1458 Ride Controller LLC
1460 Tocaro Blue
1461 Vanquish Yachts
1471 FT Technologies
1478 Alps Alpine Co., Ltd.
1481 E-Force Marine
1482 CMC Marine
1483 Nanjing Sandemarine Information Technology Co., Ltd.
1850 Teleflex Marine (SeaStar Solutions)
1851 Raymarine
1852 Navionics
1853 Japan Radio Co
1854 Northstar Technologies
1855 Furuno
1856 Trimble
1857 Simrad
1858 Litton
1859 Kvasar AB
1860 MMP
1861 Vector Cantech
1862 Yamaha Marine
1863 Faria Instruments
`);
