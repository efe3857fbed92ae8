/** Sends a chart to the boat's computer, in parts one after the other; it goes on while other pages are shown. */
import { signal } from "@preact/signals";
import { CHART_HEADER_BYTES, chartProblem } from "../../../core/util/chart-header.ts";
import { askForCharts } from "../chart/chart-list.ts";
import { type ConversionProblem, type Converted, convertMbtiles, MAX_TILES, NoChart } from "../chart/mbtiles.ts";
import { say } from "../languages/say.ts";
import { ApiError, putChart } from "./api.ts";
import { chartName } from "./chart-name.ts";

const PART_BYTES = 1 << 20;
const TRIES = 4;
const WAIT_MS = 2000;

export interface Upload {
  readonly name: string;
  /** Bytes that have arrived; undefined while the file is converted. */
  readonly sent: number | undefined;
  readonly size: number;
}

export const upload = signal<Upload>();
/** Why the last one has failed. */
export const uploadFailure = signal<string>();

const problems: Readonly<Record<ConversionProblem, () => string>> = {
  "no chart": () => say("The file is no chart: choose PMTiles or MBTiles."),
  "no pictures": () => say("The tiles of the file are no pictures: vector charts are not shown."),
  "no tiles": () => say("The file has no tiles."),
  "too many tiles": () => say("The file has more tiles than are converted: {most}.", { most: MAX_TILES }),
  damaged: () => say("The file is damaged."),
};

async function* partsOfFile(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PART_BYTES)
    yield new Uint8Array(await file.slice(at, at + PART_BYTES).arrayBuffer());
}

/** Chunks of any size as parts of one size. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(PART_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < PART_BYTES) continue;
      yield part;
      part = new Uint8Array(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

/** A part that is lost on the way is sent again. */
async function send(name: string, size: number, from: number, part: Uint8Array): Promise<void> {
  const body = new Blob([part as Uint8Array<ArrayBuffer>]);
  for (let tried = 1; ; tried++) {
    try {
      return await putChart(name, size, from, body);
    } catch (error) {
      const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 502);
      if (!isAway || tried === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS * tried));
    }
  }
}

/** The chart in a file; throws an error whose message is for the crew. */
async function chartIn(file: File): Promise<Converted> {
  if (/\.mbtiles$/i.test(file.name)) {
    return convertMbtiles(file).catch((error: unknown) => {
      throw error instanceof NoChart ? new Error(problems[error.problem](), { cause: error }) : error;
    });
  }
  const start = new Uint8Array(await file.slice(0, CHART_HEADER_BYTES).arrayBuffer());
  const problem = chartProblem(start, file.size);
  if (problem !== undefined) throw new Error(problems[problem]());
  return { size: file.size, chunks: () => partsOfFile(file) };
}

/** The number of the upload that is going on. */
let current = 0;

/** Ends the upload before its next part. */
export function stopUpload(): void {
  current++;
  upload.value = undefined;
}

export async function uploadChart(file: File, room: number): Promise<void> {
  stopUpload();
  const mine = current;
  const name = chartName(file.name);
  upload.value = { name, sent: undefined, size: file.size };
  uploadFailure.value = undefined;
  try {
    const { size, chunks } = await chartIn(file);
    if (size > room) throw new Error(say("There is no room for it on the boat's computer."));
    let sent = 0;
    for await (const part of partsOf(chunks())) {
      if (mine !== current) return;
      upload.value = { name, sent, size };
      await send(name, size, sent, part);
      sent += part.length;
    }
    askForCharts();
  } catch (error) {
    uploadFailure.value = (error as Error).message;
  } finally {
    if (mine === current) upload.value = undefined;
  }
}
