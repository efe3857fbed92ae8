/** The decoder's package, whose module is the second argument: a recording, each message as one JSON line. */
import { createReadStream } from "node:fs";
import { pathToFileURL } from "node:url";

const { decode } = await import(pathToFileURL(process.argv[3]).href);
let burst = "";
for await (const { received, source, destination, priority, data } of decode(createReadStream(process.argv[2]))) {
  burst += `${JSON.stringify({ received, source, destination, priority, data })}\n`;
  if (burst.length < 65536) continue;
  if (!process.stdout.write(burst)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  burst = "";
}
process.stdout.write(burst);
