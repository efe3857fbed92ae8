/** Preloaded (`--import`) into a program: writes the resource usage to descriptor 3 at the end of the process. */
import { writeSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpu: userCPUTime + systemCPUTime, memory: maxRSS / 1024 }));
});
