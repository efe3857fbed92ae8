/** Preloaded (`--import`) into both sides of a benchmark: writes what the process has used to descriptor 3 when it ends. */
import { writeSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ user: userCPUTime, system: systemCPUTime, memory: maxRSS * 1024 }));
});
