/** Faults that engines and transmissions on J1939 report, in words. */
import type { Message } from "../../../core/n2k/definition.ts";
import { activeTroubleCodes } from "../../../core/n2k/j1939/diagnostics.ts";
import { isDead, messagesOf } from "../data/device-messages.ts";
import { nameAt } from "../data/device-names.ts";
import type { DeviceMessage } from "../data/store.ts";
import { say } from "../languages/say.ts";
import { Origin } from "../parts/origin.tsx";
import { faultsOf, faultText, lampsText } from "./fault-text.ts";

type Row = DeviceMessage<Message<typeof activeTroubleCodes>>;

export const faultRows = (): readonly Row[] =>
  messagesOf(activeTroubleCodes).filter(({ data }) => faultsOf(data).length > 0 || lampsText(data) !== "");

function List({ row, now }: { readonly row: Row; readonly now: number }) {
  const lamps = lampsText(row.data);
  return (
    <ul class={`faults ${isDead(row, now) ? "dead" : ""}`} data-id={`faults-${row.address}`} aria-label={say("Faults")}>
      {lamps !== "" && (
        <li class={row.data.redStopLamp === "On" ? "stop" : ""}>
          <b>{lamps}</b>
        </li>
      )}
      {faultsOf(row.data).map((fault, index) => (
        // The codes of a message have no other identity than their place.
        <li key={index}>{faultText(fault)}</li>
      ))}
    </ul>
  );
}

/** The faults of these devices, within the panel of their engine. */
export function FaultsOf({ addresses, now }: { readonly addresses: readonly number[]; readonly now: number }) {
  const rows = faultRows().filter(({ address }) => addresses.includes(address));
  return (
    <>
      {rows.map((row) => (
        <List key={row.address} row={row} now={now} />
      ))}
    </>
  );
}

/** A panel for each other device with faults. */
export function OtherFaults({ shown, now }: { readonly shown: readonly number[]; readonly now: number }) {
  const rows = faultRows().filter(({ address }) => !shown.includes(address));
  return (
    <>
      {rows.map((row) => (
        <section key={row.address} class={`unit ${isDead(row, now) ? "dead" : ""}`}>
          <h2>{say("Faults of {device}", { device: nameAt(row.address) })}</h2>
          <List row={row} now={now} />
          <Origin row={row} now={now} />
        </section>
      ))}
    </>
  );
}
