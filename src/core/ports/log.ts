/** Log lines: a constant message, and fields for variable parts. */
import type { LogCode } from "./log-codes.ts";

export type LogLevel = "error" | "warn" | "info" | "debug";

export type LogFields = Readonly<Record<string, string | number | bigint | boolean | readonly (string | number)[]>>;

/** The fields of a line that needs action. */
export type CodedFields = LogFields & { readonly code: LogCode };

/** A message, or a function that makes one and is called only if the line is written. */
export type LazyMessage = string | (() => string);

export const messageOf = (message: LazyMessage): string => (typeof message === "string" ? message : message());

/**
 * @example log.warn("broker is away, trying again", { code: "BROKER_AWAY", broker: "mqtt://127.0.0.1:1883" });
 */
export interface Log {
  error(message: string, fields: CodedFields): void;
  warn(message: string, fields: CodedFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: LazyMessage, fields?: LogFields): void;
}
