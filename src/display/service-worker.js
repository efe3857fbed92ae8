/**
 * Caches the display's files, so that it opens without the boat's server. The page itself comes from the network if the
 * server answers in time; other files have a hash in their name and come from the cache: the display's own from the
 * start, those of the coastline after their first use. %…% are replaced by the build.
 */
const BUILD = "hub-display-%BUILD%";
const FILES = "%FILES%".split(" ");

const FETCH_TIMEOUT_MS = 3000;

/** The cached requests; the browser itself handles others, such as those of the configuration service. */
const cached = new Set(FILES.map((file) => new URL(file, location.href).href));

/** A file of the coastline, which is cached when it is first used. */
const isCoast = ({ url }) => url.startsWith(new URL("./coast-", location.href).href) && url.endsWith(".bin");

async function kept(request) {
  const cache = await caches.open(BUILD);
  const before = await cache.match(request);
  if (before !== undefined) return before;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

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
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(
      fetch(request, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(
        async () => (await caches.match(request, { ignoreSearch: true })) ?? caches.match("./"),
      ),
    );
    return;
  }
  if (isCoast(request)) event.respondWith(kept(request));
  else if (cached.has(request.url)) event.respondWith(caches.match(request).then((file) => file ?? fetch(request)));
});
