import fc from "fast-check";
import { expect, test } from "vitest";
import { helpText, optionTable, parseOptions } from "../../src/daemons/program/options.ts";

const table = optionTable({
  usage: "Usage: boat [OPTION]...",
  column: 20,
  options: [
    { short: "o", long: "open", help: "open it" },
    { short: "v", long: "verbose", help: "say more" },
    { short: "i", long: "interface", value: "IF" },
    { long: "speed", value: "N", help: "which, how fast" },
    { short: "p", long: "port", value: "N", help: "which port" },
  ],
});

const given = (...args: string[]): string[] => {
  const { given: list, operands, problem } = parseOptions(table, args);
  return [
    ...list.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
    ...(operands.length > 0 ? [`operands ${operands.join(" ")}`] : []),
    ...(problem ? [`${problem.option} ${problem.kind}`] : []),
  ];
};

test.each([
  ["", ""],
  ["-o -v", "open, verbose"],
  ["-ov", "open, verbose"],
  ["-vvo", "verbose, verbose, open"],
  ["-ican0", "interface=can0"],
  ["-i can0", "interface=can0"],
  ["-ovican0", "open, verbose, interface=can0"],
  ["-ovi can0", "open, verbose, interface=can0"],
  ["-iov", "interface=ov"],
  ["-i=can0", "interface==can0"],
  ["-i -o", "interface=-o"],
  ["--interface can0", "interface=can0"],
  ["--interface=can0", "interface=can0"],
  ["--interface=", "interface="],
  ["--interface=a=b", "interface=a=b"],
  ["--interface -- -o", "interface=--, open"],
  ["-o -- -v", "open, operands -v"],
  ["-o boat -v", "open, operands boat -v"],
  ["-o - -v", "open, operands - -v"],
  ["-p -1", "port=-1"],
  ["-ox -v", "open, -x unknown"],
  ["--inter=can0", "--inter unknown"],
  ["--x=1", "--x unknown"],
  ["--open=1", "--open takes no value"],
  ["-o -i", "open, -i needs a value"],
  ["--speed", "--speed needs a value"],
  ["---", "--- unknown"],
])("parseOptions reads %j", (args, expected) => {
  expect(given(...args.split(" ").filter(Boolean)).join(", ")).toBe(expected);
});

test("every spelling of an option and its value means the same", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (value) => {
      const expected = [`interface=${value}`];
      for (const args of [["-i", value], [`-i${value}`], ["--interface", value], [`--interface=${value}`]]) {
        expect(given(...args)).toEqual(expected);
      }
    }),
  );
});

test("helpText lines up, and joins options without help to the next", () => {
  expect(helpText(table)).toBe(
    [
      "Usage: boat [OPTION]...",
      "  -o, --open        open it",
      "  -v, --verbose     say more",
      "  -i, --interface IF, --speed N   which, how fast",
      "  -p, --port N      which port",
      "",
    ].join("\n"),
  );
});
