/** The peer of `--broker`: candump -L lines through canboatjs to a broker with MQTT.js, a topic per source and PGN. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { FromPgn } from "@canboat/canboatjs";
import mqtt from "mqtt";

const [file, url] = process.argv.slice(2);
const parser = new FromPgn({ useCamel: true });
const client = await mqtt.connectAsync(url);
let published = 0;
for await (const line of createInterface({ input: createReadStream(file) })) {
  const pgn = parser.parseString(line);
  if (pgn === undefined) continue;
  client.publish(`can/can0/device/${pgn.src}/pgn/${pgn.pgn}`, JSON.stringify(pgn));
  published++;
  if (client.stream.writableNeedDrain) await new Promise((resolve) => client.stream.once("drain", resolve));
}
await client.endAsync();
console.log(published);
