/** Alarms about hub itself: data that alarms need and no longer get, and the disk of the computer. */
import { type Sentence, sentence } from "../../text/sentence.ts";
import type { Severity } from "../constants.ts";
import { ALL_CLEAR, below, one, type Reading } from "../reading.ts";
import type { NeededData } from "../situation.ts";
import { alarm, isAtBerth, limit } from "./hazard.ts";

/**
 * Data that alarms need, and what is said of their loss. Engines and batteries are not among them, because their devices
 * are switched off with them.
 */
const neededData = {
  depth: ["alarm", sentence`depth is not watched any more: no usable value is received`],
  course: ["alarm", sentence`course is not watched any more: no usable value is received`],
  ships: ["alarm", sentence`ships are not watched any more: the AIS device is silent`],
  wind: ["warning", sentence`wind is not watched any more: no usable value is received`],
} as const satisfies Readonly<Record<NeededData, readonly [Severity, Sentence]>>;
/** Collisions are watched further, with a motion that is less exact. */
const computedCourse = [
  "warning",
  sentence`no receiver reports course and speed any more: positions tell them`,
] as const;

const BYTES_PER_MEGABYTE = 1_000_000;

export const systemHazards = {
  network: alarm({
    title: "Network silent",
    severity: "alarm",
    delay: 10,
    isQuiet: isAtBerth,
    readings: ({ isSilent }) =>
      isSilent === undefined
        ? []
        : [
            {
              sentences: isSilent ? [sentence`no device is heard`, sentence`nothing is watched`] : undefined,
              zone: isSilent ? "beyond" : "within",
            },
          ],
  }),
  dataLost: alarm({
    title: "No longer watched",
    severity: "each",
    delay: 30,
    isQuiet: isAtBerth,
    readings: ({ lost, isSilent, navigation }) => {
      // A network that is silent is an alarm of its own.
      if (isSilent !== false) return [];
      return [...lost].map(([key, isLost]): Reading => {
        const isComputed = key === "course" && navigation.speed_course?.computed === true;
        const [severity, told] = isComputed ? computedCourse : neededData[key];
        return { key, severity, sentences: [told], zone: isLost ? "beyond" : "within" };
      });
    },
  }),
  fault: alarm({
    title: "Fault of hub",
    severity: "warning",
    delay: 0,
    readings: ({ faultyParts, rival }) => [
      faultyParts.length === 0
        ? ALL_CLEAR
        : { sentences: [sentence`${faultyParts.join(", ")}: failed, the rest goes on`], zone: "beyond" },
      rival === undefined
        ? { ...ALL_CLEAR, key: "rival" }
        : {
            key: "rival",
            sentences: [sentence`two programs are ${rival} at the broker and displace one another`],
            zone: "beyond",
          },
    ],
  }),
  disk: alarm({
    title: "Disk full",
    severity: "warning",
    unit: "MB",
    delay: 60,
    settings: { limit: limit(200, [1, 1_000_000], "MB", { below: "free space of a disk" }) },
    readings: ({ disk }, { limit }) =>
      one(disk && disk.freeBytes / BYTES_PER_MEGABYTE, (value) => ({
        limit,
        sentences: [
          sentence`free on the disk of ${disk!.path}: no configuration, recording or history is saved when it is full`,
        ],
        zone: below(value, limit, limit / 10),
      })),
  }),
};
