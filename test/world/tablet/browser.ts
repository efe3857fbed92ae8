/** What a page finds in a browser: clocks, timers, storage and sound of a tablet in a world. */
import { build, type Plugin } from "esbuild";
import * as sharedReading from "../shared-reading.ts";
import type { ProgramClock } from "../virtual-clock.ts";
import type { ConnectToWorld, TabletPage } from "./tablet-page.ts";

/** Names that the page does not take from Node.js. */
const names = [
  ...["performance", "Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame"],
  ...[
    "localStorage",
    "location",
    "document",
    "navigator",
    "addEventListener",
    "fetch",
    "AudioContext",
    "crypto",
    "connectToWorld",
    "sharedReading",
  ],
] as const;
type Names = (typeof names)[number];

export interface Browser {
  /** Its timers end with the page. */
  readonly clock: ProgramClock;
  /** Milliseconds by which its wall clock is ahead of that of the boat. */
  aheadMs(): number;
  /** It outlives the page. */
  readonly storage: Map<string, string>;
  readonly onTone: () => void;
  readonly connectToWorld: ConnectToWorld;
}

const partsOfWorld: Plugin = {
  name: "parts of the world",
  setup({ onResolve, onLoad }) {
    const path = `${process.cwd()}/test/world/tablet/page/broker.ts`;
    onResolve({ filter: /^\.\/broker\.ts$/ }, ({ importer }) =>
      importer.endsWith("/connection.ts") ? { path } : null,
    );
    onLoad({ filter: /\/core\/topics\/(messages|read-message)\.ts$/ }, () => ({
      contents: `export const { ${Object.keys(sharedReading).join(", ")} } = sharedReading;`,
    }));
  },
};

const { outputFiles } = await build({
  ...{ entryPoints: ["test/world/tablet/page/page.ts"], tsconfig: "src/web/display/tsconfig.json", target: "node20" },
  ...{ bundle: true, write: false, format: "iife", globalName: "exported", logLevel: "error" },
  plugins: [partsOfWorld],
});

/** The code of the page as a function, so that the modules of each page are its own. */
const open = new Function(
  "browser",
  `const { ${names.join(", ")} } = browser; ${outputFiles[0]!.text}; return exported.page;`,
) as (browser: Readonly<Record<Names, unknown>>) => TabletPage;

export function openPage({ clock, aheadMs, storage, onTone, connectToWorld }: Browser): TabletPage {
  const begun = clock.monotonic();
  const now = (): number => clock.monotonic() - begun;
  const wall = (): number => clock.wall() + aheadMs();
  const nothing = (): void => {};
  // A page cancels what it has been given: numbers in a browser, functions here.
  const cancel = (cancelTimer: (() => void) | undefined): void => cancelTimer?.();
  const gain = { gain: {}, connect: nothing };
  const tone = { frequency: {}, connect: nothing, start: onTone, stop: nothing };
  return open({
    performance: { now },
    Date: class extends Date {
      constructor(...values: readonly never[]) {
        super(...((values.length === 0 ? [wall()] : values) as [number]));
      }
      static override now(): number {
        return wall();
      }
    },
    setTimeout: (callback: () => void, milliseconds = 0) => clock.after(milliseconds, callback),
    setInterval: (callback: () => void, milliseconds: number) => clock.every(milliseconds, callback),
    ...{ clearTimeout: cancel, clearInterval: cancel },
    requestAnimationFrame: (callback: (now: number) => void) => clock.after(0, () => callback(now())),
    localStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, text: string) => storage.set(key, text),
      removeItem: (key: string) => storage.delete(key),
    },
    // A kiosk may sound without a touch.
    location: new URL("http://hub.local/display/?kiosk"),
    document: { hidden: false, addEventListener: nothing },
    ...{ navigator: {}, addEventListener: nothing, fetch: () => Promise.resolve() },
    AudioContext: class {
      readonly state = "running";
      readonly currentTime = 0;
      readonly createGain = () => gain;
      readonly createOscillator = () => tone;
    },
    // The same seed gives the same names of presses.
    crypto: { getRandomValues: (values: Uint32Array) => values.fill(clock.monotonic()) },
    ...{ connectToWorld, sharedReading },
  });
}
