/** The notifications API of Signal K version 2: lists hub's alarms and findings, and passes on the answers to alarms. */
import { type Context, Hono } from "hono";
import type { ActiveNotification, Boat } from "../../../formats/signalk/boat.ts";
import type { Env } from "../signalk-env.ts";
import { completed, failed } from "./replies.ts";

export interface NotificationsAppOptions {
  readonly boat: Pick<Boat, "self" | "notifications">;
  /** Answers an alarm by its id, or `all`; false while the broker is away. */
  answer(alarm: string, answer: Answer): boolean;
}

export type Answer = "acknowledge" | "silence";

const answers = ["acknowledge", "silence"] as const satisfies readonly Answer[];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function notificationsApp({ boat, answer }: NotificationsAppOptions): Hono<Env> {
  const entryOf = ({ path, value }: ActiveNotification) => ({ context: boat.self, path, value });
  const found = (id: string) => boat.notifications().find((each) => each.id === id.toLowerCase());
  const refusal = (c: Context<Env>, id: string): Response =>
    UUID.test(id) ? failed(c, 404, "Resource not found.") : failed(c, 400, "Invalid Data supplied.");
  const send = (c: Context<Env>, alarm: string, said: Answer): Response =>
    answer(alarm, said) ? completed(c) : failed(c, 503, "The broker is away.");
  const app = new Hono<Env>()
    .get("/", (c) => c.json(Object.fromEntries(boat.notifications().map((each) => [each.id, entryOf(each)]))))
    .get("/:id", (c) => {
      const notification = found(c.req.param("id"));
      return notification === undefined ? refusal(c, c.req.param("id")) : c.json(entryOf(notification));
    });
  for (const said of answers) {
    app.post(`/${said}All`, (c) => send(c, "all", said));
    app.post(`/:id/${said}`, (c) => {
      const notification = found(c.req.param("id"));
      if (notification === undefined) return refusal(c, c.req.param("id"));
      const { alarm } = notification;
      return alarm === undefined ? failed(c, 400, "A finding has no answer.") : send(c, alarm, said);
    });
  }
  return app;
}
