/** The tests of a virtual bus that do not depend on a clock, in the guest that is as fast as this machine. */
import { readdirSync } from "node:fs";
import { testsInGuest } from "../guest/tests.ts";

const files = readdirSync("test/bus/vcan").filter((name) => name.endsWith(".test.ts") && !name.includes(".night."));

await testsInGuest(
  "uml",
  files.map((name) => `test/bus/vcan/${name}`),
  600,
);
