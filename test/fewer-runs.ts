/** Random tests of `npm run test:quick`: a quarter of the cases, which are others in each run. */
import fc from "fast-check";

process.env.HUB_REQUESTS ??= "5000";
fc.configureGlobal({ numRuns: 25 });
