/** hub-configd against the model, for some seeds: `npm run world -- --service` runs more. */
import { expect, onTestFinished, test } from "vitest";
import { QueueWorld } from "./queue-world.ts";
import { ServiceWorld } from "./service-world.ts";
import { VoyageWorld } from "./voyage-world.ts";

test.each([1, 2, 4])(
  "clients, restarts, an editor and a failing disk of seed %i are explained by the model",
  async (seed) => {
    const world = new ServiceWorld(seed);
    onTestFinished(() => world.close());
    for (let round = 0; round < 300; round++) await world.round();
    expect(world.counts.requests).toBeGreaterThan(500);
  },
);

test.each([1, 2])("of the log book of seed %i nothing that was acknowledged is lost or torn", async (seed) => {
  const world = new VoyageWorld(seed);
  onTestFinished(() => world.close());
  for (let round = 0; round < 100; round++) await world.round();
  expect(world.counts.cut).toBeGreaterThan(3);
  expect(world.counts.done).toBeGreaterThan(100);
});

test.each([1, 2])("of the queue of hub-history of seed %i nothing that it has taken is lost or torn", async (seed) => {
  const world = new QueueWorld(seed);
  onTestFinished(() => world.close());
  for (let round = 0; round < 60; round++) await world.round();
  expect(world.counts.cut).toBeGreaterThan(3);
  expect(world.counts.refused).toBeGreaterThan(3);
});
