/**
 * The tests of a bus that need a controller, a rate, or minutes in which little runs: the clock of this guest counts
 * instructions and skips idle time. Together, because to boot it takes longer than most of them. Those that compute or
 * last for long are the night's.
 */
import { hasVcan } from "../guest/possible.ts";
import { testsInGuest } from "../guest/tests.ts";
import { atNight } from "../support/size.ts";

const long = hasVcan ? [] : ["vcan/load.night", "vcan/endurance.night"];
const files = ["controller/interface", "controller/errors", ...atNight([], long)];

await testsInGuest(
  "amd64",
  files.map((name) => `test/bus/${name}.test.ts`),
  1200,
);
