/** A busy bus in a guest of its own, whose clock counts instructions, so that other tests may run at the same time. */
import { testsInGuest } from "../guest/tests.ts";

await testsInGuest("amd64", ["test/bus/vcan/load.test.ts"], 1200);
