/** `hub-history --voyages`: the store, the log book and its application. Loaded only with the option. */
import { hostname } from "node:os";
import { lockFolder } from "../adapters/node/files/folder-lock.ts";
import { voyageStore } from "../adapters/node/files/voyage-store.ts";
import { serveHttp } from "../adapters/node/http/server.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { LossLog } from "../services/bridge/health/loss-log.ts";
import { Voyages } from "../services/history/voyages.ts";
import { voyagesApp } from "../services/history/voyages-app.ts";
import type { VoyagesSettings } from "./hub-history-options.ts";
import type { openSubscriber } from "./program/broker-subscriber.ts";
import { started } from "./program/errors.ts";
import { orTaken } from "./program/listening.ts";
import type { Run } from "./program/program.ts";

const MS_PER_MINUTE = 60_000;

/** One of the things that hub-history does: it hears messages, and works once a second. */
export interface HistoryService {
  readonly hearer: Parameters<typeof openSubscriber>[2];
  tick(): void;
}

export async function openVoyages(
  prefix: string,
  { folder, port, intervalMinutes }: VoyagesSettings,
  { log, limitedLog, opened }: Run,
): Promise<HistoryService> {
  opened.add(await started(lockFolder(folder, "hub-history --voyages")));
  const store = await started(voyageStore(folder));
  const [entryEveryMs, monotonic] = [intervalMinutes * MS_PER_MINUTE, () => systemClock.monotonic()];
  const voyages = await started(Voyages.open({ prefix, store, entryEveryMs, monotonic }));
  const losses = opened.add(
    new LossLog(log, [
      {
        message: "lines of voyages are damaged or cannot be written",
        count: () => voyages.dropped + voyages.damaged + voyages.failures,
        fields: () => ({
          code: "VOYAGES_NOT_KEPT",
          dropped: voyages.dropped,
          damaged: voyages.damaged,
          reason: voyages.failure,
        }),
      },
      {
        message: "messages are skipped that are no JSON object, too long or have no time",
        count: () => voyages.malformed,
        fields: () => ({ code: "MESSAGES_SKIPPED", notJson: voyages.malformed }),
      },
      {
        message: "messages cost hub-history a fault, the voyage goes on without them",
        count: () => voyages.faults,
        fields: () => ({ code: "HISTORY_FAILED", faults: voyages.faults, ...voyages.fault }),
      },
    ]),
  );
  opened.add(voyages);
  const rest = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const app = voyagesApp({ voyages, log: limitedLog, now: () => systemClock.wall(), hostname, rest });
  const server = await orTaken("voyages-port", { host: "127.0.0.1", port }, serveHttp(port, app.fetch, log));
  opened.add({ close: () => server.close(0) });
  const tick = (): void => {
    losses.advance(systemClock.monotonic());
    void voyages.advance();
  };
  return { hearer: voyages, tick };
}
