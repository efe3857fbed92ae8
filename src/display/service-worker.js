/**
 * Keeps the display's own files, so that it opens without the boat's server. %FILES% and %BUILD% are filled in by the
 * build. The page is asked for anew each time and only taken from here when nobody answers; files with a hash in their
 * name never change.
 */
const BUILD = "hub-display-%BUILD%";
const FILES = "%FILES%".split(" ");

/** A server that takes longer than this is as good as none, milliseconds. */
const PATIENCE = 3000;

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(BUILD)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("hub-display-") && name !== BUILD;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(
      fetch(request, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => caches.match("./", { ignoreSearch: true })),
    );
    return;
  }
  event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});
