/** The tests of a bus that want a controller, and of minutes in which little runs: this guest's clock skips what is idle. */
import { hasVcan } from "../guest/possible.ts";
import { testsInGuest } from "../guest/tests.ts";

const files = ["controller/interface", "controller/errors", ...(hasVcan ? [] : ["vcan/endurance"])];

await testsInGuest(
  "amd64",
  files.map((name) => `test/bus/${name}.test.ts`),
  1200,
);
