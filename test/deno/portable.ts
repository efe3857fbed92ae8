/** The tests of `deno task test` as one file: Deno loads the sources anew for each file. */
import { portableTests } from "../runtimes/portable.ts";

for (const file of ["test/deno/service.ts", ...portableTests()]) await import(`../../${file}`);
