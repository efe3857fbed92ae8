/** The forms of messages as data: a program needs no schemas, and a page no zod, to read them. */
import { build } from "esbuild";

/** @type {import("esbuild").Plugin} */
export const formsAsData = {
  name: "forms-as-data",
  setup({ onLoad }) {
    onLoad({ filter: /core\/topics\/message-forms\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        entryPoints: [path],
        ...{ bundle: true, write: false, format: "esm", platform: "node", logLevel: "error" },
      });
      const { forms } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
      return { contents: `export const forms = JSON.parse(${JSON.stringify(JSON.stringify(forms))});` };
    });
  },
};
