import { blobStoreContract } from "../../contracts/blob-store.ts";
import { projectStoreContract } from "../../contracts/project-store.ts";
import { memoryBlobStore } from "./blob-store.ts";
import { memoryProjectStore, memoryProjects } from "./project-store.ts";

projectStoreContract("memory", async () => {
  const memory = memoryProjects();
  return {
    store: memoryProjectStore(memory),
    addTemplate: async (id, bytes) => void memory.templates.set(id, bytes),
    setAsideBytes: async (id) => memory.bad.get(id),
  };
});

blobStoreContract("memory", async () => memoryBlobStore());
