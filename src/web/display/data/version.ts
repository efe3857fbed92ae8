/** The version of the page, and whether the boat's server has a newer one. */
import { signal } from "@preact/signals";

/** Version of this build; esbuild defines the constant. */
declare const HUB_VERSION: string;

export const version: string = HUB_VERSION;

/** Whether the boat's server has another build since the page was opened. */
export const isOutdated = signal(false);

/** Registers the worker that keeps the display's files; browsers have such workers only over https and on localhost. */
export function registerWorker(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  // The first one that takes over is of the build of the page.
  let isFirst = serviceWorker.controller === null;
  serviceWorker.addEventListener("controllerchange", () => {
    isOutdated.value = !isFirst;
    isFirst = false;
  });
  void serviceWorker.register("service-worker.js").catch(() => {});
}
