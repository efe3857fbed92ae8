/**
 * A lock on a folder whose content a program has in memory, or appends to: a second program would overwrite or repeat
 * what the first one writes. It is an abstract socket with the folder's inode in its name. The kernel removes it when the
 * process ends in any way, and no file is left.
 *
 * Programs in network namespaces of their own, such as containers, do not see one another.
 */
import { stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { failedWith } from "../system-errors.ts";
import { ensureFolders, nodeFiles } from "./durable-files.ts";

/** Time for the owner to say which process it is; one that is suspended does not. */
const ANSWER_MS = 1000;
/** An owner that ends meanwhile leaves the lock to the next attempt. */
const ATTEMPTS = 3;

/**
 * Locks a folder, which is made if it is missing, for one use, such as `hub-link --state`; `close` unlocks it. Rejects
 * with the process that has it. Undefined where there can be no lock: without the folder, or without such sockets.
 */
export async function lockFolder(folder: string, use: string): Promise<Server | undefined> {
  const path = await socketPathOf(folder, use).catch(() => undefined);
  if (path === undefined) return undefined;
  let owner: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && owner === undefined; attempt++) {
    try {
      return await listen(path);
    } catch (error) {
      if (!failedWith(error, "EADDRINUSE")) return undefined;
    }
    owner = await ownerOf(path);
  }
  throw new Error(`${folder}: in use by another ${use}${owner ? `, process ${owner}` : ""}`);
}

/** The same for all paths to a folder. */
async function socketPathOf(folder: string, use: string): Promise<string> {
  await ensureFolders(nodeFiles, folder);
  const { dev, ino } = await stat(folder, { bigint: true });
  return `\0${use} ${dev}:${ino}`;
}

const listen = (path: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on("error", () => {}).end(String(process.pid)));
    server.on("error", reject).listen({ path }, () => resolve(server.unref()));
  });

/** The process id of an owner; empty if it does not answer, undefined if it is gone. */
const ownerOf = (path: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let answer = "";
    const socket = connect({ path });
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket
      .setEncoding("latin1")
      .on("data", (text: string) => {
        answer += text;
        if (answer.length > 10) socket.destroy();
      })
      .on("error", () => resolve(undefined))
      .on("close", () => resolve(/^\d{1,10}$/.exec(answer)?.[0] ?? ""));
  });
