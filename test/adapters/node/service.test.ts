import { serveHttp } from "../../../src/adapters/node/http/server.ts";
import { serviceContract } from "../../contracts/service.ts";
import { diskService } from "../../support/disk-service.ts";

serviceContract("node, files and HTTP", () =>
  diskService(async (app, { log }) => {
    const server = await serveHttp(0, app.fetch, log);
    return { port: server.port, close: () => server.close(0) };
  }),
);
