/**
 * Messages of a daemon to systemd, by the protocol of sd_notify(3): it is ready; it works, so that the watchdog does not
 * end it. Node.js has no datagram sockets, so that systemd-notify(1) sends the messages. Nothing is done by
 * a process that systemd has not started itself (SYSTEMD_EXEC_PID of systemd.exec(5)): it has the socket of another one.
 */
import { systemClock } from "../../adapters/node/system-clock.ts";
import type { Log } from "../../core/ports/log.ts";

/** Messages within the time of the watchdog: two of them may be late or lost. */
const BEATS = 3;

/** Whether the daemon has worked since the last call. */
type Works = () => boolean | Promise<boolean>;

async function notify(state: string, log: Log): Promise<void> {
  const { execFile } = await import("node:child_process");
  await new Promise<void>((resolve) => {
    execFile("systemd-notify", [state], (error) => {
      if (error) log.warn("systemd is not told", { code: "NOTIFY_FAILED", state, reason: error.message.trim() });
      resolve();
    });
  });
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
