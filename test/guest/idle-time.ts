/**
 * Idle time of the guest. Its clock counts instructions and skips idle time, except while a program burns instructions,
 * which it does so that waiting for files of the host takes no time. A test that has read its files may let the clock
 * skip. Outside of the guest these functions do nothing.
 */

const burner = Number(process.env.HUB_IDLE_PID ?? 0);

/** From here on idle time takes time. */
export function keepIdleTime(): void {
  if (burner !== 0) process.kill(burner, "SIGCONT");
}

/** From here on idle time is skipped, until the returned function is called. */
export function skipIdleTime(): () => void {
  if (burner !== 0) process.kill(burner, "SIGSTOP");
  return keepIdleTime;
}
