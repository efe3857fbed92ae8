/**
 * Caches the display's files, so that it opens without the boat's server. The page itself comes from the network if the
 * server answers in time; other files have a hash in their name and come from the cache: the display's own from the
 * start, those of the coastline after their first use. The files of the build before stay for the pages that were opened
 * with it, which load some of them later. %…% are replaced by the build.
 */
const BUILD = "hub-display-%BUILD%";
const FILES = "%FILES%".split(" ");

const FETCH_TIMEOUT_MS = 3000;

const folder = new URL("./", location.href).href;

/** A file of this build or of the one before; the browser itself handles others, such as those of the services. */
const isFile = ({ url }) => url.startsWith(folder) && /^[^/?]*$/.test(url.slice(folder.length));

/** The file of this build, or else that of the one before. */
const find = async (request, options) =>
  (await caches.match(request, { ...options, cacheName: BUILD })) ?? caches.match(request, options);

/** A file of the coastline, which is cached when it is first used. */
const isCoast = ({ url }) => url.startsWith(`${folder}coast-`) && url.endsWith(".bin");

async function kept(request) {
  const before = await find(request);
  if (before !== undefined) return before;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(BUILD)).put(request, response.clone());
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
  const removeOld = async () => {
    const old = (await caches.keys()).filter(isOld);
    await Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
  };
  event.waitUntil(removeOld().then(() => self.clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(
      fetch(request, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(
        async () => (await find(request, { ignoreSearch: true })) ?? find("./"),
      ),
    );
    return;
  }
  if (isCoast(request)) event.respondWith(kept(request));
  else if (isFile(request)) event.respondWith(find(request).then((file) => file ?? fetch(request)));
});
