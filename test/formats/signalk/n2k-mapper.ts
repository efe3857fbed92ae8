/** `@signalk/n2k-signalk`, by which signalk-server makes paths and values of messages. */
import { createRequire } from "node:module";
import type { Value } from "../../../src/formats/signalk/row.ts";

interface Told {
  readonly path: string;
  readonly value: Value | null;
}

interface N2kMapper {
  toDelta(
    message: object,
  ): { readonly context?: string; readonly updates: readonly { readonly values: readonly Told[] }[] } | undefined;
}

// CommonJS without types.
export const { N2kMapper } = createRequire(import.meta.url)("@signalk/n2k-signalk") as {
  N2kMapper: new () => N2kMapper;
};
