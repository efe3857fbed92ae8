/** The tests of a bus that need a controller, and measure by a clock: that of this guest counts instructions. */
import { testsInGuest } from "../guest/tests.ts";

const files = ["controller/interface", "controller/errors"];

await testsInGuest(
  "amd64",
  files.map((name) => `test/bus/${name}.test.ts`),
  1200,
);
