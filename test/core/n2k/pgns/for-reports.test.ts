import { expect, test } from "vitest";
import { decoderOf } from "../../../../src/core/n2k/decode.ts";
import {
  gnssPositionForReports,
  magneticVariationForReports,
  windDataForReports,
} from "../../../../src/core/n2k/pgns/for-reports.ts";
import { gnssPositionData } from "../../../../src/core/n2k/pgns/gnss.ts";

/** The payload of hexadecimal digits, read. */
const read = (definition: Parameters<typeof decoderOf>[0], hex: string): Record<string, unknown> => {
  const bytes = Uint8Array.from(hex.replaceAll(" ", "").match(/../g)!, (digits) => Number.parseInt(digits, 16));
  return decoderOf(definition)(bytes, 0, bytes.length, 5);
};

// SID, days, time, latitude 52, longitude 4, altitude 2.5 m, type and method, integrity with reserved bits, satellites,
// HDOP, PDOP, geoidal separation 45.25 m, reference stations.
const position = "07 2a51 80c7ae11 0000c84f546f37 07 00000c6a91ed38 00 a025260000000000 12 fe 0b 5000 6e00 ad110000 00";

test("gnssPositionForReports reads integrity and geoidal separation, and all else as the published message", () => {
  const published = read(gnssPositionData, position);
  expect(published).not.toHaveProperty("integrity");
  expect(read(gnssPositionForReports, position)).toEqual({ ...published, integrity: 2, geoidalSeparation: 45.25 });
});

test("all four codes of integrity are values", () => {
  const integrities = ["fc", "fd", "fe", "ff"].map(
    (byte) => read(gnssPositionForReports, position.replace(" fe ", ` ${byte} `)).integrity,
  );
  expect(integrities).toEqual([0, 1, 2, 3]);
});

test("gnssPositionForReports leaves out what a short payload does not have", () => {
  const short = read(gnssPositionForReports, position.slice(0, position.indexOf("ad11")));
  expect(short).toMatchObject({ pdop: 1.1 });
  expect(short).not.toHaveProperty("geoidalSeparation");
});

test.each([
  ["f0", 0],
  ["f8", 8],
  ["f9", 9],
  ["ff", undefined],
])("magneticVariationForReports reads the source %s as the code %s", (byte, source) => {
  expect(read(magneticVariationForReports, `07 ${byte} ffff a002 ffff`)).toEqual({
    pgn: 127258,
    sequenceId: 7,
    ...(source === undefined ? {} : { source }),
    variation: 3.85,
  });
});

test("windDataForReports reads the reference as its code", () => {
  expect(read(windDataForReports, "07 f401 7a1e fa ffff")).toMatchObject({ windSpeedKnots: 9.72, reference: 2 });
  expect(read(windDataForReports, "07 f401 7a1e ff ffff")).not.toHaveProperty("reference");
});
