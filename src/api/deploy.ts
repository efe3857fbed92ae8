/** The deployed configuration: making a project the one the rest of the boat reads, and handing it out. */
import * as z from "zod";
import { sha256Hex } from "../project/digest.ts";
import { Refusal } from "../project/refusal.ts";
import { bytesAnswer, jsonAnswer } from "./answers.ts";
import { unlessKnown } from "./caching.ts";
import { type Context, type Endpoint, endpoint } from "./endpoint.ts";
import { orRefuse } from "./errors.ts";
import { openProject } from "./open-project.ts";
import { isSame, remembering } from "./remembering.ts";

const digestOf = remembering(sha256Hex);

const deployed = remembering(async (bytes: Uint8Array) =>
  bytesAnswer(bytes, {
    ETag: `"${await digestOf(bytes)}"`,
    "Content-Type": "application/json",
    "Cache-Control": "max-age=0, no-cache",
  }),
);

export const deploy = (context: Context): readonly Endpoint[] => [
  endpoint({
    feature: "deploy",
    method: "GET",
    path: "/deploy",
    summary: "The deployed configuration, byte for byte",
    success: 200,
    refusals: [304, 404],
    async handle({ header }) {
      const bytes = await orRefuse("cannot read deployed file", context.projects.deployed());
      if (bytes === undefined) throw new Refusal(404, "nothing deployed");
      return unlessKnown(await deployed(bytes), header("if-none-match"));
    },
  }),
  endpoint({
    feature: "deploy",
    method: "PUT",
    path: "/project/{id}/deploy",
    summary: "Make a project or template the deployed configuration",
    success: 201,
    body: { schema: z.unknown() as z.ZodType<unknown>, optional: true },
    answer: z.object({ id: z.string(), etag: z.string() }),
    handle: ({ params: { id }, header }) =>
      context.turns(async () => {
        const { projects } = context;
        const { bytes } = await openProject(context, id, header("authorization"));
        const before = await orRefuse("cannot read deployed file", projects.deployed());
        if (before === undefined || !isSame(before, bytes)) {
          await orRefuse("cannot deploy project", projects.deploy(bytes));
        }
        return jsonAnswer(201, { id, etag: await digestOf(bytes) });
      }),
  }),
];
