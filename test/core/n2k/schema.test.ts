import { expect, test } from "vitest";
import { type Definition, pgn } from "../../../src/core/n2k/definition.ts";
import { describePgn } from "../../../src/core/n2k/describe.ts";
import { fluidLevel } from "../../../src/core/n2k/pgns/electrical.ts";
import { environmentalParametersDeprecated } from "../../../src/core/n2k/pgns/environment.ts";
import { cogSogRapidUpdate } from "../../../src/core/n2k/pgns/gnss.ts";
import { dataSchema, messageSchema } from "../../../src/core/n2k/schema.ts";
import { knots } from "../../../src/core/n2k/units.ts";
import { also, decimal, integer, key } from "../../../src/core/n2k/verbs.ts";
import { u8 } from "../../../src/core/n2k/wire.ts";

const descriptionOf = (definition: Definition, name: string): string | undefined =>
  dataSchema(definition).properties![name]!.description;

test("a unit stands in the description, that of a second unit too", () => {
  expect(descriptionOf(cogSogRapidUpdate, "sogMs")).toBe("unit: m/s");
  expect(descriptionOf(cogSogRapidUpdate, "sogKnots")).toBe("unit: kn");
});

test("a schema says which fields tell streams apart", () => {
  expect(messageSchema(fluidLevel).description).toBe(
    "Messages with different instance, fluidType are separate streams.",
  );
});

test("a deprecated message is marked", () => {
  expect(messageSchema(environmentalParametersDeprecated)).toMatchObject({ deprecated: true });
  expect(messageSchema(fluidLevel)).not.toHaveProperty("deprecated");
});

const beyond = pgn(
  130073,
  "Radius of Turn",
  { routeId: key(integer(u8)), radius: decimal(u8), fast: also("radius", knots) },
  {
    beyondDocument: "message",
    event: true,
  },
);

test("a PGN that the document does not have says so", () => {
  expect(messageSchema(beyond).description).toBe(
    "The document does not have this PGN. Messages with different routeId are separate streams. Every message counts; no rate limit drops one.",
  );
  expect(describePgn(beyond)).toContain(
    "Single frame, 8 bytes. The document does not have this PGN. Key: `routeId`. Every message is an event.",
  );
});
