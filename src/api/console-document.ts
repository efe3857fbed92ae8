/** The OpenAPI document that the console shows; the build writes it beside the console's files. */
import { type JsonObject, print } from "../project/json.ts";
import { openApi } from "../project/openapi.ts";
import { createApi } from "./app.ts";

/** Endpoints are described without being run, so nothing of this is ever called. */
const nothing = (): never => {
  throw new Error("only described");
};

const unused = new Proxy({}, { get: () => nothing }) as never;

export function consoleDocument(version: string): JsonObject {
  const { endpoints } = createApi({
    projects: unused,
    blobs: unused,
    console: unused,
    clock: unused,
    log: unused,
    name: "hub-configd",
    version,
    hostname: nothing,
  });
  return openApi(endpoints, {
    title: "hub-configd",
    version,
    description:
      "The boat's configuration service. Projects are one JSON file each; one of them is deployed as the configuration of the " +
      "whole boat. A project with a password wants its SHA-256 as a bearer token: use Authorize, which computes it.",
  });
}

/** The document as the file the console loads. */
export const consoleDocumentText = (version: string): string => print(consoleDocument(version));
