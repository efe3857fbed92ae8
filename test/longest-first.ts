/**
 * The order of test files: those that take minutes first and the short ones last, so that no long one runs alone at the
 * end.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The longest first. */
const long = [
  "bus/guest-load.test.ts",
  "bus/guest.test.ts",
  "bus/guest-arm64.test.ts",
  "bus/guest-vcan.test.ts",
  // Builds the packages that the files after it install.
  "packaging/packages.test.ts",
  "packaging/clone.test.ts",
  "packaging/source-package.test.ts",
  "fuzz/fuzz.test.ts",
  "display/display.test.ts",
  "display/memory.test.ts",
  "display/malformed.test.ts",
  "packaging/boat.test.ts",
  "packaging/bus.test.ts",
  "packaging/upgrade.test.ts",
  "charts/opencpn.test.ts",
  "display/truth.test.ts",
  "daemons/hub-cand-soak.test.ts",
  "display/layout.test.ts",
  "packaging/emulated.test.ts",
  "fleet/fleet.test.ts",
  "display/slow-link.test.ts",
  "security/commands.test.ts",
  "daemons/wrong-clock.test.ts",
  "packaging/image.test.ts",
  "display/boat-page.test.ts",
  "display/names.test.ts",
  "charts/web-apps.test.ts",
  "docs/site.test.ts",
  "bus/armhf/addon.test.ts",
  "native/sanitizers.test.ts",
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
