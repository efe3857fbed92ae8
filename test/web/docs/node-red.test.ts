/** The example of a flow for Node-RED: its topic and member are those of hub, and its function does what is said. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";

interface Node {
  readonly id: string;
  readonly type: string;
  readonly topic?: string;
  readonly func?: string;
  readonly broker?: string;
  readonly z?: string;
  readonly wires?: readonly (readonly string[])[];
}
const flow = JSON.parse(readFileSync("packaging/examples/node-red.json", "utf8")) as readonly Node[];
const ofType = (type: string): Node => flow.find((node) => node.type === type)!;

test("its nodes refer to each other", () => {
  const ids = new Set(flow.map(({ id }) => id));
  for (const { broker, z, wires = [], type } of flow)
    for (const id of [...(type === "mqtt in" ? [broker!] : []), ...(z === undefined ? [] : [z]), ...wires.flat()])
      expect(ids).toContain(id);
});

test("its topic is of a PGN that has the members of its function", () => {
  const [, pgn] = /^can\/can0\/device\/\+\/pgn\/(\d+)$/.exec(ofType("mqtt in").topic!)!;
  const fields = Object.keys(createCatalogue().reader(Number(pgn))!.definition.fields);
  const [, members] = /^const \{ (.+) \} = msg\.payload\.data;/.exec(ofType("function").func!)!;
  for (const member of members!.split(", ")) expect(fields).toContain(member);
});

test("its function tells changes alone", () => {
  const kept = new Map<string, unknown>();
  const context = { get: (key: string) => kept.get(key), set: (key: string, value: unknown) => kept.set(key, value) };
  const run = new Function("msg", "context", ofType("function").func!) as (
    msg: object,
    of: typeof context,
  ) => { payload: string } | null;
  const told = [5, 4, 2.9, 1, undefined, 3, 8].map(
    (depthM) => run({ payload: { data: { pgn: 128267, depthM } } }, context)?.payload,
  );
  expect(told).toEqual(["deep enough: 5 m", undefined, "shallow: 2.9 m", ...Array(2), "deep enough: 3 m", undefined]);
});
