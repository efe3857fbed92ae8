/** The program that updates hub, by its two places: a file with its report, and a folder for requests to it. */
import { promises } from "node:fs";
import { join } from "node:path";
import type { UpdateDesk } from "../../../core/ports/update-desk.ts";
import { withSystemErrors } from "../system-errors.ts";
import { reportReader } from "./report-reader.ts";

const MAX_REPORT_BYTES = 256 << 10;

/** A request is a file without content, so that a program with more rights reads nothing that was written here. */
export const nodeUpdateDesk = (reportFile: string, requestFolder: string): UpdateDesk => ({
  report: reportReader(reportFile, MAX_REPORT_BYTES),
  ask: (request) => withSystemErrors(promises.writeFile(join(requestFolder, request), "")),
});
