/** Texts of the failure modes of a parameter (FMI; SAE J1939-73, appendix A); 22 to 30 are not assigned. */
export const FailureMode = {
  0: "data valid but above normal range, most severe",
  1: "data valid but below normal range, most severe",
  2: "data erratic, intermittent or incorrect",
  3: "voltage above normal, or shorted to high source",
  4: "voltage below normal, or shorted to low source",
  5: "current below normal, or open circuit",
  6: "current above normal, or grounded circuit",
  7: "mechanical system not responding, or out of adjustment",
  8: "abnormal frequency, pulse width or period",
  9: "abnormal update rate",
  10: "abnormal rate of change",
  11: "root cause not known",
  12: "bad device or component",
  13: "out of calibration",
  14: "special instructions",
  15: "data valid but above normal range, least severe",
  16: "data valid but above normal range, moderately severe",
  17: "data valid but below normal range, least severe",
  18: "data valid but below normal range, moderately severe",
  19: "received network data in error",
  20: "data drifted high",
  21: "data drifted low",
  31: "condition exists",
} as const;

/** The FMIs of a value that is valid and out of its normal range; the others are about the sensor or its wires. */
export const aboveNormal: ReadonlySet<number> = new Set([0, 15, 16]);
export const belowNormal: ReadonlySet<number> = new Set([1, 17, 18]);
