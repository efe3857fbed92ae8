/**
 * An AIS transponder that speaks NMEA 0183 over TCP, on a boat that has nothing else: `node ais-transponder.mjs PORT
 * SENTENCES`. It says every second where it is, and the JSON list of sentences of ships.
 */
import { createServer } from "node:net";

const [port, sentences] = process.argv.slice(2);

const framed = (body) => {
  const checksum = [...body].reduce((sum, character) => sum ^ character.charCodeAt(0), 0);
  return `$${body}*${checksum.toString(16).toUpperCase().padStart(2, "0")}\r\n`;
};

/** 53°18.3'N 3°36.9'E, 5.4 knots to the north-east. */
function position() {
  const now = new Date().toISOString();
  const time = now.slice(11, 19).replaceAll(":", "");
  const date = `${now.slice(8, 10)}${now.slice(5, 7)}${now.slice(2, 4)}`;
  return framed(`GPRMC,${time}.00,A,5318.3000,N,00336.9000,E,5.4,045.0,${date},,,A`);
}

createServer((socket) => {
  const tell = () => socket.write(position() + JSON.parse(sentences ?? "[]").join(""));
  const timer = setInterval(tell, 1000);
  socket.on("error", () => {}).on("close", () => clearInterval(timer));
}).listen(Number(port), "127.0.0.1");
