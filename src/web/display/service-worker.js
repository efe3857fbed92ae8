/**
 * Caches the display's files, so that it opens at once, and without the boat's server. Pages come from the cache too, so
 * that they and their files are of one build: a browser looks for another worker with each of them, and a new build is
 * opened as soon as its worker has all of it. Other files have a hash in their name: the display's own are cached from
 * the start, those of the coastline after their first use. The files of the build before stay for the pages that were
 * opened with it, which load some of them later. %…% are replaced by the build.
 */
const BUILD = "hub-display-%BUILD%";
const FILES = "%FILES%".split(" ");

/** Whether the server refuses pages, such as without a password: then it speaks for itself, since a page cannot. */
let isRefused = false;

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

/** A page that is not cached. */
const fetched = (request) => fetch(request).catch(() => find("./"));

/** Asks the server what it says to a page that came from the cache; a refusal loads the page again, from the server. */
async function ask({ request, resultingClientId }) {
  const wasRefused = isRefused;
  const { type, status } = await fetch(request);
  isRefused = type === "opaqueredirect" || (status >= 400 && status < 500);
  if (isRefused && !wasRefused) (await self.clients.get(resultingClientId))?.postMessage({ isRefused });
}

/** A page asks whether the worker is of its own build. */
addEventListener("message", ({ data, source }) => {
  source.postMessage({ isOutdated: `hub-display-${data}` !== BUILD });
});

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
    if (!isRefused) event.respondWith(find(request, { ignoreSearch: true }).then((page) => page ?? fetched(request)));
    event.waitUntil(ask(event).catch(() => {}));
    return;
  }
  if (isCoast(request)) event.respondWith(kept(request));
  else if (isFile(request)) event.respondWith(find(request).then((file) => file ?? fetch(request)));
});
