import fc from "fast-check";
import { expect, test } from "vitest";
import { decoderOf } from "../../../src/core/n2k/decode.ts";
import {
  describeName,
  deviceName,
  deviceNameBytes,
  namePartsOf,
  readDeviceName,
} from "../../../src/core/n2k/device-name.ts";
import { isoAddressClaim } from "../../../src/core/n2k/pgns/system.ts";

const NAME = 13_868_994_482_250_310_209n;

test("readDeviceName keeps all digits", () => {
  const bytes = deviceNameBytes(NAME);
  expect(readDeviceName(bytes, 0, 8)).toBe(NAME);
  expect(String(NAME)).toBe("13868994482250310209");
  expect(readDeviceName(bytes, 0, 7)).toBeUndefined();
});

test("describeName gives numbers and words in the document's order", () => {
  const name = deviceName({
    identityNumber: 1_234_567,
    manufacturerCode: 229,
    ecuInstance: 5,
    functionInstance: 3,
    functionCode: 145,
    classCode: 60,
    vehicleSystemInstance: 2,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });
  expect(JSON.stringify(describeName(name))).toBe(
    JSON.stringify({
      identityNumber: 1_234_567,
      manufacturerCode: 229,
      manufacturer: "Garmin",
      ecuInstance: 5,
      functionInstance: 3,
      deviceInstance: 29,
      functionCode: 145,
      functionName: "Ownship Position (GNSS)",
      classCode: 60,
      vehicleSystemInstance: 2,
      industryGroupCode: 4,
      industryGroup: "Marine Industry",
      arbitraryAddressCapable: true,
    }),
  );
});

test("a NAME is its parts and its bytes, as PGN 60928 reads them", () => {
  const read = decoderOf(isoAddressClaim);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (any) => {
      const name = any & ~(1n << 48n);
      const bytes = deviceNameBytes(name);
      expect(readDeviceName(bytes, 0, 8)).toBe(name);
      expect(deviceName(namePartsOf(name))).toBe(name);
      const { pgn: _, ...parts } = read(bytes, 0, 8, 0);
      expect(parts).toEqual(namePartsOf(name));
    }),
  );
});
