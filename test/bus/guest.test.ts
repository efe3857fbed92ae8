/**
 * The tests of a bus that need a controller, a rate, or minutes in which little runs: the clock of this guest counts
 * instructions and skips idle time. Together, because to boot it takes longer than most of them.
 */
import { hasVcan } from "../guest/possible.ts";
import { testsInGuest } from "../guest/tests.ts";
import { atNight } from "../support/size.ts";

const files = [
  ...["controller/interface", "controller/errors"],
  ...(hasVcan ? [] : ["vcan/load", ...atNight([], ["vcan/endurance.night"])]),
];

await testsInGuest(
  "amd64",
  files.map((name) => `test/bus/${name}.test.ts`),
  1200,
);
