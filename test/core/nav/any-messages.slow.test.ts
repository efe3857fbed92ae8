import fc from "fast-check";
import { expect, test } from "vitest";
import { Devices } from "../../../src/core/nav/devices.ts";
import { createNavigatorReaders, type NavigatorMessage } from "../../../src/core/nav/messages.ts";
import {
  type NavigationData,
  type NavigationReport,
  navigationReport,
} from "../../../src/core/nav/navigation-report.ts";
import { Navigator } from "../../../src/core/nav/navigator.ts";
import { navigationSettings } from "../../../src/core/nav/settings.ts";
import { writerOf } from "../../../src/core/report/write.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";
import { begin, coordinates, course, fix, gyro, log, magnetic, variation, wind } from "./boat.ts";

const navigationJson = textOf(writerOf(navigationReport));

const readers = createNavigatorReaders();

const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100);
const direction = fc.integer({ min: 0, max: 360_000 }).map((value) => value / 1000);
const latitude = fc.integer({ min: -9e8, max: 9e8 }).map((value) => value / 1e7);
const longitude = fc.integer({ min: -18e8, max: 18e8 }).map((value) => value / 1e7);
const signed = fc.integer({ min: -180_000, max: 180_000 }).map((value) => value / 1000);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 4 });

/** Leaves out what is not available, as decoders do. */
const said = (message: object): NavigatorMessage =>
  Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)) as unknown as NavigatorMessage;

/** Messages as devices send them, some of their fields not available. */
const likely: fc.Arbitrary<NavigatorMessage> = fc.oneof(
  fc
    .tuple(maybe(latitude), maybe(longitude), maybe(fc.integer({ min: 0, max: 13 })))
    .map(([lat, lon, method]) => said({ ...fix(0, 0), latitude: lat, longitude: lon, method })),
  fc.tuple(latitude, longitude).map((at) => coordinates(...at)),
  fc.tuple(direction, hundredths(60), fc.constantFrom("True" as const, "Magnetic" as const)).map((at) => course(...at)),
  fc
    .tuple(direction, maybe(signed), maybe(signed))
    .map(([heading, deviationDeg, variationDeg]) => said({ ...magnetic(heading), deviationDeg, variationDeg })),
  direction.map((heading) => gyro(heading)),
  hundredths(60).map(log),
  fc.tuple(fc.integer({ min: 0, max: 5 }), hundredths(99), direction).map((blow) => wind(...blow)),
  fc.tuple(signed, fc.integer({ min: 0, max: 13 })).map((one) => variation(...one)),
  maybe(hundredths(500)).map((depthM) => said({ pgn: 128267, depthM })),
  fc.integer({ min: 0, max: 65_532 }).map((date) => ({ pgn: 126992, date, time: 86_400.5 }) as const),
);

/** Any bytes under any PGN, read as the bridge would. */
const anyBytes: fc.Arbitrary<NavigatorMessage> = fc
  .tuple(fc.constantFrom(...readers.keys()), fc.uint8Array({ maxLength: 60 }))
  .map(([pgn, bytes]) => readers.get(pgn)!(bytes, 0, bytes.length, 1));

interface Step {
  readonly message: NavigatorMessage;
  readonly address: number;
  readonly name: bigint | undefined;
  readonly wait: number;
  readonly wallJump: number;
  readonly entry: unknown;
}

const step: fc.Arbitrary<Step> = fc.record({
  message: fc.oneof({ weight: 3, arbitrary: likely }, anyBytes),
  address: fc.integer({ min: 0, max: 4 }),
  name: maybe(fc.bigInt({ min: 0n, max: 5n })),
  wait: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 900 }) }, fc.integer({ min: 0, max: 20_000 })),
  wallJump: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: -1e9, max: 1e9 })),
  entry: fc.oneof(
    { weight: 19, arbitrary: fc.constant(undefined) },
    fc.record({
      windDamping: fc.integer({ min: 0, max: 5 }),
      friendlyNames: fc.constant({ "1": "Één" }),
      priority: fc.constant({ wind: ["1"], position: ["2", "Één"], speed: ["5"] }),
    }),
  ),
});

interface Told {
  readonly text: string;
  readonly report: NavigationReport;
  readonly now: number;
}

/** A report behind each step, and one after a silence at the end. */
function tell(steps: readonly Step[]): Told[] {
  const devices = new Devices();
  const navigator = new Navigator({
    modelOf: () => "Modèle",
    notBefore: 2000 * 86_400_000,
  });
  const told: Told[] = [];
  const report = (now: number, wall: number): void => {
    const text = navigationJson(navigator.report(now, wall));
    told.push({ text, report: JSON.parse(text), now });
  };
  let now = 0;
  let wall = begin;
  for (const { message, address, name, wait, wallJump, entry } of steps) {
    now += wait;
    wall += wait + wallJump;
    if (entry !== undefined) navigator.configure(navigationSettings.read(entry).settings);
    navigator.hear(message, { device: devices.at(address, name, now), arrived: now, received: wall });
    const time = navigator.timeOnBus(now);
    if (time !== undefined) expect(time).toBeGreaterThanOrEqual(2000 * 86_400_000);
    navigator.receivers(now);
    report(now, wall);
  }
  report(now + 2500, wall);
  return told;
}

const sequence = fc.array(step, { minLength: 1, maxLength: 60 });

const seconds: Readonly<Record<keyof NavigationData, number>> = {
  position: 3,
  speed_course: 3,
  wind_apparent: 3,
  wind_true: 3,
  wind: 3,
  depth_water: 15,
  date: 5,
};

test("no source is older than its limit", () => {
  fc.assert(
    fc.property(sequence, (steps) => {
      for (const { report } of tell(steps)) {
        for (const [group, limit] of Object.entries(seconds)) {
          const source = report.data[group as keyof NavigationData]?.source;
          if (source === undefined) continue;
          const isDepth = group === "depth_water" && source.pgn === 128267;
          expect(source.age).toBeLessThanOrEqual(isDepth ? 5 : limit);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test("a speed or depth that is told was the last one of some device, within its limit", () => {
  // Without NAMEs a device is its address, so that the last message of each device is known.
  const nameless = sequence.map((steps) => steps.map((one) => ({ ...one, name: undefined })));
  fc.assert(
    fc.property(nameless, (steps) => {
      const speeds = new Map<number, { readonly value: number; readonly at: number }>();
      const depths = new Map<number, { readonly value: number; readonly at: number }>();
      let at = 0;
      tell(steps).forEach(({ report, now }, index) => {
        const { message, address = 0, wait = 0 }: Partial<Step> = steps[index] ?? {};
        at += wait;
        // A message without a value does not unsay the last one.
        if (message?.pgn === 128259 && message.speedWaterKnots !== undefined)
          speeds.set(address, { value: message.speedWaterKnots, at });
        if (message?.pgn === 128267 && message.depthM !== undefined) depths.set(address, { value: message.depthM, at });
        const isCurrent = (value: number, heard: typeof speeds, limit: number): boolean =>
          [...heard.values()].some((one) => Math.round(one.value * 100) / 100 === value && now - one.at <= limit);
        const speed = report.data.speed_course?.speedThroughWater;
        const depth = report.data.depth_water?.depth;
        if (speed !== undefined) expect(isCurrent(speed, speeds, 3000)).toBe(true);
        if (depth !== undefined) expect(isCurrent(depth, depths, 5000)).toBe(true);
      });
    }),
    { numRuns: 200 },
  );
});

test("angles are in their ranges, coordinates come in pairs, and an apparent wind never comes without a true one", () => {
  const isDirection = (value: number | null | undefined): boolean => value == null || (value >= 0 && value < 360);
  const isOffTheBow = (value: number | null | undefined): boolean => value == null || (value > -180 && value <= 180);
  fc.assert(
    fc.property(sequence, (steps) => {
      for (const { report } of tell(steps)) {
        const { position, speed_course, wind_apparent, wind_true } = report.data;
        expect(
          [speed_course?.cog, speed_course?.headingTrue, speed_course?.headingMagnetic, wind_true?.direction].every(
            isDirection,
          ),
        ).toBe(true);
        expect(
          [wind_apparent?.angle, wind_true?.angle, speed_course?.variation, speed_course?.deviation].every(isOffTheBow),
        ).toBe(true);
        expect(position?.latitude === undefined).toBe(position?.longitude === undefined);
        if (position?.method === 0) expect(position.latitude).toBeUndefined();
        if (wind_apparent !== undefined) expect(wind_true).toBeDefined();
        if (wind_true?.computed) expect(wind_true.source).toEqual(wind_apparent?.source);
      }
    }),
    { numRuns: 200 },
  );
});
