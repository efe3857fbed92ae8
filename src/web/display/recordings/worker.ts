/**
 * Reads a recording for the page Recordings, in a thread of its own: a file of an hour takes seconds. The
 * Content-Security-Policy of the page does not hold here, so that decoders are compiled as in hub-cand, from definitions
 * alone.
 */
import type { ReassemblerModule } from "../../../adapters/wasm/reassembler.ts";
import { RecordingReader, UnreadableRecording } from "../../../adapters/wasm/recording-reader.ts";
import { createCatalogue } from "../../../core/n2k/catalogue.ts";
import { type InspectedRecording, Inspection, SeriesReader } from "./inspection.ts";
import type { WorkerRequest, WorkerResponse } from "./messages.ts";

/** Name of the compiled reassembler beside this file; esbuild defines the constant. */
declare const HUB_REASSEMBLER: string;

const scope = globalThis as unknown as {
  onmessage: (event: { readonly data: WorkerRequest }) => void;
  postMessage(message: WorkerResponse): void;
};

/** Part of a file after which the progress is told again. */
const PROGRESS = 0.01;

let compiled: Promise<WebAssembly.Module> | undefined;

/** The type of the file depends on the server, so it is not compiled while it is fetched. */
async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(HUB_REASSEMBLER);
  if (!response.ok) throw new Error(`${HUB_REASSEMBLER}: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function newModule(): Promise<ReassemblerModule> {
  compiled ??= compile();
  return WebAssembly.instantiate(await compiled);
}

async function feed(reader: RecordingReader, file: File): Promise<void> {
  const chunks = file.stream().getReader();
  let [bytes, told] = [0, 0];
  for (;;) {
    const { value, done } = await chunks.read();
    if (done) break;
    reader.push(value, false);
    bytes += value.length;
    const part = bytes / file.size;
    if (part - told < PROGRESS) continue;
    told = part;
    scope.postMessage({ kind: "progress", part });
  }
  reader.push(new Uint8Array(0), true);
}

let shown: { readonly file: File; readonly recording: InspectedRecording } | undefined;

async function inspect(file: File): Promise<WorkerResponse> {
  const catalogue = createCatalogue();
  const options = { modified: file.lastModified, module: await newModule(), catalogue };
  const reader = new RecordingReader({ ...options, visit: (packet) => inspection.hear(packet) });
  const inspection = new Inspection(catalogue, () => reader.counters());
  const failure = await feed(reader, file).catch((error: unknown) => error);
  const recording = inspection.report(
    reader.times,
    failure instanceof UnreadableRecording ? failure.message : reader.problem,
  );
  if (failure !== undefined && !(failure instanceof UnreadableRecording && recording.packets > 0)) throw failure;
  shown = { file, recording };
  return { kind: "inspected", format: reader.format!, recording };
}

async function plot({ stream, member }: Extract<WorkerRequest, { kind: "plot" }>): Promise<WorkerResponse> {
  const { file, recording } = shown!;
  const catalogue = createCatalogue();
  const reader = new SeriesReader(catalogue, stream, member, recording.span);
  const options = { modified: file.lastModified, module: await newModule(), catalogue };
  await feed(new RecordingReader({ ...options, visit: (packet) => reader.hear(packet) }), file).catch((error) => {
    // A recording that breaks off is plotted as far as it can be read.
    if (!(error instanceof UnreadableRecording)) throw error;
  });
  return { kind: "plotted", id: stream.id, member, series: reader.series };
}

/** One after the other, so that of several plots the last one that was asked for stays. */
let turn = Promise.resolve();

scope.onmessage = ({ data }) => {
  turn = turn.then(async () => {
    try {
      scope.postMessage(data.kind === "inspect" ? await inspect(data.file) : await plot(data));
    } catch (error) {
      const reason = error instanceof UnreadableRecording ? error.message : `It cannot be read: ${String(error)}`;
      scope.postMessage({ kind: "failed", reason });
    }
  });
};
