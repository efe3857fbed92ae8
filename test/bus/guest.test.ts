/**
 * The tests of a bus that need a controller, or minutes in which little runs: the clock of this guest skips idle time.
 */
import { hasVcan } from "../guest/possible.ts";
import { testsInGuest } from "../guest/tests.ts";

const files = ["controller/interface", "controller/errors", ...(hasVcan ? [] : ["vcan/endurance"])];

await testsInGuest(
  "amd64",
  files.map((name) => `test/bus/${name}.test.ts`),
  1200,
);
