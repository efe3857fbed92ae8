/**
 * Time of the guest in which nothing runs. Its clock counts instructions, and skips what is idle; a program that only burns
 * them keeps it from doing so while files of the host are waited for. A test that has all it needs in memory lets it skip.
 * Elsewhere than in the guest nothing of this changes anything.
 */

const burner = Number(process.env.HUB_IDLE_PID ?? 0);

/** Idle time passes from here on. */
export function keepIdleTime(): void {
  if (burner !== 0) process.kill(burner, "SIGCONT");
}

/** Idle time takes none from here on; the returned function ends that. */
export function skipIdleTime(): () => void {
  if (burner !== 0) process.kill(burner, "SIGSTOP");
  return keepIdleTime;
}
