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

/** Class and function are codes of the NAME. */
type DeviceRow = readonly [
  address: number,
  model: string,
  maker: keyof typeof makers,
  name: readonly [deviceClass: number, deviceFunction: number],
  installation: string,
  messages: readonly PeriodicMessage[],
];

/** It requests the descriptions of all devices. */
const PLOTTER = 1;

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
  [address, model, maker, [classCode, functionCode], installation, messages]: DeviceRow,
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
    ...(address === PLOTTER ? requests : []),
    periodicMessage(isoAddressClaim, onRequest(requestedAtMs.claims + 2 + 3 * index), () => ({
      identityNumber: 1000 + index,
      manufacturerCode: makers[maker],
      ecuInstance: 0,
      functionInstance: 0,
      functionCode,
      classCode,
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

const rows: readonly DeviceRow[] = [
  [PLOTTER, "Chart Plotter", "navico", [120, 130], "Cockpit", plotterMessages],
  [
    2,
    "GNSS Receiver SBAS",
    "garmin",
    [60, 145],
    "Bow",
    gnssMessages({ fixAt: betterFix, gnssType: 3, satellitesInSight: 16 }),
  ],
  [
    3,
    "GNSS Receiver",
    "airmar",
    [60, 145],
    "Stern rail",
    gnssMessages({ fixAt: plainFix, gnssType: 0, satellitesInSight: 12 }),
  ],
  [4, "Magnetic Compass", "airmar", [60, 140], "Below the mast", compassMessages],
  [5, "Satellite Compass", "navico", [60, 140], "Stern arch", satelliteCompassMessages],
  [9, "Masthead Wind", "airmar", [85, 130], "Masthead", mastheadMessages],
  [35, "Depth Speed Temperature", "airmar", [60, 136], "Hull, starboard of the keel", transducerMessages],
  [16, "Engine Gateway", "yachtDevices", [50, 160], "Engine room", engineMessages],
  [20, "Battery Monitor", "victron", [35, 170], "Battery box", batteryMessages],
  [21, "Battery Charger", "victron", [35, 160], "Engine room", chargerMessages],
  [24, "Tank Senders", "maretron", [75, 150], "Bilge", tankMessages],
  [25, "Switch Bank", "maretron", [30, 140], "Electrical panel", switchMessages],
  [43, "AIS Receiver", "emTrak", [60, 195], "Chart table", aisMessages],
  [50, "Autopilot", "raymarine", [40, 150], "Stern locker", autopilotMessages],
];

/** After its address claim a device waits 250 ms for a contention before it sends. */
const CLAIM_WAIT_MS = 300;

/** All devices. Their starts differ, so that their messages do not coincide. */
export const devices: readonly Device[] = rows.map((row, index) => {
  const [address, model, , , , messages] = row;
  return {
    address,
    model,
    messages: [
      ...selfDescription(row, index),
      ...messages.map((one) => ({ ...one, firstMs: one.firstMs + CLAIM_WAIT_MS + 7 * index })),
    ],
  };
});
