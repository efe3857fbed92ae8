/**
 * All that the core may take from its runtime besides the language: these few names, which every runtime has. `tsc`
 * knows no others when it reads the core with `test/runtimes/tsconfig.core.json`.
 */
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { readonly stream?: boolean }): string;
}

declare const crypto: {
  readonly subtle: { digest(algorithm: "SHA-256", bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> };
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
};

declare class ReadableStream<Chunk> implements AsyncIterable<Chunk> {
  constructor(
    source: {
      start?(controller: { enqueue(chunk: Chunk): void; close(): void }): void;
      pull?(controller: { enqueue(chunk: Chunk): void; close(): void }): void;
      cancel?(): void;
    },
    strategy?: { readonly highWaterMark: number },
  );
  [Symbol.asyncIterator](): AsyncIterator<Chunk>;
}

/** The part of a query that `sessionOptions` of Signal K reads. */
interface URLSearchParams {
  get(name: string): string | null;
}
