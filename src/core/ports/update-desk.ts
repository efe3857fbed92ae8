/** The program that updates hub on the boat's computer, which runs as another user: its report, and requests to it. */
import type { UpdateRequest } from "../report/update.ts";

export interface UpdateDesk {
  /** The file of its report; undefined where nothing updates hub. Never rejects. */
  report(): Promise<Uint8Array | undefined>;
  /** Leaves a request for it. A SystemError reports a failed system call. */
  ask(request: UpdateRequest): Promise<void>;
}
