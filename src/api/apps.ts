/** Applications: bytes that are part of no project, not deployed, not backed up and not guarded by a password. */
import * as z from "zod";
import type { MediaBody } from "../project/families/media.ts";
import { Refusal } from "../project/refusal.ts";
import { bytesAnswer, jsonAnswer } from "./answers.ts";
import { type Context, type Endpoint, endpoint } from "./endpoint.ts";
import { orRefuse } from "./errors.ts";

const feature = "apps";

export const apps = ({ blobs, turns }: Context): readonly Endpoint[] => [
  endpoint({
    feature,
    method: "GET",
    path: "/apps",
    summary: "List the files of applications",
    success: 200,
    answer: z.array(z.string()),
    handle: async () => jsonAnswer(200, await orRefuse("cannot read application", blobs.list())),
  }),
  endpoint({
    feature,
    method: "GET",
    path: "/apps/{application}",
    summary: "Read the file of an application",
    success: 200,
    refusals: [404],
    async handle({ params: { application } }) {
      const bytes = await orRefuse("cannot read application", blobs.read(application));
      if (bytes === undefined) throw new Refusal(404, "no such application");
      return bytesAnswer(bytes, { "Content-Type": "application/octet-stream", "Cache-Control": "no-store" });
    },
  }),
  endpoint({
    feature,
    method: "PUT",
    path: "/apps/{application}",
    summary: "Store the body as the file of an application",
    success: 201,
    body: { schema: z.unknown() as z.ZodType<MediaBody>, raw: true },
    answer: z.object({ id: z.string(), size: z.int() }),
    handle: ({ params: { application: id }, body }) =>
      turns(async () => {
        const bytes = body().data as Uint8Array;
        await orRefuse("cannot save application", blobs.write(id, bytes));
        return jsonAnswer(201, { id, size: bytes.length });
      }),
  }),
  endpoint({
    feature,
    method: "DELETE",
    path: "/apps/{application}",
    summary: "Delete the file of an application",
    success: 200,
    answer: z.object({}),
    refusals: [404],
    handle: ({ params: { application } }) =>
      turns(async () => {
        const wasThere = await orRefuse("cannot delete application", blobs.remove(application));
        if (!wasThere) throw new Refusal(404, "no such application");
        return jsonAnswer(200, {});
      }),
  }),
];
