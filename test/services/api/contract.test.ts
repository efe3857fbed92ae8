import { serviceContract } from "../../contracts/service.ts";
import { newApp } from "./harness.ts";

serviceContract("memory, over Web fetch", async () => {
  const app = newApp();
  return {
    place: async (id, content) => app.place(id, content),
    file: async (id) => app.file(id),
    deployed: async () => app.memory.deployed && new TextDecoder().decode(app.memory.deployed),
    request: (method, path, body, headers) => app.request(path, { method, headers, ...(body && { body }) }),
  };
});
