/** Reads the track of the voyages of hub-history over HTTP, with limits of time and size. */
import type { VoyageTrack } from "../../../core/ports/voyage-track.ts";
import { download } from "./download.ts";

const TIMEOUT_MS = 10_000;
/** Ten thousand points have 400 kB. */
const MAX_BYTES = 4 << 20;

/** `url` is the address of hub-history, such as `http://127.0.0.1:12010`. */
export const voyageTrack =
  (url: string): VoyageTrack =>
  async ({ from, to, resolution }) => {
    const query = new URLSearchParams({ from: `${from}`, to: `${to}`, resolution: `${resolution}` });
    const target = new URL(`voyages/track.json?${query}`, url.endsWith("/") ? url : `${url}/`);
    try {
      const file = await download({ url: target, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
      return file && Uint8Array.from(file.bytes);
    } catch {
      return undefined;
    }
  };
