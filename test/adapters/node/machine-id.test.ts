import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { uniqueNumber } from "../../../src/adapters/node/machine-id.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("machine");

const machine = (id: string): string => {
  const path = join(folder, "machine-id");
  writeFileSync(path, id);
  return path;
};

test("uniqueNumber is the machine's and the interface's own, the same every time", () => {
  const first = uniqueNumber("can0", machine("0123456789abcdef0123456789abcdef\n"));
  expect(uniqueNumber("can0", machine("0123456789abcdef0123456789abcdef"))).toBe(first);
  expect(uniqueNumber("can1", machine("0123456789abcdef0123456789abcdef"))).not.toBe(first);
  expect(uniqueNumber("can0", machine("0123456789abcdef0123456789abcde0"))).not.toBe(first);
});

test("uniqueNumber has 21 bits, all of them in use", () => {
  const numbers = Array.from({ length: 200 }, (_, index) => uniqueNumber(`can${index}`, machine("0123")));
  expect(numbers.every((number) => number >= 0 && number < 2 ** 21)).toBe(true);
  expect(numbers.reduce((bits, number) => bits | number, 0)).toBe(2 ** 21 - 1);
});

test("uniqueNumber makes do with the host's name where there is no machine id", () => {
  const absent = uniqueNumber("can0", join(folder, "absent"));
  expect(uniqueNumber("can0", machine("\n"))).toBe(absent);
});
