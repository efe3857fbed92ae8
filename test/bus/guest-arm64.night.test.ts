/** The main tests of a CAN bus with the addon built for arm64, on an arm64 kernel. */
import { testsInGuest } from "../guest/tests.ts";

/** The life of an interface is that of the kernel, on which the processor has no part; other guests test it. */
const elsewhere = /between two looks|no descriptor left|reads the frames that wait/;
const files = ["vcan/can-bus", "vcan/mqtt"];

await testsInGuest(
  "arm64",
  files.map((name) => `test/bus/${name}.test.ts`),
  1200,
  elsewhere,
);
