/** Sizes for `npm run night`: ten times the random cases, those of HUB_SEED, which the night chooses and prints. */
import fc from "fast-check";

const { HUB_SEED: seed } = process.env;

fc.configureGlobal({ numRuns: 1000, ...(seed !== undefined && { seed: Number(seed) | 0 }) });
