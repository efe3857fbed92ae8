/** nginx with the boat's site of the package, for tests. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The environment in which it is found. */
export const environment = { PATH: `${process.env.PATH}:/usr/sbin` };
const isInstalled = spawnSync("nginx", ["-v"], { env: environment }).error === undefined;
/** Why tests with nginx are skipped, unless it is installed; in CI they fail without it. */
export const withoutNginx = isInstalled || process.env.CI === "true" ? undefined : "nginx is not installed";

const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
const mimeTypes = "/etc/nginx/mime.types";

/**
 * Writes the example and the snippets to a folder, with texts replaced in all of them; the path of nginx's
 * configuration.
 */
export function writeBoatSite(folder: string, replaced: Readonly<Record<string, string>> = {}): string {
  cpSync(resolve("packaging/nginx"), join(folder, "snippets"), { recursive: true });
  cpSync(resolve("packaging/examples/boat.nginx"), join(folder, "boat"));
  for (const file of ["boat", ...readdirSync(join(folder, "snippets")).map((name) => `snippets/${name}`)]) {
    let text = readFileSync(join(folder, file), "utf8");
    for (const [from, to] of Object.entries(replaced)) text = text.replaceAll(from, to);
    writeFileSync(join(folder, file), text);
  }
  if (existsSync(mimeTypes)) cpSync(mimeTypes, join(folder, "mime.types"));
  const configuration = join(folder, "nginx.conf");
  writeFileSync(
    configuration,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? "user root;" : ""} events {}
    http {
      access_log off;
      include mime.type[s];
      ${temporary.map((part) => `${part}_temp_path ${folder}/${part};`).join(" ")}
      include boat;
    }`,
  );
  return configuration;
}
