/** The version of the page, and whether the boat's server has a newer one. */
import { signal } from "@preact/signals";
import { firstValues } from "./first-values.ts";

/** Version of this build; esbuild defines the constant. */
declare const HUB_VERSION: string;

export const version: string = HUB_VERSION;

/** Whether the boat's server has another build since the page was opened. */
export const isOutdated = signal(false);

/**
 * Registers the worker that keeps the display's files; browsers have such workers only over https and on localhost. A
 * worker of another build may take over while the page is still being loaded, so each one is asked.
 */
export function registerWorker(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const build = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  const ask = (): void => serviceWorker.controller?.postMessage(build);
  serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ readonly isOutdated?: boolean }>) => {
    if (data.isOutdated !== undefined) isOutdated.value = data.isOutdated;
  });
  serviceWorker.addEventListener("controllerchange", ask);
  const look = async (): Promise<void> => {
    const registration = await serviceWorker.register("service-worker.js");
    ask();
    // A browser looks for a new build only when the worker has been idle for a while, which may be after the visit.
    await firstValues;
    await registration.update();
  };
  void look().catch(() => {});
}
