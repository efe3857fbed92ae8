/**
 * New versions of hub, on a boat's computer that has a program for them: its report, and requests to it. The password is
 * that of the deployed configuration: a project without one can be made by anyone.
 */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { UpdateDesk } from "../../core/ports/update-desk.ts";
import { authorize } from "../../core/project/password.ts";
import { Refusal } from "../../core/project/refusal.ts";
import { parseUpdateReport, type UpdateReport, updateReport } from "../../core/report/update.ts";
import { endpoint } from "./http/endpoint.ts";
import type { ApiEnv } from "./http/env.ts";
import { orRefuse } from "./http/or-refuse.ts";
import { json } from "./http/responses.ts";
import type { Services } from "./http/services.ts";
import { examine } from "./stored-project.ts";

const family = "update";

async function openDesk({ updates }: Services): Promise<{ readonly desk: UpdateDesk; readonly report: UpdateReport }> {
  const bytes = await updates?.report();
  const report = bytes && parseUpdateReport(new TextDecoder().decode(bytes));
  if (updates === undefined || report === undefined) throw new Refusal(404, "nothing updates hub here");
  return { desk: updates, report };
}

export const update = new OpenAPIHono<ApiEnv>();

endpoint(
  update,
  {
    family,
    method: "get",
    path: "/update",
    summary: "The version of hub, a newer one with what is new, and what came of the last request",
    response: updateReport,
    errors: [404],
  },
  async (c) => json((await openDesk(c.get("services"))).report),
);

endpoint(
  update,
  {
    family,
    method: "put",
    path: "/update/{request}",
    summary: "Look for a newer version of hub, install it, take the former one again, or do so at night by itself",
    body: { schema: z.unknown(), optional: true },
    response: updateReport,
    errors: [404, 500],
    hasPassword: true,
  },
  async (c) => {
    const services = c.get("services");
    const { desk, report } = await openDesk(services);
    c.get("work").admit(await orRefuse("cannot read deployed file", services.projects.size("deployed")));
    const deployed = await orRefuse("cannot read deployed file", services.projects.deployed());
    if (deployed !== undefined)
      await authorize(examine({ template: false, bytes: [deployed] }).secret, c.req.header("authorization"));
    await orRefuse("cannot ask for an update", desk.ask(c.req.valid("param").request));
    return json(report, 201);
  },
);
