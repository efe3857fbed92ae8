/** OpenAPI 3.1 of the endpoints: the document of the console. The build writes it beside the console's files. */
import { sections } from "../../core/project/document.ts";
import { type Json, print } from "../../core/project/json.ts";
import { endpoints } from "./app.ts";
import { registerErrors } from "./http/error-responses.ts";
import { type Family, familiesOf } from "./http/families.ts";

const descriptions: Readonly<Record<Family, string>> = {
  ...sections,
  service: "Readiness and identity of the service",
  deploy: "The deployed configuration, which the rest of the boat reads",
  project: "Projects as a whole",
  backup: "A whole project out, and in again",
  transaction: "Several changes of a project, all or none",
  duplicate: "Copies of projects and templates",
  rename: "Another id for a project",
  "device-legend": "Labels of the zones of a local front panel",
  apps: "Files of applications, outside of projects",
  charts: "The boat's own charts, outside of projects",
  update: "New versions of hub on the boat's computer, where a program installs them",
  "deploy-backup": "Copies of what was deployed",
};

type ApiDocument = ReturnType<typeof endpoints.getOpenAPI31Document>;
interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
}

const mapped = <Value, Result>(values: object, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value as Value)]));

/** The document with its path parameters as components: a name has the same schema in every path. */
function withSharedParameters(document: ApiDocument) {
  const shared: Record<string, unknown> = {};
  const paths = mapped(document.paths ?? {}, (methods: object) =>
    mapped(methods, ({ parameters, ...operation }: Operation) => {
      for (const parameter of parameters ?? []) shared[parameter.name] = parameter;
      const references = parameters?.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }));
      return { ...operation, ...(references && { parameters: references }) };
    }),
  );
  return { ...document, components: { ...document.components, parameters: shared }, paths };
}

export function openApiDocument(version: string) {
  registerErrors(endpoints);
  endpoints.openAPIRegistry.registerComponent("securitySchemes", "password", {
    type: "http",
    scheme: "bearer",
    description: "SHA-256 of the project's password, 64 lower-case hex digits",
  });
  const document = endpoints.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "hub-configd",
      version,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
      description:
        "The boat's configuration service. Projects are one JSON file each; one of them is deployed as the configuration of the " +
        "whole boat. A project with a password wants its SHA-256 as a bearer token: use Authorize, which computes it.",
    },
    // The URL is relative to the document, so that it is right at the daemon and below a path of the proxy.
    servers: [{ url: "." }],
    tags: familiesOf(endpoints).map((name) => ({ name, description: descriptions[name] })),
  });
  return withSharedParameters(document);
}

/** The document as the file that the console loads. */
export const openApiText = (version: string): string => print(openApiDocument(version) as unknown as Json);
