import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type DownloadOptions, download } from "../../../../src/adapters/node/http/download.ts";

/** Downloads from a server that answers so. */
async function from(listener: RequestListener, options: Partial<DownloadOptions> = {}) {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file`);
  return download({ url, maxBytes: 10, timeoutMs: 300_000, ...options });
}

test("download gives the whole file and its validator", async () => {
  const file = await from((_, response) => response.writeHead(200, { etag: 'W/"1"' }).end("0123456789"));
  expect([String(file?.bytes), file?.etag]).toEqual(["0123456789", 'W/"1"']);
  expect((await from((_, response) => response.end()))?.bytes).toHaveLength(0);
});

test("download asks with the validator that is known, and without one otherwise", async () => {
  const asked: (string | undefined)[] = [];
  const listener: RequestListener = ({ headers }, response) => {
    asked.push(headers["if-none-match"]);
    response.writeHead(headers["if-none-match"] === '"1"' ? 304 : 200).end();
  };
  expect(await from(listener, { etag: '"1"' })).toBeUndefined();
  expect(await from(listener)).toBeDefined();
  expect(asked).toEqual(['"1"', undefined]);
});

test.each([301, 302, 303, 307, 308, 304, 201, 204, 206, 400, 404, 416, 500, 503])(
  "download refuses a %i",
  async (status) => {
    const listener: RequestListener = (_, response) => response.writeHead(status, { location: "/other" }).end();
    await expect(from(listener)).rejects.toMatchObject({
      kind: "failed",
      message: expect.stringMatching(
        `^the server answers ${status}${/^30[12378]$/.test(String(status)) ? "; redirects are not followed" : ""}$`,
      ),
    });
  },
);

test("download refuses a byte more than the limit, announced or not", async () => {
  const refused = { kind: "refused", message: "the file is too large: 11 bytes or more, 10 at most" };
  await expect(
    from((_, response) => response.writeHead(200, { "content-length": 11 }).flushHeaders()),
  ).rejects.toMatchObject(refused);
  await expect(from((_, response) => response.writeHead(200).write("0123456789x"))).rejects.toMatchObject(refused);
});

test("download gives up at its deadline, also where bytes trickle in", async () => {
  const silent = { kind: "failed", message: "the server is away: no whole answer within 0.1 s" };
  await expect(from(() => {}, { timeoutMs: 100 })).rejects.toMatchObject(silent);
  const trickle: RequestListener = (_, response) => {
    const timer = setInterval(() => response.write("x"), 30);
    response.on("close", () => clearInterval(timer));
  };
  await expect(from(trickle, { timeoutMs: 100 })).rejects.toMatchObject(silent);
  // The end of the connection would be that of the file.
  const unframed: RequestListener = (request, response) => {
    response.useChunkedEncodingByDefault = false;
    trickle(request, response);
  };
  await expect(from(unframed, { timeoutMs: 100 })).rejects.toMatchObject(silent);
});

test("download refuses a part of a file", async () => {
  const cut: RequestListener = (_, response) => {
    response.writeHead(200, { "content-length": 10 });
    response.write("01234", () => response.destroy());
  };
  await expect(from(cut)).rejects.toMatchObject({ kind: "failed", message: "the server is away: aborted" });
  const unended: RequestListener = (_, response) => void response.write("01234", () => response.destroy());
  await expect(from(unended)).rejects.toMatchObject({ kind: "failed", message: "the server is away: aborted" });
});
