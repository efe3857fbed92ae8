/** The load of the bus, and the devices that cause it. */

import { sentence } from "../../text/sentence.ts";
import type { Bus } from "../bus.ts";
import { about, type Kind, kind, type Reading, when } from "../finding.ts";

const HIGH = 60;
const OVERLOAD = 80;
/** Requests of one device in a minute. */
const MANY_REQUESTS = 120;

const reading = ({ load, nameOf }: Bus): Reading => {
  const senders = load!.shares.slice(0, 3).map(({ device, percent }) => `${nameOf(device)} ${percent.toFixed(0)} %`);
  return {
    measured: sentence`The bus is busy for ${Math.round(load!.percent)} % of the time; most of it is by ${senders.join(", ")}`,
    weight: load!.percent,
  };
};

export const loadKinds = {
  overload: kind({
    title: "Bus overloaded",
    severity: "fault",
    reads: "all packets",
    raised: `the load is above ${OVERLOAD} %`,
    after: 20,
    advice:
      "Messages of low priority come late or not at all: switch off messages of the devices named, or split the bus.",
    readings: (bus) => when((bus.load?.percent ?? 0) > OVERLOAD, () => reading(bus)),
  }),
  load: kind({
    title: "High load",
    severity: "warning",
    reads: "all packets",
    raised: `the load is above ${HIGH} % and not above ${OVERLOAD} %`,
    after: 30,
    advice: "Reduce the rate of messages of the devices named before you add another device.",
    readings: (bus) => {
      const percent = bus.load?.percent ?? 0;
      return when(percent > HIGH && percent <= OVERLOAD, () => reading(bus));
    },
  }),
  requestStorm: kind({
    title: "Requests without end",
    severity: "warning",
    reads: "PGN 59904 by sender",
    raised: `a device sends more than ${MANY_REQUESTS} requests in a minute`,
    after: 30,
    advice: "Restart the device; if it goes on, ask its manufacturer for newer software.",
    readings: ({ devices, nameOf, now }) =>
      devices.flatMap((device) => {
        const { count, from, to } = device.requests.recent(now);
        return when(count > MANY_REQUESTS, () => ({
          ...about(device),
          pgn: 59904,
          measured: sentence`${nameOf(device)} has sent ${count} {2:request|requests} in a minute`,
          from,
          to,
          weight: count,
        }));
      }),
  }),
} as const satisfies Readonly<Record<string, Kind>>;
