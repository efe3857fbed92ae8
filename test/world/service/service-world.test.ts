/** hub-configd against the model, for some seeds: `npm run world -- --service` sails more. */
import { expect, onTestFinished, test } from "vitest";
import { ServiceWorld } from "./service-world.ts";

test.each([1, 2, 4])(
  "clients, restarts, an editor and a failing disk of seed %i are explained by the model",
  async (seed) => {
    const world = new ServiceWorld(seed);
    onTestFinished(() => world.close());
    for (let round = 0; round < 300; round++) await world.round();
    expect(world.counts.requests).toBeGreaterThan(500);
  },
);
