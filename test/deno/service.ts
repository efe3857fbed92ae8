/**
 * The contract's tables on Deno: the Web handler behind its own server, and Node's server and files as Deno has them.
 */
import { serveHttp } from "../../src/adapters/node/http/server.ts";
import { serviceContract } from "../contracts/service.ts";
import { diskService } from "../support/disk-service.ts";

declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen(): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
};

serviceContract("deno, Deno.serve", () =>
  diskService(async (app) => {
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => app.fetch(request));
    return { port: server.addr.port, close: () => server.shutdown() };
  }),
);

serviceContract("deno, node:http", () =>
  diskService(async (app, { log }) => {
    const server = await serveHttp(0, app.fetch, log);
    return { port: server.port, close: () => server.close(0) };
  }),
);
