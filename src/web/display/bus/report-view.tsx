/**
 * The report that an installer hands over: boat, date, findings, devices and their versions, on paper or as a PDF by
 * the browser's print dialog.
 */

import { boatOnPaper } from "../data/boat-on-paper.ts";
import { isDead } from "../data/device-messages.ts";
import { manufacturerOf, modelOfDevice, nameOfDevice } from "../data/device-names.ts";
import { frameTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { momentText } from "../instruments/moments.ts";
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { deviceText } from "../languages/setting-texts.ts";
import { Button } from "../parts/button.tsx";
import { severityWords } from "./finding-list.tsx";
import { measuredText } from "./finding-words.ts";
import { interfaceName, stateDetail, stateName } from "./interface-words.ts";
import { TableHead, WideTable } from "./wide-table.tsx";

function Findings({ now }: { readonly now: number }) {
  const { findings } = store;
  if (findings === undefined || isDead(findings, now))
    return <p>{say("{what}: {text}", { what: say("Findings"), text: say("not heard") })}.</p>;
  if (findings.data.findings.length === 0) return <p>{say("Nothing found")}.</p>;
  return (
    <WideTable name={say("Findings")}>
      <caption>{say("Findings")}</caption>
      <TableHead titles={["Severity", "Finding", "What to do", "Since"]} />
      <tbody>
        {findings.data.findings.map((finding) => (
          <tr key={finding.id}>
            <td>{say(severityWords[finding.severity])}</td>
            <td>
              <b>{said(finding.title)}</b>
              <br />
              {measuredText(finding)}
            </td>
            <td>{said(finding.advice)}</td>
            <td>{momentText(finding.since)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

const columns = ["Address", "Device", "Manufacturer", "Function", "Serial number", "Software", "Load"] as const;

function Devices() {
  const loads = new Map(store.traffic?.data.devices.map(({ addr, loadPercent }) => [addr, loadPercent]));
  // One that claimed its address before hub-cand began has no NAME yet.
  const devices = (store.devices?.data.peers ?? []).toSorted((one, other) => one.addr - other.addr);
  return (
    <WideTable name={say("Devices")}>
      <caption>{say("Devices")}</caption>
      <TableHead titles={columns} />
      <tbody>
        {devices.map(({ addr }) => {
          const load = loads.get(addr);
          const device = store.infos.get(addr)?.data;
          return (
            <tr key={addr}>
              <td>{addr}</td>
              <td>
                {device === undefined ? say("not identified yet") : nameOfDevice(device)}
                {device?.friendlyName && <small> {modelOfDevice(device)}</small>}
              </td>
              <td>{deviceText((device && manufacturerOf(device)) ?? "")}</td>
              <td>{deviceText(device?.functionName ?? "")}</td>
              <td>{device?.productInfo?.serialNumber ?? ""}</td>
              <td>{device?.productInfo?.softwareVersion ?? ""}</td>
              <td>{load === undefined ? "" : numberText(`${load.toFixed(2)} %`)}</td>
            </tr>
          );
        })}
      </tbody>
    </WideTable>
  );
}

export function ReportView() {
  const now = frameTick.value;
  const { interface: status, traffic, findings } = store;
  const baseline = findings?.data.baseline;
  const detail = status && stateDetail(status.data);
  return (
    <article class="report" data-id="report">
      <p class="actions">
        <Button says="Print" onClick={() => print()} />
        <a class="button" href="#/bus">
          {say("Back")}
        </a>
      </p>
      <h2>{say("Report of the NMEA 2000 network")}</h2>
      <dl>
        <dt>{say("Boat")}</dt>
        <dd>
          <input
            type="text"
            aria-label={say("Boat")}
            placeholder={say("name of the boat")}
            maxLength={100}
            defaultValue={boatOnPaper.read()}
            onInput={({ currentTarget }) => boatOnPaper.write(currentTarget.value || undefined)}
          />
        </dd>
        <dt>{say("Date")}</dt>
        <dd>{momentText(new Date().toISOString())}</dd>
        <dt>{say("Network")}</dt>
        <dd>
          {settings.value.prefix}
          {status !== undefined &&
            [interfaceName(status.data), said(stateName(status.data))].filter(Boolean).map((part) => `, ${part}`)}
          {detail !== undefined && ` (${said(detail)})`}
        </dd>
        <dt>{say("Load")}</dt>
        <dd>{traffic === undefined ? say("not heard") : numberText(`${traffic.data.loadPercent.toFixed(1)} %`)}</dd>
        {baseline !== undefined && (
          <>
            <dt>{say("Compared with")}</dt>
            <dd>{momentText(baseline)}</dd>
          </>
        )}
      </dl>
      <Findings now={now} />
      <Devices />
    </article>
  );
}
