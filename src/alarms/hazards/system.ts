/** hub's own eyes: what an alarm needs and does not get any more. */
import { alarm, isMoored, type Reading } from "./hazard.ts";

export const systemHazards = {
  network: alarm(
    10,
    {},
    {
      title: "Network silent",
      severity: "alarm",
      isQuiet: isMoored,
      readings: ({ isSilent }) =>
        isSilent === undefined
          ? []
          : [
              {
                text: isSilent ? "no device is heard, nothing is watched" : undefined,
                zone: isSilent ? "beyond" : "within",
              },
            ],
    },
  ),
  dataLost: alarm(
    30,
    {},
    {
      title: "No longer watched",
      severity: "alarm",
      isQuiet: isMoored,
      readings: ({ lost, isSilent }) => {
        // A network that is silent is an alarm of its own.
        if (isSilent !== false) return [];
        return [...lost].map(
          ([key, isLost]): Reading => ({
            key,
            text: `${key} is not watched any more: no device sends it`,
            zone: isLost ? "beyond" : "within",
          }),
        );
      },
    },
  ),
};
