/** The services of the application: ports, and facts about the machine. */
import type { BlobStore } from "../../../core/ports/blob-store.ts";
import type { ChartStore } from "../../../core/ports/chart-store.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import type { ProjectStore } from "../../../core/ports/project-store.ts";
import type { StaticFiles } from "../../../core/ports/static-files.ts";
import type { UpdateDesk } from "../../../core/ports/update-desk.ts";

export interface Services {
  readonly projects: ProjectStore;
  readonly blobs: BlobStore;
  /** Absent: charts are not kept. */
  readonly charts?: ChartStore;
  /** Absent: nothing updates hub. */
  readonly updates?: UpdateDesk;
  readonly console: StaticFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly name: string;
  readonly version: string;
  /** A function, because a host name may change. */
  hostname(): string;
  /** The file of hub-config-fetch's last report; undefined if there is none. Never rejects. */
  fetchReport?(): Promise<Uint8Array | undefined>;
}
