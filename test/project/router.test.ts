import { expect, test } from "vitest";
import { compileRoutes } from "../../src/project/router.ts";

const route = (method: string, path: string) => ({ method, path });
const project = route("GET", "/project/{id}");
const rule = route("DELETE", "/project/{id}/commissioning/{groupId}/rules/{index}");
const find = compileRoutes([route("GET", "/health"), project, route("PUT", "/project/{id}"), rule]);

test("the router finds an endpoint by method and shape, and reads its segments", () => {
  expect(find("GET", ["project", "hull-42"])?.endpoint).toBe(project);
  const match = find("DELETE", ["project", "a", "commissioning", "b", "rules", "3"]);
  expect(match?.endpoint).toBe(rule);
  expect(match?.params()).toEqual({ id: "a", groupId: "b", index: 3 });
  expect(match?.params(["id"])).toEqual({ groupId: "b", index: 3 });
});

test.each<[string, (string | undefined)[]]>([
  ["POST", ["project", "hull-42"]],
  ["GET", ["project"]],
  ["GET", ["project", ""]],
  ["GET", ["project", "hull-42", ""]],
  ["GET", ["", "project", "hull-42"]],
  ["GET", ["constructor"]],
  ["GET", ["{id}"]],
  ["GET", [":id"]],
  ["GET", ["*"]],
  ["get", ["health"]],
  ["__proto__", ["health"]],
  ["constructor", ["health"]],
  ["GET", [undefined]],
])("the router finds nothing for %s %j", (method, path) => {
  expect(find(method, path)).toBeUndefined();
});

test("a malformed segment matches, and is refused when it is read", () => {
  expect(() => find("GET", ["project", undefined])?.params()).toThrow("malformed project id");
  expect(() => find("GET", ["project", "{id}"])?.params()).toThrow("malformed project id");
  expect(() => find("GET", ["project", ":id"])?.params()).toThrow("malformed project id");
  expect(() => find("GET", ["project", "a/b"])?.params()).toThrow("malformed project id");
});

test.each<[string, [string, string][]]>([
  [
    "another one",
    [
      ["GET", "/a"],
      ["GET", "/a"],
    ],
  ],
  [
    "another one",
    [
      ["GET", "/a/{id}"],
      ["GET", "/a/b"],
    ],
  ],
  [
    "another one",
    [
      ["GET", "/a/b"],
      ["GET", "/a/{id}"],
    ],
  ],
  ["unknown segment", [["GET", "/a/{boat}"]]],
  ["slash", [["GET", "a"]]],
])("routes that cannot be kept apart do not compile: %s", (why, routes) => {
  expect(() => compileRoutes(routes.map(([method, path]) => route(method, path)))).toThrow(why);
});
