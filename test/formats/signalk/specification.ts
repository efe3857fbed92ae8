/** The schemas of the specification, by the package of those who write it. */
import { createRequire } from "node:module";

interface Outcome {
  readonly valid: boolean;
  readonly errors: readonly { readonly message: string; readonly dataPath: string }[];
}

interface PathMeta {
  readonly units?: string;
}

interface Schema {
  readonly metadata: Readonly<Record<string, PathMeta>>;
  validateFull(tree: unknown): Outcome;
  validateDelta(delta: unknown): Outcome;
  getTv4(): {
    validateResult(
      value: unknown,
      schema: unknown,
      recursive: boolean,
      strict: boolean,
    ): { readonly valid: boolean; readonly error?: Error };
  };
}

const require = createRequire(import.meta.url);
const schema = require("@signalk/signalk-schema") as Schema;
/** `/vessels/*` and a part in which RegExp and a pattern stand for a segment. */
const places = Object.entries(schema.metadata).map(([place, meta]) => ({
  segments: place
    .split("/")
    .slice(1)
    .map((segment) => (segment === "*" || segment === "RegExp" ? /^.+$/ : new RegExp(`^(?:${segment})$`))),
  meta,
}));

interface Point {
  readonly properties?: Readonly<Record<string, PathMeta>>;
}

/** The points of a course are not in the list that the package makes of its schemas. */
const course = require("@signalk/signalk-schema/schemas/groups/navigation.json").definitions.course.properties as {
  readonly nextPoint: { readonly anyOf: readonly Point[] };
  readonly previousPoint: { readonly allOf: readonly Point[] };
};
const points = { nextPoint: course.nextPoint.anyOf, previousPoint: course.previousPoint.allOf };
for (const [point, [, { properties = {} } = {}]] of Object.entries(points))
  for (const [name, meta] of Object.entries(properties))
    places.push({
      segments: ["vessels", ".+", "navigation", "course(GreatCircle|Rhumbline)", point, name].map(
        (each) => new RegExp(`^${each}$`),
      ),
      meta,
    });

/** If one of several properties is enough, the validator reports each missing one, in a tree that it calls valid. */
const isAlternative = (message: string): boolean =>
  /^Missing required property: (?:mmsi|url|uuid|vessels|aircraft|aton|sar)$/.test(message);

const described = ({ valid, errors }: Outcome): readonly string[] =>
  errors
    .filter(({ message }) => !valid || !isAlternative(message))
    .map(({ message, dataPath }) => `${dataPath}: ${message}`);

export const specification = {
  /** The entry of a path in the specification; undefined where it has none. */
  pathOf(root: string, path: string): PathMeta | undefined {
    const segments = [root, "id", ...path.split(".")];
    return places.find(
      (place) =>
        place.segments.length === segments.length &&
        place.segments.every((pattern, index) => pattern.test(segments[index]!)),
    )?.meta;
  },
  faultsOfDelta: (delta: unknown): readonly string[] => described(schema.validateDelta(delta)),
  faultsOfTree: (tree: unknown): readonly string[] => described(schema.validateFull(tree)),
  /** The fault of a message by one of the schemas, such as `hello.json`. */
  faultOf(value: unknown, name: string): string | undefined {
    const { valid, error } = schema
      .getTv4()
      .validateResult(value, require(`@signalk/signalk-schema/schemas/${name}`), true, true);
    return valid ? undefined : String(error?.message);
  },
};
