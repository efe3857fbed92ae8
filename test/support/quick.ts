/**
 * Sizes for `npm run test:quick`: a quarter of the random cases, others in each run, and recordings of up to 64 KiB.
 */
import fc from "fast-check";

process.env.HUB_RECORDING_BYTES ??= "65536";
fc.configureGlobal({ numRuns: 25 });
