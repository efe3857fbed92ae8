/** The peer of `--stdout`: candump -L lines through canboatjs, each PGN as one JSON line on standard output. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { FromPgn } from "@canboat/canboatjs";

const parser = new FromPgn({ useCamel: true });
let burst = "";
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const pgn = parser.parseString(line);
  if (pgn === undefined) continue;
  burst += `${JSON.stringify(pgn)}\n`;
  if (burst.length < 65536) continue;
  if (!process.stdout.write(burst)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  burst = "";
}
process.stdout.write(burst);
