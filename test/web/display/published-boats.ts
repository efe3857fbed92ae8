/** Boats by hand for tests of the display: all that its pages subscribe to, with values of one kind. */
import type { MqttClient } from "mqtt";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";

export interface HandMadeBoat {
  readonly navigation: NavigationData;
  readonly messages: readonly { readonly address: number; readonly pgn: number; readonly [name: string]: unknown }[];
  /** Undefined: no AIS report. */
  readonly targets: readonly Record<string, unknown>[] | undefined;
  readonly aisExpireAfterSec?: number;
  /** Given to all devices and sources. */
  readonly friendlyName: string;
}

const addresses = [2, 4, 9, 16, 20, 24, 25, 35, 50];
const nameOf = (address: number): string => `1386899448225031${1000 + address}`;

const retain = { retain: true };

/** NAMEs have 64 bits, which JSON.stringify cannot write as the numbers that they are in the reports about devices. */
const textOf = (message: unknown, hasNumericNames: boolean): string => {
  const text = JSON.stringify(message);
  return hasNumericNames ? text.replace(/"name":"(\d+)"/g, '"name":$1') : text;
};

/** Publishes everything once under `prefix`, with the time of now. */
export async function publishBoat(client: MqttClient, boat: HandMadeBoat, prefix = "can/can0"): Promise<void> {
  const wall = Date.now();
  const metadata = (expireAfterSec: number) => ({
    rxDate: new Date(wall).toISOString(),
    rxTimestamp: Math.floor(wall / 1000),
    expireAfterSec,
  });
  const publish = (topic: string, data: unknown, expireAfterSec: number, options = {}): Promise<unknown> =>
    client.publishAsync(
      `${prefix}/${topic}`,
      textOf({ data, metadata: metadata(expireAfterSec) }, topic !== "navigation"),
      options,
    );
  await Promise.all([
    publish("navigation", boat.navigation, 2),
    boat.targets &&
      publish(
        "ais",
        { ownShip: {}, targets: boat.targets.map((one) => ({ lastSeen: metadata(60).rxDate, ...one })) },
        boat.aisExpireAfterSec ?? 60,
      ),
    publish(
      "devices",
      { count: addresses.length, peers: addresses.map((addr) => ({ addr, name: nameOf(addr) })) },
      60,
      retain,
    ),
    publish("interface", interfaceStatus, 60, retain),
    publish("health", { uptime: 86_400, busLoadPercent: 37, lost: { kernel: 0, ring: 12_345_678 } }, 60, retain),
    ...addresses.map((addr) => publish(`device/${addr}/infos`, informationOf(addr, boat.friendlyName), 60, retain)),
    ...boat.messages.map(({ address, ...data }) => publish(`device/${address}/pgn/${data.pgn}`, data, 60)),
  ]);
}

const interfaceStatus = {
  interface: "can0",
  up: true,
  state: "ERROR-ACTIVE",
  stats: { rx_frames: 1_234_567_890, rx_errors: 0 },
  config: { bitrate: 250_000 },
};

/** The compass and the pilot send headings, the log speeds, the receiver positions. */
const sent = (addr: number) => {
  if (addr === 4 || addr === 50) return { id: 127250, name: "Vessel Heading" };
  return addr === 35 ? { id: 128259, name: "Speed" } : { id: 129025, name: "Position, Rapid Update" };
};

export const informationOf = (addr: number, friendlyName: string) => ({
  addr,
  name: nameOf(addr),
  identityNumber: 1000 + addr,
  manufacturerCode: 275,
  manufacturer: "Navico",
  ecuInstance: 0,
  functionInstance: 0,
  deviceInstance: 0,
  functionCode: 130,
  functionName: "Display",
  classCode: 120,
  vehicleSystemInstance: 0,
  industryGroupCode: 4,
  industryGroup: "Marine Industry",
  arbitraryAddressCapable: true,
  productInfo: { modelId: `Model ${addr}`, serialNumber: "1", softwareVersion: "1.0", loadEquiv: 2 },
  txPgns: [sent(addr)],
  ...(friendlyName !== "" && { friendlyName }),
});

/** The source of a group of the report. */
export const sourceOf = (friendlyName: string, pgn: number) => ({
  name: nameOf(2),
  ...(friendlyName !== "" && { friendlyName }),
  pgn,
  rxTimestamp: 0,
  age: 0.2,
});
