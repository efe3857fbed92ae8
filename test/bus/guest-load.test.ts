/** A busy bus in a guest of its own, whose clock counts instructions: the other tests of a bus run beside it. */
import { testsInGuest } from "../guest/tests.ts";

await testsInGuest("amd64", ["test/bus/vcan/load.test.ts"], 1200);
