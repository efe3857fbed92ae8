/** The devices on the bus, those that have fallen silent too, and their descriptions of themselves. */

import { useState } from "preact/hooks";
import { aboutDevice, deviceRows, silenceOf } from "../data/device-memory.ts";
import { isDead } from "../data/device-messages.ts";
import { manufacturerOf, nameAt } from "../data/device-names.ts";
import { secondTick } from "../data/frame-tick.ts";
import { ageOf } from "../data/freshness.ts";
import { linkNow, noDataText } from "../data/link.ts";
import { type DeviceInformation, type PgnName, store } from "../data/store.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { deviceText } from "../languages/setting-texts.ts";
import { type Fact, Facts } from "../parts/facts.tsx";
import { MissingDevice, WhatToCheck } from "../parts/missing-device.tsx";

/** An age below this is no news: the report of the traffic comes every ten seconds. */
const USUAL_SECONDS = 15;

function PgnNames({ title, list }: { readonly title: string; readonly list: readonly PgnName[] | undefined }) {
  if (list === undefined) return null;
  return (
    <div class="pgn-names">
      <h3>
        {title} {list.length} {say("PGNs")}
      </h3>
      <ul>
        {list.map(({ id, name }) => (
          <li key={id}>
            <b>{id}</b> {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function factsOf(device: DeviceInformation): readonly Fact[] {
  const { productInfo: product } = device;
  const maker = manufacturerOf(device);
  return [
    [say("Serial number"), product?.serialNumber],
    [say("Software"), product?.softwareVersion],
    [say("Manufacturer"), maker && deviceText(maker)],
    [say("Identity"), String(device.identityNumber)],
    [say("Instance"), String(device.deviceInstance)],
    [say("Load"), product?.loadEquiv === undefined ? undefined : `${product.loadEquiv * 50}\u202fmA`],
    ["NAME", device.name],
  ];
}

export function Devices() {
  const now = secondTick.value;
  const [open, setOpen] = useState<number>();
  const { devices, infos } = store;
  if (devices === undefined) return <p class="nothing">{noDataText(linkNow(now)) ?? say("No list of devices yet.")}</p>;
  const dead = isDead(devices, now);
  const rows = deviceRows();
  const silentCount = rows.filter(({ missing }) => missing?.isSilent).length;
  return (
    <div class={`devices ${dead ? "dead" : ""}`}>
      <p class="list-head" data-id="device-count">
        {say("{count} device{count:|s}", { count: devices.data.count ?? 0 })}
        {silentCount > 0 && `, ${say("{count} silent", { count: silentCount })}`} ·{" "}
        {say("report {duration} old", { duration: durationText(ageOf(devices.stamp, now)) })}
        {dead && ` – ${say("dead")}`}
      </p>
      {silentCount > 0 && <WhatToCheck />}
      <ul>
        {rows.map(({ addr, missing }) => {
          if (missing !== undefined) return <MissingDevice key={missing.name} addr={addr} device={missing} now={now} />;
          const information = infos.get(addr)?.data;
          const isOpen = open === addr;
          const silence = silenceOf(addr, now);
          const heard =
            silence === undefined ? undefined : say("heard {duration} ago", { duration: durationText(silence) });
          return (
            <li key={addr} data-id={`device-${addr}`}>
              <button
                type="button"
                class="device"
                aria-expanded={isOpen}
                onClick={() => setOpen(isOpen ? undefined : addr)}
              >
                <span class="address">{addr}</span>
                <span class="device-name">
                  {nameAt(addr)}
                  <small>{information === undefined ? say("not identified yet") : aboutDevice(information)}</small>
                  {(silence ?? 0) > USUAL_SECONDS && <small>{heard}</small>}
                </span>
                <span class="chevron" aria-hidden="true">
                  {isOpen ? "▴" : "▾"}
                </span>
              </button>
              {isOpen && information && (
                <div class="device-more">
                  <Facts rows={factsOf(information)} />
                  <PgnNames title={say("Sends")} list={information.txPgns} />
                  <PgnNames title={say("Hears")} list={information.rxPgns} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
