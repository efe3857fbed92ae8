/** Which requests make the service read so much JSON that others would wait for it. */
import type { ProjectStore } from "../ports/project-store.ts";
import { projectId } from "../project/names.ts";
import { requestPath } from "./request-path.ts";

/** Some milliseconds of reading, changing and printing. */
const LARGE_BYTES = 256 << 10;

/**
 * True for a request whose body, or the projects it names, are large. `length` is that of the body, undefined if it is not
 * announced. Files of applications are never large: they are streams.
 */
export async function isLarge(target: string, length: number | undefined, projects: ProjectStore): Promise<boolean> {
  const [, family, id, rest] = requestPath({ url: target } as Request, { env: { target } }).split("/");
  const exceeds = (size: number | undefined): boolean => size !== undefined && size > LARGE_BYTES;
  if (family === "deploy") return exceeds(await projects.size("deployed"));
  if (family !== "project") return false;
  if (id === undefined) return exceeds(await projects.size("all"));
  if (length === undefined || length > (rest === "transaction" ? LARGE_BYTES / 4 : LARGE_BYTES)) return true;
  // An id that is still encoded is decoded once more by the router.
  return projectId.test(id) ? exceeds(await projects.size({ id })) : id.includes("%");
}
