/** The OpenAPI descriptions of signalk-server, by which responses are checked. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import { type NpmPackage, packageFolder } from "../npm-package.ts";

export const signalKServer: NpmPackage = {
  name: "signalk-server",
  version: "2.32.0",
  integrity: "sha512-z9jEkY02zEoFY/MVObQR+HO/WpwOWlmQuL+vkMRlevQTA41gwVjHMfC6YBEF5QAkhTcmVBA0twiNsE0E/72Kqg==",
};

type Json = ReturnType<typeof JSON.parse>;

const records: Readonly<Record<string, string>> = { history: "historyApiRecord" };

/** Why a response of an API with status 200 is none of signalk-server's; undefined if it is one. */
export function faultOf(api: keyof typeof records, path: string, body: unknown): string | undefined {
  const module = join(packageFolder(signalKServer), "dist/api", api, "openApi.js");
  const { apiDoc }: Json = createRequire(import.meta.url)(module)[records[api]!];
  const { schema }: Json = apiDoc.paths[path].get.responses["200"].content["application/json"];
  // Its description of values requires a member without a name, and `target`, which signalk-server does not send.
  const described = schema.required?.includes("") ? { ...schema, required: ["context"] } : schema;
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return ajv.validate(described, body) ? undefined : ajv.errorsText();
}
