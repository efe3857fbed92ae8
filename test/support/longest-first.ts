/**
 * The order of test files: those that take long first and the short ones last, so that no long one runs alone at the
 * end. Files that compute all the time (guests, compilers, emulated processors) stand between those that mostly wait
 * (pages, containers, fleets), so that both kinds run beside one another.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const long = [
  "bus/guest.test.ts",
  // Builds the packages that other files install.
  "packaging/packages.slow.test.ts",
  "packaging/boat.slow.test.ts",
  "web/display/display.slow.test.ts",
  "bus/guest-vcan.test.ts",
  "web/display/truth.slow.test.ts",
  "web/display/layout.slow.test.ts",
  "bus/armhf/addon.test.ts",
  "web/docs/site.slow.test.ts",
  "security/commands.slow.test.ts",
  "native/sanitizers.slow.test.ts",
  "web/display/boat-page.slow.test.ts",
  "packaging/bus.slow.test.ts",
  "web/display/names.slow.test.ts",
  "deno/deno.slow.test.ts",
  "services/bridge/parts.slow.test.ts",
  "daemons/hub-config-backup.slow.test.ts",
];

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = long.findIndex((name) => moduleId.endsWith(`/test/${name}`));
  if (rank !== -1) return rank;
  // Together, because a process goes on to the next file only where that one may share it too.
  return project.config.isolate ? long.length : long.length + 1;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
