/**
 * Preloaded into a program: its timers are due as soon as nothing else is to be done, and its clocks go from one to the
 * next, so that the same run tells the same times on every machine. It begins at 08:00 and gets SIGTERM after
 * HUB_SECONDS.
 */
const begin = Date.UTC(2026, 10, 21, 8);
const end = Number(process.env.HUB_SECONDS) * 1000;

/** Milliseconds since the beginning. */
let now = 0;
Date.now = () => begin + now;
performance.now = () => now;
process.hrtime.bigint = () => BigInt(Math.round(now * 1e6));
// Memory differs from run to run, and is published.
process.memoryUsage.rss = () => 64 << 20;

/** Timers in the order in which they are due. */
const timers = [];

function add(timer) {
  const at = timers.findIndex(({ due }) => due > timer.due);
  timers.splice(at === -1 ? timers.length : at, 0, timer);
  return timer;
}

function remove(timer) {
  const at = timers.indexOf(timer);
  if (at !== -1) timers.splice(at, 1);
}

const later = (run, milliseconds, period) => {
  const timer = { due: now + Math.max(1, milliseconds ?? 1), period, run, ref: () => timer, unref: () => timer };
  return add(timer);
};
globalThis.setTimeout = (run, milliseconds, ...values) => later(() => run(...values), milliseconds);
globalThis.setInterval = (run, milliseconds, ...values) => later(() => run(...values), milliseconds, milliseconds);
globalThis.clearTimeout = globalThis.clearInterval = remove;

/** Between two timers all files that are being read have been read. */
const isBusy = () => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));

function turn() {
  if (!isBusy() && timers.length > 0) {
    const timer = timers.shift();
    if (timer.due > end) return process.emit("SIGTERM", "SIGTERM");
    now = timer.due;
    if (timer.period !== undefined) {
      timer.due += timer.period;
      add(timer);
    }
    timer.run();
  }
  setImmediate(turn);
}
setImmediate(turn);
