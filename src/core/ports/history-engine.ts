/** The time series engine that hub-history writes to, as a reader asks it. */

export type Labels = Readonly<Record<string, string>>;

/** Times are milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Series {
  /** The tags, with the name of the series as `__name__`. */
  readonly labels: Labels;
  /** Values by time; times without a value are absent. */
  readonly samples: ReadonlyMap<number, number>;
}

export interface HistoryEngine {
  /** The values of a query at `from`, `from` + `step`, … `to`. Rejects with a HistoryFailure. */
  range(query: string, span: Span & { readonly step: number }): Promise<readonly Series[]>;
  /** The labels of the series with values in a time, which may be a day longer. Rejects with a HistoryFailure. */
  labels(selector: string, span: Span): Promise<readonly Labels[]>;
}

/** The engine is away, slow, or responds with something else; or its response is too large. */
export class HistoryFailure extends Error {
  readonly reason: "away" | "large";

  constructor(reason: "away" | "large", message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
