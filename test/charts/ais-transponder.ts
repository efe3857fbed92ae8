/** The boat that has an AIS transponder with NMEA 0183 and nothing else (`ais-transponder.mjs`), for programs of others. */
import { resolve } from "node:path";
import { VdmEncoder } from "../../src/formats/nmea0183/vdm.ts";

export const transponder = { latitude: 53.305, longitude: 3.615, sogKnots: 5.4 } as const;

const encoder = new VdmEncoder();
const POSITION_REPORT = 129038;

/** Four ships around the boat, five to seven kilometres off. */
const sentences = [
  [0.05, 0.05],
  [0.05, -0.05],
  [-0.05, 0.05],
  [-0.05, -0.05],
].map(([north, east], index) =>
  encoder.encode(
    POSITION_REPORT,
    {
      ...{
        messageId: "Scheduled Class A position report",
        mmsi: 244_000_001 + index,
        transceiver: "Channel A VDL reception",
      },
      ...{ latitude: transponder.latitude + north!, longitude: transponder.longitude + east! },
      ...{ cogDeg: 90, sogMs: 4, headingDeg: 90 },
    },
    0,
  ),
);

/** The arguments of Node that start it at a port. */
export const transponderAt = (port: number): readonly string[] => [
  resolve("test/charts/ais-transponder.mjs"),
  String(port),
  JSON.stringify(sentences),
];
