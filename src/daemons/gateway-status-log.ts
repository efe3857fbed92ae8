/** Logs when a gateway comes and goes, and each new reason why it is away. */
import type { GatewayStatus } from "../adapters/node/gateways/source.ts";
import type { Log } from "../core/ports/log.ts";

export const gatewayStatusLog =
  (source: string, log: Log) =>
  ({ isUp, isConnected, reason = "" }: GatewayStatus): void => {
    if (isUp) log.info("connected to the gateway", { source });
    else if (isConnected) log.info("connected to the gateway, waiting for it", { source, reason });
    else log.warn("the gateway is away, trying again", { code: "GATEWAY_AWAY", source, reason });
  };
