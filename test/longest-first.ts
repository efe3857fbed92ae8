/**
 * The order of test files: those that take minutes first and the short ones last, so that no long one runs alone at the end.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest first. */
const long = [
  "bus/guest-load.test.ts",
  "bus/guest.test.ts",
  "bus/guest-arm64.test.ts",
  "bus/guest-vcan.test.ts",
  "packaging/boat.test.ts",
  "packaging/packages.test.ts",
  "packaging/bus.test.ts",
  "display/display.test.ts",
  "fuzz/fuzz.test.ts",
  "packaging/emulated.test.ts",
  "bus/armhf/addon.test.ts",
  "docs/site.test.ts",
  "daemons/hub-configd-soak.test.ts",
  "daemons/hub-cand-soak.test.ts",
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = long.findIndex((name) => moduleId.endsWith(`/test/${name}`));
  return rank === -1 ? long.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
