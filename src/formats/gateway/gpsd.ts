/** gpsd, which passes the sentences of its receivers on when it is asked for them, and writes them for other receivers. */
import type { Gateway } from "./gateway.ts";
import { openNmea0183 } from "./nmea0183.ts";
import { bytesOf } from "./text.ts";

export const gpsd: Gateway = {
  title: "gpsd",
  endpoints: [{ scheme: "gpsd", transport: "tcp", port: 2947 }],
  carries: "messages",
  open(options) {
    options.send(bytesOf('?WATCH={"enable":true,"nmea":true}\n'));
    return openNmea0183(options);
  },
};
