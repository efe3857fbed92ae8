/** The portable tests as one worker: a request runs them all and answers how each went. */

/** The result of one test; `failure` is absent when it passed. */
export interface Outcome {
  readonly name: string;
  readonly ignored: boolean;
  readonly failure?: string;
}

/** The source of the worker. Files are read at the first request, because a worker may not do much before. */
export const suiteSource = (files: readonly string[]): string => `
  const worker = {
    async fetch(request) {
      if (new URL(request.url).pathname !== "/run") return new Response();
      const { collected } = await import("./test/workerd/vitest.ts");
      ${files.map((file) => `await import(${JSON.stringify(`./${file}`)});`).join("\n      ")}
      const outcomes = [];
      for (const { name, ignore, fn } of collected) {
        try {
          if (!ignore) await fn();
          outcomes.push({ name, ignored: ignore });
        } catch (error) {
          outcomes.push({ name, ignored: ignore, failure: String(error?.stack ?? error) });
        }
      }
      return Response.json(outcomes);
    },
  };
  export { worker as default };
`;
