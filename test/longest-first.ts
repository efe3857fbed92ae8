/**
 * The order of test files: those that take long first and the short ones last, so that no long one runs alone at the
 * end. Files that compute all the time (guests, compilers, emulated processors) stand between those that mostly wait
 * (pages, containers, fleets), so that both kinds run beside one another.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const long = [
  "bus/guest.test.ts",
  // Builds the packages that other files install.
  "packaging/packages.test.ts",
  "display/memory.test.ts",
  "display/malformed.test.ts",
  "packaging/boat.test.ts",
  "fleet/fleet.test.ts",
  "display/slow-link.test.ts",
  "bus/guest-arm64.test.ts",
  "display/display.test.ts",
  "bus/guest-vcan.test.ts",
  "display/truth.test.ts",
  "packaging/emulated.test.ts",
  "display/layout.test.ts",
  "packaging/clone.test.ts",
  "daemons/wrong-clock.test.ts",
  "bus/armhf/addon.test.ts",
  "docs/site.test.ts",
  "security/commands.test.ts",
  "packaging/image.test.ts",
  "packaging/source-package.test.ts",
  "charts/web-apps.test.ts",
  "native/sanitizers.test.ts",
  "display/boat-page.test.ts",
  "packaging/bus.test.ts",
  "daemons/hub-cand-soak.test.ts",
  "display/names.test.ts",
  "charts/opencpn.test.ts",
  "fuzz/fuzz.test.ts",
  "packaging/upgrade.test.ts",
  "deno/deno.test.ts",
  "daemons/hub-configd-lasting.test.ts",
  "daemons/hub-config-backup.test.ts",
  "daemons/hub-configd-soak.test.ts",
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
