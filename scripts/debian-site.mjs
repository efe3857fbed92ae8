/** Debian, as this machine's apt has it. */
import { spawnSync } from "node:child_process";
import { Failure } from "./failure.mjs";

/** The release of Debian for which hub is made. */
export const SUITE = "trixie";

/** The site from which apt gets Debian; a machine may have been made without the lists. */
export function debianSite() {
  const args = ["indextargets", "--format", "$(SITE)", "Created-By: Packages", "Label: Debian"];
  const sites = () => spawnSync("apt-get", args, { encoding: "utf8" }).stdout ?? "";
  if (sites() === "") spawnSync("apt-get", ["-qq", "update"]);
  const [site] = sites().split("\n");
  if (!site) throw new Failure("apt knows no Debian");
  return site;
}
