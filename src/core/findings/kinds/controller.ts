/** The controller, the wires and this computer. */
import type { BusErrorKind } from "../../ports/packet-source.ts";
import { duration, type Sentence, sentence, type Value } from "../../text/sentence.ts";
import type { Bus, GrowingCounter } from "../bus.ts";
import { type Kind, kind, type Reading, when } from "../finding.ts";

/** Errors of one kind in a minute that no device which is plugged in explains. */
const MANY_ERRORS = 20;
const SILENT_MS = 10_000;
const BITRATE = 250_000;

/** A reading of a counter that has grown by more than `least`; `measured` says by how much, in which time. */
const ofGrowth = (
  { growth }: Pick<Bus, "growth">,
  counter: GrowingCounter,
  least: number,
  measured: (count: number, time: Value) => Sentence,
): readonly Reading[] => {
  const count = growth?.of(counter) ?? 0;
  return when(count > least, () => ({
    measured: measured(count, duration(growth!.seconds * 1000)),
    ...growth!.span(counter),
    weight: count,
  }));
};

const again = (name: string): string => `networkctl down ${name} && networkctl up ${name}`;

const busErrors = (errors: BusErrorKind, row: Pick<Kind, "title" | "advice">): Kind =>
  kind({
    ...row,
    severity: "warning",
    reads: "error frames of the controller",
    raised: `more than ${MANY_ERRORS} ${errors} errors in a minute`,
    after: 5,
    readings: (bus) =>
      ofGrowth(
        bus,
        errors,
        MANY_ERRORS,
        (count, time) => sentence`The controller has seen ${count} such errors in ${time}`,
      ),
  });

export const controllerKinds = {
  busOff: kind({
    title: "Controller off the bus",
    severity: "fault",
    reads: "state of the controller",
    raised: "the state is BUS-OFF",
    after: 0,
    advice:
      "Check that the bit rate is 250 kbit/s, that CAN-H and CAN-L are not swapped or shorted, and that the bus has power and two terminators.",
    readings: ({ interface: status }) =>
      when(status?.state === "BUS-OFF", () => ({
        measured:
          status!.config !== undefined && !status!.config.restart_ms
            ? sentence`The state is BUS-OFF, until the interface is set down and up again (${again(status!.interface)}), or plugged in anew`
            : sentence`The state is BUS-OFF`,
      })),
  }),
  errorPassive: kind({
    title: "Many errors on the bus",
    severity: "warning",
    reads: "state of the controller",
    raised: "the state is ERROR-PASSIVE",
    after: 5,
    advice:
      "Check plugs, drop cables and the two terminators: between CAN-H and CAN-L of a bus without power are 60 ohms.",
    readings: ({ interface: status }) =>
      when(status?.state === "ERROR-PASSIVE", () => ({ measured: sentence`The state is ERROR-PASSIVE` })),
  }),
  errorsClimb: kind({
    title: "Errors climb",
    severity: "warning",
    reads: "error counters of the interface, or of the gateway",
    raised: "more than 20 errors in a minute, or a receive or transmit error counter above 95",
    after: 10,
    advice: "Unplug devices one after the other: the errors end with the one that makes them, or with its cable.",
    readings: (bus) => {
      const { receiveErrorCounter: receive = 0, transmitErrorCounter: transmit = 0 } = bus.interface?.gateway ?? {};
      return [
        ...ofGrowth(
          bus,
          "controllerErrors",
          MANY_ERRORS,
          (count, time) => sentence`The interface has counted ${count} {1:error|errors} in ${time}`,
        ),
        ...when(Math.max(receive, transmit) >= 96, () => ({
          key: "gateway",
          measured: sentence`The error counters of the gateway are ${receive} (receive) and ${transmit} (transmit)`,
          weight: Math.max(receive, transmit),
        })),
      ];
    },
  }),
  restarts: kind({
    title: "Controller restarts",
    severity: "warning",
    reads: "counters of the interface",
    raised: "the controller has restarted after BUS-OFF in the last minute",
    after: 0,
    advice:
      "Something drives the bus into errors again and again: look for a loose plug, a missing terminator, a wrong bit rate.",
    readings: (bus) =>
      ofGrowth(
        bus,
        "restarts",
        0,
        (count, time) => sentence`The controller has restarted ${count} {1:time|times} in ${time}`,
      ),
  }),
  bitErrors: busErrors("bit", {
    title: "Bit errors",
    advice:
      "Another device sends at the same time with the same identifier, or CAN-H and CAN-L are shorted: look for two devices of one address, then for damaged cables.",
  }),
  formErrors: busErrors("form", {
    title: "Form errors",
    advice:
      "A device sends at another bit rate, or a terminator is missing: check the device plugged in last, then both terminators.",
  }),
  stuffErrors: busErrors("stuff", {
    title: "Stuff errors",
    advice:
      "Edges are reflected or disturbed: check both terminators, drop cables longer than 6 m, and cables beside the engine or the radio.",
  }),
  checksumErrors: busErrors("checksum", {
    title: "Checksum errors",
    advice:
      "Bits are disturbed on their way: check the shield, which is grounded at one place alone, and the supply of the bus.",
  }),
  notAcknowledged: busErrors("acknowledge", {
    title: "Nothing answers on the bus",
    advice: "This computer is alone: check its plug and drop cable, the power of the bus, and the bit rate.",
  }),
  silent: kind({
    title: "Nothing is heard",
    severity: "fault",
    reads: "packets, state of the interface",
    raised: "the interface is up, and nothing was heard for 10 seconds",
    after: 10,
    endsAfter: 0,
    advice: "Check the power of the bus, the plug of this computer, and that the bit rate is 250 kbit/s.",
    readings: ({ interface: status, heardAt, startedAt, now }) =>
      when(status?.up === true && now - (heardAt ?? startedAt) > SILENT_MS, () => ({
        measured:
          heardAt === undefined
            ? sentence`Nothing was heard yet`
            : sentence`The last message was heard ${duration(now - heardAt)} ago`,
        from: heardAt ?? startedAt,
      })),
  }),
  interfaceDown: kind({
    title: "Interface down",
    severity: "fault",
    reads: "state of the interface, or of the gateway",
    raised: "the interface is not up, or the gateway not connected",
    after: 5,
    endsAfter: 0,
    advice:
      "Switch the interface on (ip link set can0 up), or look for the gateway: its power, its address, its network.",
    readings: ({ interface: status }) =>
      when(status?.up === false, () => ({
        measured:
          status!.gateway === undefined
            ? sentence`The interface is down`
            : status!.gateway.reason === undefined
              ? sentence`The gateway is not connected`
              : sentence`${status!.gateway.reason}`,
      })),
  }),
  bitRate: kind({
    title: "Wrong bit rate",
    severity: "fault",
    reads: "setup of the controller",
    raised: "the bit rate is not 250 kbit/s",
    after: 0,
    endsAfter: 0,
    advice: "Set the bit rate of the interface to 250000; with another one this computer disturbs all devices.",
    readings: ({ interface: status }) =>
      when(status?.up === true && (status.config?.bitrate ?? BITRATE) !== BITRATE, () => ({
        measured: sentence`The bit rate is ${status!.config!.bitrate ?? 0}`,
      })),
  }),
  noRestart: kind({
    title: "No restart after errors",
    severity: "information",
    reads: "setup of the controller",
    raised: "restart-ms is 0",
    after: 0,
    endsAfter: 0,
    advice: "Set restart-ms of the interface to 100, so that it comes back by itself after too many errors.",
    readings: ({ interface: status }) =>
      when(status?.up === true && status.config?.restart_ms === 0, () => ({
        measured: sentence`The controller stays off the bus after BUS-OFF`,
      })),
  }),
  framesLost: kind({
    title: "This computer loses frames",
    severity: "warning",
    reads: "counters of the source",
    raised: "frames were lost in the last minute before they were read",
    after: 0,
    advice: "The computer is too busy or too slow: end other programs on it, or choose another one.",
    readings: (bus) =>
      ofGrowth(bus, "lost", 0, (count, time) => sentence`${count} {1:frame was|frames were} lost in ${time}`),
  }),
  foreignFrames: kind({
    title: "Another protocol on the bus",
    severity: "information",
    reads: "counters of the source",
    raised: "more than 10 frames with an identifier of 11 bits in a minute",
    after: 10,
    advice: "A device that does not speak NMEA 2000 is connected: find it, and give it a bus of its own.",
    readings: (bus) =>
      ofGrowth(bus, "foreign", 10, (count, time) => sentence`${count} frames with an identifier of 11 bits in ${time}`),
  }),
} as const satisfies Readonly<Record<string, Kind>>;
