/**
 * Messages of a daemon to systemd, by the protocol of sd_notify(3): it is ready; it works, so that the watchdog does not
 * end it. Node.js opens no datagram sockets of this kind, but writes to one that `OpenFile=` of the unit has opened, as
 * the main process. Without it systemd-notify(1) sends the messages, which needs `NotifyAccess=all`. Nothing is done by
 * a process that systemd has not started itself (SYSTEMD_EXEC_PID of systemd.exec(5)): it has the socket of another one.
 */
import { write } from "node:fs";
import { promisify } from "node:util";
import { systemClock } from "../../adapters/node/system-clock.ts";
import type { Log } from "../../core/ports/log.ts";

/** Messages within the time of the watchdog: two of them may be late or lost. */
const BEATS = 3;

/** Whether the daemon has worked since the last call. */
type Works = () => boolean | Promise<boolean>;

/** The first descriptor that systemd passes, and the name of the one of its socket, in the order of LISTEN_FDNAMES. */
const FIRST_DESCRIPTOR = 3;
const SOCKET_NAME = "notify";

function passedSocket(): number | undefined {
  const { LISTEN_PID, LISTEN_FDNAMES = "" } = process.env;
  const index = LISTEN_PID === String(process.pid) ? LISTEN_FDNAMES.split(":").indexOf(SOCKET_NAME) : -1;
  return index < 0 ? undefined : FIRST_DESCRIPTOR + index;
}

async function notify(state: string, log: Log): Promise<void> {
  const socket = passedSocket();
  try {
    if (socket !== undefined) await promisify(write)(socket, state);
    else {
      const { execFile } = await import("node:child_process");
      await promisify(execFile)("systemd-notify", [state]);
    }
  } catch (error) {
    log.warn("systemd is not told", { code: "NOTIFY_FAILED", state, reason: (error as Error).message.trim() });
  }
}

/**
 * Says that the daemon is ready. If the unit has a watchdog, it is told three times in its period that the daemon works,
 * as long as `works` says so; the returned object ends that.
 */
export async function announceReady(works: Works, log: Log): Promise<{ close(): void }> {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, SYSTEMD_EXEC_PID } = process.env;
  if (NOTIFY_SOCKET === undefined || SYSTEMD_EXEC_PID !== String(process.pid)) return { close() {} };
  await notify("READY=1", log);
  const watchdogMs = Number(WATCHDOG_USEC) / 1000;
  if (!(watchdogMs > 0)) return { close() {} };
  const beat = async (): Promise<void> => {
    if (await works()) await notify("WATCHDOG=1", log);
    else log.warn("nothing has worked since the last message to the watchdog", { code: "NOT_WORKING" });
  };
  return { close: systemClock.every(watchdogMs / BEATS, () => void beat()) };
}

/** Works as long as timers are called. */
export const whileTimersRun: Works = () => true;
