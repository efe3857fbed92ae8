/** Preloaded (`--import`) into both sides of a benchmark: writes the resource usage to descriptor 3 at the end of the process. */
import { writeSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ user: userCPUTime, system: systemCPUTime, memory: maxRSS * 1024 }));
});
