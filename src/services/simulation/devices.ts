/** The devices of the simulated bus, and the messages in which they describe themselves. */
import {
  configurationInformation,
  heartbeat,
  isoAddressClaim,
  isoRequest,
  pgnList,
  productInformation,
} from "../../core/n2k/pgns/system.ts";
import { aisMessages } from "./ais-receiver.ts";
import {
  autopilotMessages,
  batteryMessages,
  chargerMessages,
  compassMessages,
  engineMessages,
  gnssMessages,
  mastheadMessages,
  plotterMessages,
  satelliteCompassMessages,
  switchMessages,
  tankMessages,
  transducerMessages,
} from "./instruments.ts";
import { type PeriodicMessage, periodicMessage } from "./periodic-message.ts";
import { betterFix, plainFix } from "./voyage.ts";

export interface Device {
  readonly address: number;
  /** The model, which reports use as its name. */
  readonly model: string;
  readonly messages: readonly PeriodicMessage[];
}

interface DeviceDescription {
  readonly address: number;
  readonly model: string;
  readonly maker: keyof typeof makers;
  /** Class and function of the NAME, codes of NMEA 2000. */
  readonly deviceClass: number;
  readonly deviceFunction: number;
  readonly installation: string;
  readonly messages: readonly PeriodicMessage[];
  /** Requests the descriptions of all devices. */
  readonly requestsAll?: boolean;
}

/**
 * Codes of manufacturers, so that the devices are described as on a real bus. The serial numbers and the manufacturer
 * information say that they are simulated.
 */
const makers = {
  raymarine: 1851,
  navico: 275,
  garmin: 229,
  airmar: 135,
  maretron: 137,
  victron: 358,
  yachtDevices: 717,
  emTrak: 427,
} as const;
const MARINE = 4;
const MINUTE_MS = 60_000;
/** Some displays request the descriptions again every ten minutes, which informs listeners that came later. */
const REQUEST_PERIOD_MS = 10 * MINUTE_MS;

const ADDRESS_CLAIM = isoAddressClaim.pgn;
const RECEIVED = [59392, 59904, 60928, 126208];

/** Milliseconds from the start of a round of requests to each request; the responses follow one after the other. */
const requestedAtMs = { claims: 10, products: 700, lists: 2200, configurations: 4200 } as const;
const RESPONSE_SPACING_MS = 55;

const onRequest = (firstMs: number) => ({ periodMs: REQUEST_PERIOD_MS, firstMs, priority: 6 });

/** The requests of the plotter, each to all devices. */
const requests: readonly PeriodicMessage[] = [
  [ADDRESS_CLAIM, requestedAtMs.claims],
  [productInformation.pgn, requestedAtMs.products],
  [pgnList.pgn, requestedAtMs.lists],
  [configurationInformation.pgn, requestedAtMs.configurations],
].map(([requestedPgn, firstMs]) =>
  periodicMessage(isoRequest, onRequest(firstMs!), () => ({ requestedPgn: requestedPgn! })),
);

/** A PGN list, sent `afterMs` after the request for all lists. */
const listOf = (
  name: "Transmit PGN list" | "Receive PGN list",
  pgns: Iterable<number>,
  afterMs: number,
): PeriodicMessage =>
  periodicMessage(pgnList, onRequest(requestedAtMs.lists + afterMs), () => ({
    function: name,
    pgns: [...pgns].sort((a, b) => a - b).map((id) => ({ id })),
  }));

/** The responses of a device to the requests, and its heartbeat. */
function selfDescription(
  { model, maker, deviceClass, deviceFunction, installation, messages, requestsAll }: DeviceDescription,
  index: number,
): readonly PeriodicMessage[] {
  const turnMs = RESPONSE_SPACING_MS * (index + 1);
  const sent = new Set([
    59392,
    ADDRESS_CLAIM,
    126464,
    126993,
    126996,
    126998,
    ...messages.map(({ definition }) => definition.pgn),
  ]);
  return [
    ...(requestsAll ? requests : []),
    periodicMessage(isoAddressClaim, onRequest(requestedAtMs.claims + 2 + 3 * index), () => ({
      identityNumber: 1000 + index,
      manufacturerCode: makers[maker],
      ecuInstance: 0,
      functionInstance: 0,
      functionCode: deviceFunction,
      classCode: deviceClass,
      vehicleSystemInstance: 0,
      industryGroupCode: MARINE,
      arbitraryAddressCapable: true,
    })),
    periodicMessage(productInformation, onRequest(requestedAtMs.products + turnMs), () => ({
      nmeaVersion: 2100,
      productCode: 100 + index,
      modelId: model,
      softwareVersion: "1.0.0",
      modelVersion: "Simulated",
      serialNumber: `SIM-${1000 + index}`,
      certLevel: 1,
      loadEquiv: 2,
    })),
    listOf("Transmit PGN list", sent, turnMs),
    listOf("Receive PGN list", RECEIVED, turnMs + 15),
    periodicMessage(configurationInformation, onRequest(requestedAtMs.configurations + turnMs), () => ({
      installationDescription1: installation,
      installationDescription2: "",
      manufacturerInformation: "hub simulation",
    })),
    periodicMessage(heartbeat, { periodMs: MINUTE_MS, firstMs: 1500 + turnMs, priority: 7 }, ({ seconds }) => ({
      intervalS: 60,
      sequenceCounter: Math.floor(seconds / 60) % 253,
      controller1State: "Error Active",
      equipmentStatus: "Operational",
    })),
  ];
}

const descriptions: readonly DeviceDescription[] = [
  {
    address: 1,
    model: "Chart Plotter",
    maker: "navico",
    deviceClass: 120,
    deviceFunction: 130,
    installation: "Cockpit",
    messages: plotterMessages,
    requestsAll: true,
  },
  {
    address: 2,
    model: "GNSS Receiver SBAS",
    maker: "garmin",
    deviceClass: 60,
    deviceFunction: 145,
    installation: "Bow",
    messages: gnssMessages({ fixAt: betterFix, gnssType: 3, satellitesInSight: 16 }),
  },
  {
    address: 3,
    model: "GNSS Receiver",
    maker: "airmar",
    deviceClass: 60,
    deviceFunction: 145,
    installation: "Stern rail",
    messages: gnssMessages({ fixAt: plainFix, gnssType: 0, satellitesInSight: 12 }),
  },
  {
    address: 4,
    model: "Magnetic Compass",
    maker: "airmar",
    deviceClass: 60,
    deviceFunction: 140,
    installation: "Below the mast",
    messages: compassMessages,
  },
  {
    address: 5,
    model: "Satellite Compass",
    maker: "navico",
    deviceClass: 60,
    deviceFunction: 140,
    installation: "Stern arch",
    messages: satelliteCompassMessages,
  },
  {
    address: 9,
    model: "Masthead Wind",
    maker: "airmar",
    deviceClass: 85,
    deviceFunction: 130,
    installation: "Masthead",
    messages: mastheadMessages,
  },
  {
    address: 35,
    model: "Depth Speed Temperature",
    maker: "airmar",
    deviceClass: 60,
    deviceFunction: 136,
    installation: "Hull, starboard of the keel",
    messages: transducerMessages,
  },
  {
    address: 16,
    model: "Engine Gateway",
    maker: "yachtDevices",
    deviceClass: 50,
    deviceFunction: 160,
    installation: "Engine room",
    messages: engineMessages,
  },
  {
    address: 20,
    model: "Battery Monitor",
    maker: "victron",
    deviceClass: 35,
    deviceFunction: 170,
    installation: "Battery box",
    messages: batteryMessages,
  },
  {
    address: 21,
    model: "Battery Charger",
    maker: "victron",
    deviceClass: 35,
    deviceFunction: 160,
    installation: "Engine room",
    messages: chargerMessages,
  },
  {
    address: 24,
    model: "Tank Senders",
    maker: "maretron",
    deviceClass: 75,
    deviceFunction: 150,
    installation: "Bilge",
    messages: tankMessages,
  },
  {
    address: 25,
    model: "Switch Bank",
    maker: "maretron",
    deviceClass: 30,
    deviceFunction: 140,
    installation: "Electrical panel",
    messages: switchMessages,
  },
  {
    address: 43,
    model: "AIS Receiver",
    maker: "emTrak",
    deviceClass: 60,
    deviceFunction: 195,
    installation: "Chart table",
    messages: aisMessages,
  },
  {
    address: 50,
    model: "Autopilot",
    maker: "raymarine",
    deviceClass: 40,
    deviceFunction: 150,
    installation: "Stern locker",
    messages: autopilotMessages,
  },
];

/** After its address claim a device waits 250 ms for a contention before it sends. */
const CLAIM_WAIT_MS = 300;

/** All devices. Their starts differ, so that their messages do not coincide. */
export const devices: readonly Device[] = descriptions.map((description, index) => ({
  address: description.address,
  model: description.model,
  messages: [
    ...selfDescription(description, index),
    ...description.messages.map((one) => ({ ...one, firstMs: one.firstMs + CLAIM_WAIT_MS + 7 * index })),
  ],
}));
