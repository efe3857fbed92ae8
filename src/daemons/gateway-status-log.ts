/** Logs when a gateway comes and goes, and each new reason why it is away. */
import type { GatewayStatus } from "../adapters/node/gateway-source.ts";
import type { Log } from "../ports/log.ts";

export const gatewayStatusLog =
  (source: string, log: Log) =>
  ({ isUp, reason = "" }: GatewayStatus): void => {
    if (isUp) log.info("connected to the gateway", { source });
    else log.warn("the gateway is away, trying again", { code: "GATEWAY_AWAY", source, reason });
  };
