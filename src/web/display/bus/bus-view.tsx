/** The findings about the bus, its load by device, and the state of interface and bridge. */

import { isDead } from "../data/device-messages.ts";
import { bridgeOf } from "../data/device-names.ts";
import { frameTick } from "../data/frame-tick.ts";
import { ageOf, isAgeTold } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { durationText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Facts } from "../parts/facts.tsx";
import { Numerals } from "../parts/numerals.tsx";
import { type Counter, countersOf } from "./counters.ts";
import { FindingList } from "./finding-list.tsx";
import { interfaceName, stateDetail, stateName } from "./interface-words.ts";
import { TrafficTables } from "./traffic-tables.tsx";

const rowOf = ({ name, text }: Counter) => [name, text] as const;

function Table({ heading, value }: { readonly heading: PlainText; readonly value: unknown }) {
  const counters = countersOf(value);
  const zeros = counters.filter(({ isZero }) => isZero);
  if (counters.length === 0) return null;
  return (
    <section class="unit">
      <h2>{say(heading)}</h2>
      <Facts rows={counters.filter(({ isZero }) => !isZero).map(rowOf)} />
      {zeros.length > 0 && (
        <details class="zeros">
          <summary>{say("{count} {count:counter is|counters are} 0", { count: zeros.length })}</summary>
          <Facts rows={zeros.map(rowOf)} />
        </details>
      )}
    </section>
  );
}

/** The state that the controller or the gateway reports, and the load of the bus. */
function InterfaceState({ now }: { readonly now: number }) {
  const { interface: status } = store;
  const dead = status === undefined || isDead(status, now);
  return (
    <section class={`unit state ${dead ? "dead" : ""}`} data-id="interface">
      <h2>{say("Interface {name}", { name: (status && interfaceName(status.data)) ?? "" })}</h2>
      <p class="state-name">{status === undefined ? say("Not heard yet") : said(stateName(status.data))}</p>
      {status && <StateDetail status={status} dead={dead} now={now} />}
      <BusLoad isHeard={status !== undefined} />
    </section>
  );
}

interface StateDetailProps {
  readonly status: NonNullable<typeof store.interface>;
  readonly dead: boolean;
  readonly now: number;
}

function StateDetail({ status: { data, stamp }, dead, now }: StateDetailProps) {
  const detail = stateDetail(data);
  const age = ageOf(stamp, now);
  const isAgeShown = dead || isAgeTold(age);
  return (
    <>
      <p class="source">
        {detail !== undefined && said(detail)}
        {detail !== undefined && isAgeShown && " · "}
        {isAgeShown && (
          <span class="age">
            {say(dead ? "lost {duration} ago" : "{duration} old", { duration: durationText(age) })}
          </span>
        )}
      </p>
      {data.gateway && (
        <p class="source gateway">
          {data.gateway.source}
          {data.gateway.reason === undefined ? "" : `: ${data.gateway.reason}`}
        </p>
      )}
    </>
  );
}

function BusLoad({ isHeard }: { readonly isHeard: boolean }) {
  const load = store.health?.data.busLoadPercent ?? store.traffic?.data.loadPercent;
  return (
    <>
      <h3>{say("Bus load")}</h3>
      <p class="figure" data-id="load">
        <span class="number">
          <Numerals text={load === undefined ? "––" : load.toFixed(0)} />
        </span>
        <span class="unit">%</span>
      </p>
      {load === undefined ? (
        <p class="source">
          {isHeard
            ? say("not measured: too early, or a replay at another speed than recorded")
            : say("not measured yet")}
        </p>
      ) : (
        <div class="bar" role="img" aria-label={say("Load {load} percent", { load })}>
          <span style={{ width: `${Math.min(100, load)}%` }} />
        </div>
      )}
    </>
  );
}

function BridgeState({ bridge }: { readonly bridge: ReturnType<typeof bridgeOf> }) {
  return (
    <section class="unit" data-id="bridge">
      <h2>{say("Instrument reader")}</h2>
      {bridge === undefined ? (
        <p class="source">{say("not heard yet")}</p>
      ) : (
        <>
          <p class={`state-name ${bridge.online ? "" : "warn"}`}>{say(bridge.online ? "On line" : "Off line")}</p>
          <p class="source">
            {say("{name} {version} on {host}", {
              name: bridge.name ?? "",
              version: bridge.version ?? "",
              host: bridge.hostname ?? "",
            })}
          </p>
        </>
      )}
    </section>
  );
}

function WrongClock({ ahead }: { readonly ahead: number }) {
  return (
    <section class="unit" data-id="clock">
      <h2>{say("Computer's clock")}</h2>
      <p class="state-name warn">
        {say(ahead > 0 ? "{duration} ahead" : "{duration} behind", { duration: durationText(Math.abs(ahead)) })}
      </p>
      <p class="source">
        {say("compared with the time on the bus; times of messages, history and copies are wrong by as much")}
      </p>
    </section>
  );
}

export function BusView() {
  const now = frameTick.value;
  const { interface: status, health } = store;
  const clockAhead = health?.data.clockAheadSec;
  return (
    <div class="bus">
      <FindingList now={now} />
      <InterfaceState now={now} />
      <BridgeState bridge={bridgeOf(settings.value.prefix)} />
      {clockAhead !== undefined && <WrongClock ahead={clockAhead} />}
      <TrafficTables now={now} />
      <Table heading="Health" value={health?.data} />
      <Table heading="Counters" value={status?.data.stats} />
      <Table heading="Controller" value={status?.data.config} />
    </div>
  );
}
