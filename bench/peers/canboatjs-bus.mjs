/**
 * The peer on a bus: SocketCAN by the addon of canboatjs, read as its `candumpjs` does, to a broker with MQTT.js, a
 * topic per source and PGN.
 */
import { FromPgn } from "@canboat/canboatjs";
import { parseCanId } from "@canboat/canboatjs/dist/canId.js";
import { CanChannel } from "@canboat/canboatjs/dist/canSocket.js";
import mqtt from "mqtt";

const [interfaceName, url] = process.argv.slice(2);
const parser = new FromPgn({ useCamel: true });
const client = await mqtt.connectAsync(url);
parser.on("pgn", (pgn) => client.publish(`can/can0/device/${pgn.src}/pgn/${pgn.pgn}`, JSON.stringify(pgn)));
parser.on("error", () => {});
const channel = new CanChannel(interfaceName);
channel.addListener("onStopped", (reason) => {
  throw new Error(reason);
});
channel.addListener("onMessage", ({ id, data }) => {
  parser.parse({ pgn: parseCanId(id), length: data.length, data });
});
channel.start();
