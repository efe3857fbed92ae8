/** A busy bus in a guest of its own: that takes as long as all other tests of a bus together, and so runs beside them. */
import { testsInGuest } from "../guest/tests.ts";

await testsInGuest("amd64", ["test/bus/vcan/load.test.ts"], 1200);
