/** Actisense W2K-1 and PRO-NDC-1 with a server of type "N2K ASCII": whole messages in lines, with a time of day. */
import { actisenseAscii } from "../recording/formats/actisense-ascii.ts";
import type { Gateway } from "./gateway.ts";
import { noDate } from "./text.ts";

export const n2kAscii: Gateway = {
  title: "Actisense N2K ASCII",
  endpoints: [{ scheme: "n2k-ascii+tcp", transport: "tcp" }],
  carries: "messages",
  open: () => actisenseAscii.createReader(noDate),
};
