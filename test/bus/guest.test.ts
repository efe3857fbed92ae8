/** The tests of a CAN bus that cannot run on this kernel, run in a guest; but for the busy bus, which has its own. */
import { readdirSync } from "node:fs";
import { hasVcan } from "../guest/possible.ts";
import { testsInGuest } from "../guest/tests.ts";

const onVcan = readdirSync("test/bus/vcan").filter((name) => name.endsWith(".test.ts") && name !== "load.test.ts");
const files = hasVcan ? [] : onVcan.map((name) => `test/bus/vcan/${name}`);

await testsInGuest("amd64", [...files, "test/bus/controller"], 1200);
