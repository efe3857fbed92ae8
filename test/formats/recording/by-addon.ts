/** `candump -L` as recordings from files are read: most lines by the addon. */
import { readCandumpLog } from "../../../src/adapters/node/can/can-bus.ts";
import { candumpLog } from "../../../src/formats/recording/formats/candump-log.ts";
import type { Format } from "../../../src/formats/recording/formats/format.ts";

export const candumpLogByAddon: Format = {
  ...candumpLog,
  createReader: (options) => candumpLog.createReader({ ...options, readCandumpLog }),
};
