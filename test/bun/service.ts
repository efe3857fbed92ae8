/** The contract's tables on Bun: the Web handler behind its own server, and Node's server and files as Bun has them. */
import { serveHttp } from "../../src/adapters/node/http/server.ts";
import { serviceContract } from "../contracts/service.ts";
import { diskService } from "../support/disk-service.ts";

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch(request: Request): Response | Promise<Response> }): {
    readonly port: number;
    stop(closeConnections: boolean): Promise<void>;
  };
};

serviceContract("bun, Bun.serve", () =>
  diskService(async (app) => {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => app.fetch(request) });
    return { port: server.port, close: () => server.stop(true) };
  }),
);

serviceContract("bun, node:http", () =>
  diskService(async (app, { log }) => {
    const server = await serveHttp(0, app.fetch, log);
    return { port: server.port, close: () => server.close(0) };
  }),
);
