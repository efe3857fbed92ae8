/**
 * The report that an installer hands over: boat, date, findings, devices and their versions, on paper or as a PDF by
 * the browser's print dialog.
 */

import { frameTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { isDead, nameOfDevice, presentDevices, store } from "../data/store.ts";
import { momentText } from "../instruments/moments.ts";
import { stateDetail, stateName } from "./interface-words.ts";
import { WideTable } from "./wide-table.tsx";

function Findings({ now }: { readonly now: number }) {
  const { findings } = store;
  if (findings === undefined || isDead(findings, now)) return <p>Findings: not heard.</p>;
  if (findings.data.findings.length === 0) return <p>Findings: none.</p>;
  return (
    <WideTable name="Findings">
      <caption>Findings</caption>
      <thead>
        <tr>
          <th scope="col">Severity</th>
          <th scope="col">Finding</th>
          <th scope="col">What to do</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {findings.data.findings.map(({ id, severity, title, measured, advice, since }) => (
          <tr key={id}>
            <td>{severity}</td>
            <td>
              <b>{title}</b>
              <br />
              {measured}
            </td>
            <td>{advice}</td>
            <td>{momentText(since)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

function Devices() {
  const loads = new Map(store.traffic?.data.devices.map(({ addr, loadPercent }) => [addr, loadPercent]));
  const devices = presentDevices().toSorted((one, other) => one.addr - other.addr);
  return (
    <WideTable name="Devices">
      <caption>Devices</caption>
      <thead>
        <tr>
          {["Address", "Device", "Manufacturer", "Function", "Serial number", "Software", "Load"].map((title) => (
            <th scope="col" key={title}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {devices.map((device) => {
          const load = loads.get(device.addr);
          return (
            <tr key={device.addr}>
              <td>{device.addr}</td>
              <td>{nameOfDevice(device)}</td>
              <td>{device.manufacturer}</td>
              <td>{device.functionName}</td>
              <td>{device.productInfo?.serialNumber ?? ""}</td>
              <td>{device.productInfo?.softwareVersion ?? ""}</td>
              <td>{load === undefined ? "" : `${load.toFixed(2)} %`}</td>
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
        <button type="button" onClick={() => print()}>
          Print
        </button>
        <a class="button" href="#/bus">
          Back
        </a>
      </p>
      <h2>Report of the NMEA 2000 network</h2>
      <dl>
        <dt>Boat</dt>
        <dd>
          <input type="text" aria-label="Boat" placeholder="name of the boat" maxLength={100} />
        </dd>
        <dt>Date</dt>
        <dd>{momentText(new Date().toISOString())}</dd>
        <dt>Network</dt>
        <dd>
          {settings.value.prefix}
          {status !== undefined && `, ${status.data.interface}, ${stateName(status.data)}`}
          {detail !== undefined && ` (${detail})`}
        </dd>
        <dt>Load</dt>
        <dd>{traffic === undefined ? "not heard" : `${traffic.data.loadPercent.toFixed(1)} %`}</dd>
        {baseline !== undefined && (
          <>
            <dt>Compared with</dt>
            <dd>{momentText(baseline)}</dd>
          </>
        )}
      </dl>
      <Findings now={now} />
      <Devices />
    </article>
  );
}
