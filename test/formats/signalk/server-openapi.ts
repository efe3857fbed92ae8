/** The OpenAPI descriptions of signalk-server, by which responses are checked. */

import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { type NpmPackage, packageFolder, withoutPackages } from "../../support/npm-package.ts";

const signalKServer: NpmPackage = {
  name: "signalk-server",
  version: "2.32.0",
  integrity: "sha512-z9jEkY02zEoFY/MVObQR+HO/WpwOWlmQuL+vkMRlevQTA41gwVjHMfC6YBEF5QAkhTcmVBA0twiNsE0E/72Kqg==",
};

/** The package with the schemas of its newer APIs, and the library that it needs. */
const serverApi: NpmPackage = {
  name: "@signalk/server-api",
  version: "2.32.0",
  integrity: "sha512-0GVSSADQXUy5A7cDbDUL5ogoNOiohAlaZ9eTGHeQLMVAxgsWT0sq/MsJ7H1jEqNwUzj96ku+K9knJz9G3XRmYw==",
};
const typebox: NpmPackage = {
  name: "@sinclair/typebox",
  version: "0.34.52",
  integrity: "sha512-XiMQh7qqVlxZzcVD+kkGMNGMzcTrDMLWI7S4x7z1MkCkbDPrekpZXEUK0eZqZFMuHQg2a2DZOcDIh9o5v3Gonw==",
};

/** Why tests with the descriptions are skipped, or undefined. */
export const withoutServer = withoutPackages([signalKServer, serverApi, typebox]);

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

/** Why a value does not fit a schema of `@signalk/server-api`, such as `CourseInfoSchema`; undefined if it does. */
export function faultOfSchema(name: string, value: unknown): string | undefined {
  const folder = packageFolder(serverApi);
  const library = join(folder, "node_modules", typebox.name);
  if (!existsSync(library)) {
    mkdirSync(dirname(library), { recursive: true });
    symlinkSync(packageFolder(typebox), library);
  }
  const schemas: Json = createRequire(import.meta.url)(join(folder, "dist/typebox/index.js"));
  const byId = new Map(Object.values<Json>(schemas).map((schema) => [schema?.$id, schema]));
  /** The schema with those that it refers to in their places: some are there already, with the same identifier. */
  const whole = (part: Json): Json => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(whole);
    if (part.$ref !== undefined) return whole(byId.get(part.$ref));
    return Object.fromEntries(
      Object.entries(part).flatMap(([key, value]) => (key === "$id" ? [] : [[key, whole(value)]])),
    );
  };
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return ajv.validate(whole(schemas[name]), value) ? undefined : ajv.errorsText();
}
