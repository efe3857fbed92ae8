/** Who is on the simulated bus, and what each says about itself. */
import {
  configurationInformation,
  heartbeat,
  isoAddressClaim,
  isoRequest,
  pgnList,
  productInformation,
} from "../n2k/pgns/system.ts";
import { aisTalks } from "./ais-receiver.ts";
import {
  autopilotTalks,
  batteryTalks,
  chargerTalks,
  compassTalks,
  engineTalks,
  gnssTalks,
  mastheadTalks,
  plotterTalks,
  satelliteCompassTalks,
  switchTalks,
  tankTalks,
  transducerTalks,
} from "./instruments.ts";
import { type Talk, talk } from "./talk.ts";
import { betterFix, plainFix } from "./voyage.ts";

export interface Device {
  readonly address: number;
  /** Its model, which is how a report calls it. */
  readonly model: string;
  readonly talks: readonly Talk[];
}

interface Nameplate {
  readonly address: number;
  readonly model: string;
  /** Class and function of the NAME, codes of NMEA 2000. */
  readonly deviceClass: number;
  readonly deviceFunction: number;
  readonly installation: string;
  readonly talks: readonly Talk[];
  /** Calls the roll. */
  readonly asksAll?: boolean;
}

/** No maker's: that of open libraries. A simulation must not pass for somebody's product. */
const MANUFACTURER = 2046;
const MARINE = 4;
const MINUTES = 60_000;
/** A display that asks everybody again every ten minutes, as some do, keeps late listeners informed. */
const ROLL_CALL = 10 * MINUTES;

const ADDRESS_CLAIM = isoAddressClaim.pgn;
const RECEIVED = [59392, 59904, 60928, 126208];

/** When the roll call asks for what, milliseconds after its beginning; the answers follow one after the other. */
const asked = { claims: 10, products: 700, lists: 2200, configurations: 4200 } as const;
const ANSWER_SPACING = 55;

const onRollCall = (first: number) => ({ every: ROLL_CALL, first, priority: 6 });

/** The plotter asks; each question goes to everybody. */
const questions: readonly Talk[] = [
  [ADDRESS_CLAIM, asked.claims],
  [productInformation.pgn, asked.products],
  [pgnList.pgn, asked.lists],
  [configurationInformation.pgn, asked.configurations],
].map(([requestedPgn, first]) => talk(isoRequest, onRollCall(first!), () => ({ requestedPgn: requestedPgn! })));

/** What a device answers when it is asked, and its heartbeat. */
function selfDescription(
  { model, deviceClass, deviceFunction, installation, talks, asksAll }: Nameplate,
  index: number,
): readonly Talk[] {
  const turn = ANSWER_SPACING * (index + 1);
  const sent = new Set([
    59392,
    ADDRESS_CLAIM,
    126464,
    126993,
    126996,
    126998,
    ...talks.map(({ definition }) => definition.pgn),
  ]);
  const list = (name: "Transmit PGN list" | "Receive PGN list", pgns: Iterable<number>, later: number): Talk =>
    talk(pgnList, onRollCall(asked.lists + turn + later), () => ({
      function: name,
      pgns: [...pgns].sort((a, b) => a - b).map((id) => ({ id })),
    }));
  return [
    ...(asksAll ? questions : []),
    talk(isoAddressClaim, onRollCall(asked.claims + 2 + 3 * index), () => ({
      identityNumber: 1000 + index,
      manufacturerCode: MANUFACTURER,
      ecuInstance: 0,
      functionInstance: 0,
      functionCode: deviceFunction,
      classCode: deviceClass,
      vehicleSystemInstance: 0,
      industryGroupCode: MARINE,
      arbitraryAddressCapable: true,
    })),
    talk(productInformation, onRollCall(asked.products + turn), () => ({
      nmeaVersion: 2100,
      productCode: 100 + index,
      modelId: model,
      softwareVersion: "1.0.0",
      productName: "Simulated",
      serialNumber: `SIM-${1000 + index}`,
      certLevel: 1,
      loadEquiv: 2,
    })),
    list("Transmit PGN list", sent, 0),
    list("Receive PGN list", RECEIVED, 15),
    talk(configurationInformation, onRollCall(asked.configurations + turn), () => ({
      installationDescription1: installation,
      installationDescription2: "",
      manufacturerInformation: "hub simulation",
    })),
    talk(heartbeat, { every: MINUTES, first: 1500 + turn, priority: 7 }, ({ seconds }) => ({
      intervalS: 60,
      sequenceCounter: Math.floor(seconds / 60) % 253,
      controller1State: "Error Active",
      equipmentStatus: "Operational",
    })),
  ];
}

const nameplates: readonly Nameplate[] = [
  {
    address: 1,
    model: "Chart Plotter",
    deviceClass: 120,
    deviceFunction: 130,
    installation: "Cockpit",
    talks: plotterTalks,
    asksAll: true,
  },
  {
    address: 2,
    model: "GNSS Receiver SBAS",
    deviceClass: 60,
    deviceFunction: 145,
    installation: "Bow",
    talks: gnssTalks({ fixAt: betterFix, gnssType: 3, satellitesInSight: 16 }),
  },
  {
    address: 3,
    model: "GNSS Receiver",
    deviceClass: 60,
    deviceFunction: 145,
    installation: "Stern rail",
    talks: gnssTalks({ fixAt: plainFix, gnssType: 0, satellitesInSight: 12 }),
  },
  {
    address: 4,
    model: "Magnetic Compass",
    deviceClass: 60,
    deviceFunction: 140,
    installation: "Below the mast",
    talks: compassTalks,
  },
  {
    address: 5,
    model: "Satellite Compass",
    deviceClass: 60,
    deviceFunction: 140,
    installation: "Stern arch",
    talks: satelliteCompassTalks,
  },
  {
    address: 9,
    model: "Masthead Wind",
    deviceClass: 85,
    deviceFunction: 130,
    installation: "Masthead",
    talks: mastheadTalks,
  },
  {
    address: 35,
    model: "Depth Speed Temperature",
    deviceClass: 60,
    deviceFunction: 136,
    installation: "Hull, starboard of the keel",
    talks: transducerTalks,
  },
  {
    address: 16,
    model: "Engine Gateway",
    deviceClass: 50,
    deviceFunction: 160,
    installation: "Engine room",
    talks: engineTalks,
  },
  {
    address: 20,
    model: "Battery Monitor",
    deviceClass: 35,
    deviceFunction: 170,
    installation: "Battery box",
    talks: batteryTalks,
  },
  {
    address: 21,
    model: "Battery Charger",
    deviceClass: 35,
    deviceFunction: 160,
    installation: "Engine room",
    talks: chargerTalks,
  },
  {
    address: 24,
    model: "Tank Senders",
    deviceClass: 75,
    deviceFunction: 150,
    installation: "Bilge",
    talks: tankTalks,
  },
  {
    address: 25,
    model: "Switch Bank",
    deviceClass: 30,
    deviceFunction: 140,
    installation: "Electrical panel",
    talks: switchTalks,
  },
  {
    address: 43,
    model: "AIS Receiver",
    deviceClass: 60,
    deviceFunction: 195,
    installation: "Chart table",
    talks: aisTalks,
  },
  {
    address: 50,
    model: "Autopilot",
    deviceClass: 40,
    deviceFunction: 150,
    installation: "Stern locker",
    talks: autopilotTalks,
  },
];

/** After its claim a device waits 250 ms for somebody who contests the address; then it may speak. */
const CONTEST = 300;

/** Everyone on the bus. Their beginnings lie apart, so that their clocks do not tick together. */
export const devices: readonly Device[] = nameplates.map((nameplate, index) => ({
  address: nameplate.address,
  model: nameplate.model,
  talks: [
    ...selfDescription(nameplate, index),
    ...nameplate.talks.map((one) => ({ ...one, first: one.first + CONTEST + 7 * index })),
  ],
}));
