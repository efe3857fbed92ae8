import { expect } from "vitest";
import { openApiText } from "../../../src/services/api/openapi.ts";
import { serviceContract } from "../../contracts/service.ts";
import { newApp } from "./harness.ts";

const { paths } = JSON.parse(openApiText("1.0.0")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
};

/** The statuses that OpenAPI has for a request; undefined where it has no such path. */
function documented(method: string, target: string): readonly string[] | undefined {
  const isOf = (path: string): boolean => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(target);
  // A path without a parameter goes before one that has it.
  const [path] = Object.keys(paths)
    .filter((each) => isOf(each) && paths[each]![method.toLowerCase()] !== undefined)
    .sort((one, other) => one.split("{").length - other.split("{").length);
  return path === undefined ? undefined : Object.keys(paths[path]![method.toLowerCase()]!.responses);
}

serviceContract("memory, over Web fetch", async () => {
  const app = newApp();
  return {
    place: async (id, content) => app.place(id, content),
    file: async (id) => app.file(id),
    deployed: async () => app.memory.deployed && new TextDecoder().decode(app.memory.deployed),
    request: async (method, path, body, headers) => {
      const response = await app.request(path, { method, headers, ...(body && { body }) });
      expect(documented(method, path) ?? ["404"], `${method} ${path}`).toContain(String(response.status));
      return response;
    },
  };
});
