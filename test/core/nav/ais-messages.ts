/** AIS messages for tests: encoded and decoded again, so that they are as from a bus. */
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import type { Definition, Message } from "../../../src/core/n2k/definition.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import * as ais from "../../../src/core/n2k/pgns/ais.ts";
import type { AisMessage } from "../../../src/core/nav/ais-messages.ts";

/** Members of a message without its number. */
type Members<One extends Definition> = Omit<Message<One>, "pgn">;

const over =
  <One extends Definition>(definition: One) =>
  (members: Members<One>): Message<One> => {
    const bytes = encoderOf(definition)({ pgn: definition.pgn, ...members } as Message<One>);
    return decoderOf(definition)(bytes, 0, bytes.length, 0);
  };

/**
 * Each says what it is given and nothing else. Their types hold that every message of these PGNs is an `AisMessage`.
 */
export const classA: (members: Members<typeof ais.aisClassAPositionReport>) => AisMessage = over(
  ais.aisClassAPositionReport,
);
export const classB: (members: Members<typeof ais.aisClassBPositionReport>) => AisMessage = over(
  ais.aisClassBPositionReport,
);
export const classBExtended: (members: Members<typeof ais.aisClassBExtendedPositionReport>) => AisMessage = over(
  ais.aisClassBExtendedPositionReport,
);
export const aid: (members: Members<typeof ais.aisAidsToNavigationReport>) => AisMessage = over(
  ais.aisAidsToNavigationReport,
);
export const utc: (members: Members<typeof ais.aisUtcAndDateReport>) => AisMessage = over(ais.aisUtcAndDateReport);
export const classAStatic: (members: Members<typeof ais.aisClassAStaticAndVoyageData>) => AisMessage = over(
  ais.aisClassAStaticAndVoyageData,
);
export const aircraft: (members: Members<typeof ais.aisSarAircraftPositionReport>) => AisMessage = over(
  ais.aisSarAircraftPositionReport,
);
export const classBStaticA: (members: Members<typeof ais.aisClassBStaticDataPartA>) => AisMessage = over(
  ais.aisClassBStaticDataPartA,
);
export const classBStaticB: (members: Members<typeof ais.aisClassBStaticDataPartB>) => AisMessage = over(
  ais.aisClassBStaticDataPartB,
);
