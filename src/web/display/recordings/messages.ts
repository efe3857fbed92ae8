/** The messages between the page Recordings and its worker. */
import type { InspectedRecording, InspectedStream, Series } from "./inspection.ts";

/** A file to inspect, or a member of a stream of that file to plot. */
export type WorkerRequest =
  | { readonly kind: "inspect"; readonly file: File }
  | { readonly kind: "plot"; readonly stream: Pick<InspectedStream, "id" | "pgn" | "addr">; readonly member: string };

export type WorkerResponse =
  | { readonly kind: "progress"; readonly part: number }
  | {
      readonly kind: "inspected";
      readonly format: string;
      readonly recording: InspectedRecording;
    }
  | { readonly kind: "plotted"; readonly id: string; readonly member: string; readonly series: Series }
  | { readonly kind: "failed"; readonly reason: string };
