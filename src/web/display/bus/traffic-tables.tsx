/** The load of the bus by device, with its recent share, and the period of each PGN of each device. */
import type { DataOf } from "../../../core/topics/read-message.ts";
import { isDead } from "../data/device-messages.ts";
import { nameAt } from "../data/device-names.ts";
import { store, trafficShares } from "../data/store.ts";
import { numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { TableHead, WideTable } from "./wide-table.tsx";

type Sender = DataOf<"traffic">["devices"][number];
type SentPgn = Sender["pgns"][number];

/** An interval: 100 ms, 2.5 s, 60 s. */
export const intervalText = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : numberText(`${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`);

/** Beyond this factor a period differs from the public database: the device is configured so, or overloaded. */
const FAR = 1.5;
const isFar = ({ periodMs, nominalMs }: SentPgn): boolean =>
  periodMs !== undefined && nominalMs !== undefined && (periodMs > nominalMs * FAR || periodMs < nominalMs / FAR);

const [WIDTH, HEIGHT] = [120, 24];

/** The recent share, the latest value at the right edge. */
function Sparkline({ shares }: { readonly shares: readonly number[] }) {
  // biome-ignore lint/plugin: the last minutes
  const most = Math.max(...shares, 0.01);
  const points = shares.map((share, index) => {
    const x = WIDTH - (shares.length - 1 - index) * 2;
    return `${x},${(HEIGHT - 1 - (share / most) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.join(" ")} />
    </svg>
  );
}

function Devices({ devices }: { readonly devices: readonly Sender[] }) {
  return (
    <WideTable name={say("Devices by load")}>
      <TableHead titles={["Device", "Load", "Ten minutes", "Incomplete"]} />
      <tbody>
        {devices.map(({ addr, loadPercent, incomplete }) => (
          <tr key={addr} data-id={`share-${addr}`}>
            <th scope="row">
              {nameAt(addr)} <small>{addr}</small>
            </th>
            <td>{numberText(loadPercent.toFixed(loadPercent < 1 ? 2 : 1))} %</td>
            <td>
              <Sparkline shares={trafficShares(addr)} />
            </td>
            <td class={incomplete > 0 ? "warn" : ""}>{incomplete}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

/** The name of a PGN, from the list of any device. */
function nameOfPgn(pgn: number): string {
  for (const { data } of store.infos.values()) {
    const found = data.txPgns?.find(({ id }) => id === pgn);
    if (found !== undefined) return found.name;
  }
  return "";
}

function Cell({ sent }: { readonly sent: SentPgn | undefined }) {
  if (sent === undefined) return <td />;
  const { periodMs, jitterMs, nominalMs, streams } = sent;
  const title = [
    jitterMs === undefined ? undefined : say("jitter {time}", { time: intervalText(jitterMs) }),
    nominalMs === undefined ? undefined : say("usually {time}", { time: intervalText(nominalMs) }),
  ].filter((part) => part !== undefined);
  return (
    <td class={isFar(sent) ? "warn" : ""} title={title.join(", ")}>
      {periodMs === undefined ? "·" : intervalText(periodMs)}
      {streams > 1 && <small> ×{streams}</small>}
    </td>
  );
}

/** A row for each PGN, a column for each device that sends it. */
function Matrix({ devices }: { readonly devices: readonly Sender[] }) {
  const senders = devices
    .filter(({ pgns }) => pgns.length > 0)
    .map(({ addr, pgns }) => ({ addr, sent: new Map(pgns.map((each) => [each.pgn, each])) }))
    .sort((one, other) => one.addr - other.addr);
  const pgns = [...new Set(senders.flatMap(({ sent }) => [...sent.keys()]))].sort((one, other) => one - other);
  return (
    <WideTable name={say("Periods by PGN and device")}>
      <thead>
        <tr>
          <th scope="col">PGN</th>
          {senders.map(({ addr }) => (
            <th scope="col" key={addr} title={nameAt(addr)}>
              {addr}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pgns.map((pgn) => (
          <tr key={pgn}>
            <th scope="row">
              {pgn} <small>{nameOfPgn(pgn)}</small>
            </th>
            {senders.map(({ addr, sent }) => (
              <Cell key={addr} sent={sent.get(pgn)} />
            ))}
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

export function TrafficTables({ now }: { readonly now: number }) {
  const { traffic } = store;
  if (traffic === undefined) return null;
  const { devices } = traffic.data;
  return (
    <section class={`unit traffic ${isDead(traffic, now) ? "dead" : ""}`} data-id="traffic">
      <h2>{say("Devices by load")}</h2>
      <Devices devices={devices} />
      <h2>{say("Periods by PGN and device")}</h2>
      <Matrix devices={devices} />
    </section>
  );
}
