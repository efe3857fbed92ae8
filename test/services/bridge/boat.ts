/** A boat for a part that is tested alone: names, log and publisher in memory, and nothing known but what a test says. */

import { topicsBelow } from "../../../src/core/topics/topics.ts";
import { type Boat, createBoat, nothingKnown } from "../../../src/services/bridge/boat.ts";
import { addedCounters } from "../../../src/services/bridge/counters.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryPublisher } from "../../support/memory/publisher.ts";

export const boatOf = (known: Partial<Boat> = {}): Boat => ({
  ...createBoat({
    ...nothingKnown,
    topics: topicsBelow("can/can0"),
    publisher: memoryPublisher(),
    log: memoryLog(),
    disk: () => undefined,
    failing: () => [],
    counters: () => addedCounters([]),
    ignoredSettings: () => [],
    requested: () => {},
  }),
  ...known,
});
