// node example.js trip.log.gz, bun example.js trip.log.gz, or deno run --allow-read example.js trip.log.gz
import { createReadStream } from "node:fs";
import process from "node:process";
import { decode } from "hub-decoder";

for await (const { received, source, data } of decode(createReadStream(process.argv[2]))) {
  console.log(new Date(received).toISOString(), source, JSON.stringify(data));
}
