/** Prints published messages if mosquitto_sub is not installed: `node scripts/look.mjs [FILTER [PORT]]`. */
import { connect } from "mqtt";

const [filter = "#", port = "1883"] = process.argv.slice(2);
const url = `mqtt://127.0.0.1:${port}`;
const client = connect(url);

process.stdout.on("error", () => process.exit(0));
client.on("connect", () => client.subscribe(filter));
client.on("message", (topic, payload) => console.log(`${topic} ${payload}`));
client.on("offline", () => console.error(`no broker on ${url}, still trying`));
