/** A recording without a boat: a file is read in this browser, and nothing of it leaves the device. */
import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { limitsOf } from "../../../core/findings/recording-report.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { FindingItem } from "../bus/finding-list.tsx";
import { intervalText } from "../bus/traffic-tables.tsx";
import { TableHead } from "../bus/wide-table.tsx";
import { isCounter } from "../data/message-keys.ts";
import { momentText, timeText } from "../instruments/moments.ts";
import { countText } from "../instruments/units.ts";
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { sentenceText } from "../languages/sentence-text.ts";
import { Button } from "../parts/button.tsx";
import { UploadButton } from "../parts/upload-button.tsx";
import type { InspectedRecording, InspectedStream, Series } from "./inspection.ts";
import type { WorkerRequest, WorkerResponse } from "./messages.ts";

/** Name of the worker's script; undefined in a build without a compiler for WebAssembly. */
declare const HUB_RECORDINGS_WORKER: string | undefined;

type State =
  | { readonly kind: "empty" }
  | { readonly kind: "reading"; readonly part: number }
  | { readonly kind: "failed"; readonly reason: string }
  | Extract<WorkerResponse, { kind: "inspected" }>;

interface Plot {
  readonly id: string;
  readonly member: string;
  readonly series?: Series;
}

const state = signal<State>({ kind: "empty" });
const fileName = signal("");
const plot = signal<Plot | undefined>(undefined);
const filter = signal("");

const FORMATS = "candump, pcap, canboat, Yacht Devices, Actisense, iKonvert, Airmar, SeaSmart, Garmin";
const columns = ["Device", "Messages", "Incomplete"] as const;

const valueText = (value: number): string => numberText(fixed(value, 3));

/** Maximum rows, to limit the time for rendering. */
const MAX_ROWS = 300;

/** Reads the file that is shown. */
let worker: Worker | undefined;

/** Begins with a file: the worker of the last one ends, and with it all that it would still tell. */
function startWorker(): void {
  worker?.terminate();
  worker = new Worker(HUB_RECORDINGS_WORKER!, { type: "module" });
  worker.onmessage = ({ data }: { readonly data: WorkerResponse }) => hear(data);
  worker.onerror = () => {
    state.value = { kind: "failed", reason: say("The reader of recordings does not start") };
  };
}

const ask = (asked: WorkerRequest): void => worker?.postMessage(asked);

function hear(told: WorkerResponse): void {
  if (told.kind === "plotted") plot.value = { id: told.id, member: told.member, series: told.series };
  else if (told.kind === "progress") {
    if (state.peek().kind === "reading") state.value = { kind: "reading", part: told.part };
  } else state.value = told;
}

function inspect(file: File | undefined): void {
  if (file === undefined) return;
  fileName.value = file.name;
  plot.value = undefined;
  state.value = { kind: "reading", part: 0 };
  startWorker();
  ask({ kind: "inspect", file });
}

const allowDrop = (event: Event): void => event.preventDefault();
const takeDrop = (event: DragEvent): void => {
  event.preventDefault();
  inspect(event.dataTransfer?.files[0]);
};

function Chooser() {
  useEffect(() => {
    addEventListener("dragover", allowDrop);
    addEventListener("drop", takeDrop);
    return () => {
      removeEventListener("dragover", allowDrop);
      removeEventListener("drop", takeDrop);
    };
  }, []);
  return (
    <section class="unit chooser">
      <UploadButton onFile={inspect}>{say("Drop a recording here, or choose one")}</UploadButton>
      <p class="source">
        {say("{formats}, with or without gzip. It is read on this device and sent nowhere.", { formats: FORMATS })}
      </p>
      <p class="actions">
        <a class="button" href="#/bus">
          {say("Back")}
        </a>
      </p>
    </section>
  );
}

function Findings({ recording }: { readonly recording: InspectedRecording }) {
  const { findings, hasTimes } = recording;
  return (
    <section class="unit findings" data-id="recorded-findings">
      <h2>{say("Findings")}</h2>
      {limitsOf(recording).map((limit) => (
        <p class="source" key={limit.text}>
          {sentenceText(limit)}.
        </p>
      ))}
      {!hasTimes && <p class="source">{say("The recording has no time stamps, which findings need.")}</p>}
      {hasTimes && findings.length === 0 && <p class="state-name">{say("Nothing found")}</p>}
      <ul>
        {findings.map((finding) => (
          <FindingItem key={finding.id} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function Devices({ recording: { devices } }: { readonly recording: InspectedRecording }) {
  return (
    <section class="unit traffic" data-id="recorded-devices">
      <h2>{say("Devices")}</h2>
      <table>
        <TableHead titles={columns} />
        <tbody>
          {devices.map(({ addr, label, softwareVersion, packets, incomplete }) => (
            <tr key={addr}>
              <th scope="row">
                {label ?? ""} <small>{addr}</small>
                {softwareVersion !== undefined && <span class="source">{softwareVersion}</span>}
              </th>
              <td>{packets}</td>
              <td class={incomplete > 0 ? "warn" : ""}>{incomplete}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const [WIDTH, HEIGHT] = [800, 160];

interface ChartProps {
  readonly series: Series;
  readonly recording: Pick<InspectedRecording, "from" | "to">;
}

/** The band between the lowest and the highest value of each part of the time, with axes of three marks. */
function Chart({ series: { low, high, unit = "" }, recording: { from, to } }: ChartProps) {
  const values = [...low, ...high].filter((value) => value !== undefined);
  if (values.length === 0) return <p class="source">{say("No values.")}</p>;
  const least = values.reduce((one, other) => Math.min(one, other));
  const most = values.reduce((one, other) => Math.max(one, other));
  const point = (value: number, index: number): string => {
    const x = ((index + 0.5) * WIDTH) / low.length;
    const y = most === least ? HEIGHT / 2 : HEIGHT - 4 - ((value - least) / (most - least)) * (HEIGHT - 8);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const points = (line: Series["low"]): readonly string[] =>
    line.flatMap((value, index) => (value === undefined ? [] : [point(value, index)]));
  const middle = (one: number, other: number): number => (one + other) / 2;
  const marks = most === least ? [most] : [most, middle(most, least), least];
  const [begin, end] = [from, to].map((at) => (at === undefined ? Number.NaN : Date.parse(at))) as [number, number];
  const times = Number.isNaN(begin + end) ? [] : [begin, middle(begin, end), end];
  return (
    <figure class="course" data-id="plot">
      <div class="value-axis" aria-hidden="true">
        {marks.map((value) => (
          <span key={value}>{`${valueText(value)} ${unit}`}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 ${HEIGHT / 2}H${WIDTH}M${WIDTH / 2} 0V${HEIGHT}`} />
        <polygon points={[...points(low), ...points(high).toReversed()].join(" ")} />
      </svg>
      <div class="time-axis" aria-hidden="true">
        {times.map((at, index) => (
          <span key={index}>{timeText(at)}</span>
        ))}
      </div>
      <figcaption>
        {say("from {from} to {until}", { from: valueText(least), until: `${valueText(most)} ${unit}` })}
      </figcaption>
    </figure>
  );
}

function Plotted({ member, series, recording }: Plot & Pick<ChartProps, "recording">) {
  return (
    <>
      <h3>{member}</h3>
      {series === undefined ? <p class="source">{say("Loading")}</p> : <Chart series={series} recording={recording} />}
    </>
  );
}

function Member({
  stream,
  name,
  value,
}: {
  readonly stream: InspectedStream;
  readonly name: string;
  readonly value: unknown;
}) {
  const { id, pgn, addr } = stream;
  const isPlotted = plot.value?.id === id && plot.value.member === name;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {typeof value === "object"
          ? JSON.stringify(value)
          : typeof value === "number"
            ? numberText(String(value))
            : String(value)}{" "}
        {typeof value === "number" && (
          <Button
            says="Plot"
            aria-pressed={isPlotted}
            onClick={() => {
              plot.value = { id, member: name };
              ask({ kind: "plot", stream: { id, pgn, addr }, member: name });
            }}
          />
        )}
      </dd>
    </>
  );
}

const matching = computed((): readonly InspectedStream[] => {
  const shown = state.value;
  if (shown.kind !== "inspected") return [];
  const words = filter.value.toLowerCase().split(/\s+/);
  return shown.recording.streams.filter(({ id, title }) => {
    const text = `${id} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
});

function Messages({ recording }: { readonly recording: InspectedRecording }) {
  const { devices, leftOut } = recording;
  const labels = new Map(devices.map(({ addr, label }) => [addr, label]));
  const rows = matching.value;
  return (
    <section class="unit recorded" data-id="recorded-messages">
      <h2>{say("Messages")}</h2>
      <label>
        <span>{say("Filter by PGN, source or text")}</span>
        <input
          type="search"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      </label>
      <ul>
        {rows.slice(0, MAX_ROWS).map((stream) => {
          const { id, pgn, addr, title, count, periodMs, message, payload } = stream;
          return (
            <li key={id}>
              <details data-id={`stream-${id}`}>
                <summary>
                  <b>
                    {pgn} {title}
                  </b>
                  <span>
                    {labels.get(addr) ?? say("Device")} ({addr}) · {countText(count)}
                    {periodMs === undefined ? "" : ` · ${say("every {period}", { period: intervalText(periodMs) })}`}
                  </span>
                </summary>
                {plot.value?.id === id && <Plotted {...plot.value} recording={recording} />}
                <dl>
                  {Object.entries(message ?? { payload })
                    .filter(([name]) => !isCounter(pgn, name))
                    .map(([name, value]) => (
                      <Member key={name} stream={stream} name={name} value={value} />
                    ))}
                </dl>
              </details>
            </li>
          );
        })}
      </ul>
      {rows.length > MAX_ROWS && (
        <p class="source">{say("and {others} more; a filter finds them", { others: rows.length - MAX_ROWS })}</p>
      )}
      {leftOut > 0 && (
        <p class="source">
          {say("{count} {count:message of further streams is|messages of further streams are} left out.", {
            count: leftOut,
          })}
        </p>
      )}
    </section>
  );
}

function Summary({ shown: { format, recording } }: { readonly shown: Extract<State, { kind: "inspected" }> }) {
  const { packets, from, to } = recording;
  return (
    <section class="unit" data-id="recording">
      <h2>{fileName.value}</h2>
      <p class="state-name">
        {say("{count} message{count:|s} of {devices} device{devices:|s}", {
          count: countText(packets),
          devices: recording.devices.length,
        })}
      </p>
      <p class="source">
        {format}
        {from === undefined || to === undefined
          ? `, ${say("without time stamps")}`
          : `, ${say("from {from} to {until}", { from: momentText(from), until: momentText(to) })}`}
      </p>
    </section>
  );
}

export function RecordingsView() {
  if (typeof HUB_RECORDINGS_WORKER !== "string")
    return (
      <p class="nothing">{say("This display was built without a compiler for WebAssembly, which reads recordings.")}</p>
    );
  const shown = state.value;
  return (
    <div class="bus recordings">
      <Chooser />
      {shown.kind === "reading" && (
        <p class="state-name" role="status">
          {say("Reading {file}, {percent} %", { file: fileName.value, percent: fixed(100 * shown.part, 0) })}
        </p>
      )}
      {shown.kind === "failed" && (
        <p class="state-name warn" role="alert">
          {fileName.value}: {said(shown.reason)}.
        </p>
      )}
      {shown.kind === "inspected" && (
        <>
          <Summary shown={shown} />
          <Findings recording={shown.recording} />
          <Devices recording={shown.recording} />
          <Messages recording={shown.recording} />
        </>
      )}
    </div>
  );
}
