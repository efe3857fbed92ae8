/**
 * A program of the fleet's office: `node recorder.mjs FOLDER ID NODE…` reads the navigation of all boats, and what
 * their bridges dropped, in a session that outlives its connection, with the certificate of the folder, and writes a
 * line of JSON for each message. It goes from node to node; with one node it returns to that one.
 */
import { readFileSync } from "node:fs";
import mqtt from "mqtt";

const [folder, clientId, ...nodes] = process.argv.slice(2);
const tls = {
  ca: readFileSync(`${folder}/ca.crt`),
  cert: readFileSync(`${folder}/operators.crt`),
  key: readFileSync(`${folder}/operators.key`),
};

function connect() {
  const [host] = nodes;
  nodes.push(nodes.shift());
  const client = mqtt.connect({
    ...{ host, port: 8883, protocol: "mqtts", ...tls },
    ...{ clientId, clean: false, resubscribe: false },
    ...{ reconnectPeriod: 0, connectTimeout: 30_000, keepalive: 5 },
  });
  client.on("connect", () => {
    client.subscribe(
      ["boats/+/can/can0/navigation", "boats/+/broker/publish/messages/dropped"],
      { qos: 1 },
      (error) => {
        if (error === null) console.log(JSON.stringify({ reading: host }));
        else client.end(true);
      },
    );
  });
  client.on("error", ({ message }) => console.error(`${host}: ${message}`));
  client.on("message", (topic, payload) => console.log(JSON.stringify({ topic, payload: payload.toString() })));
  client.on("close", () => setTimeout(connect, 200));
}
connect();
