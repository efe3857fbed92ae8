/** The main tests of a CAN bus with the addon built for arm64, on an arm64 kernel. */
import { testsInGuest } from "../guest/tests.ts";

const files = ["vcan/can-bus", "vcan/mqtt"];

await testsInGuest(
  "arm64",
  files.map((name) => `test/bus/${name}.test.ts`),
  1200,
);
