/** The tests of a CAN bus that cannot run on this kernel, run in a guest. */
import { hasVcan } from "../guest/possible.ts";
import { testsInGuest } from "../guest/tests.ts";

await testsInGuest("amd64", hasVcan ? ["test/bus/controller"] : ["test/bus/vcan", "test/bus/controller"], 1200);
