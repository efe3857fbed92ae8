/** Lines of `candump -L` from another computer with the bus: `candump -L can0 | socat - TCP-LISTEN:2000`. */
import { candumpLog } from "../recording/formats/candump-log.ts";
import type { Gateway } from "./gateway.ts";
import { noDate } from "./text.ts";

export const candump: Gateway = {
  title: "candump -L",
  endpoints: [{ scheme: "candump+tcp", transport: "tcp" }],
  carries: "frames",
  hasDates: true,
  open: () => candumpLog.createReader(noDate),
};
