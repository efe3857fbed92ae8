/**
 * The console: Swagger UI on the interface's own description. Everything it loads lies beside it, by relative paths, so it
 * works without the Internet and behind a proxy's path as well as at the service itself.
 */
import { bearerOf } from "./bearer.js";

globalThis.SwaggerUIBundle({
  dom_id: "#console",
  url: "openapi.json",
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: -1,
  requestInterceptor: hashPassword,
  onComplete: nameSelects,
});

/** Swagger UI leaves some of its selects without a name for screen readers, also those that appear later. */
function nameSelects() {
  const name = () => {
    for (const select of document.querySelectorAll("select:not([aria-label])"))
      select.setAttribute("aria-label", select.closest("label, .servers") ? "Server" : "Content type");
  };
  name();
  new MutationObserver(name).observe(document.getElementById("console"), { childList: true, subtree: true });
}

/** The user types the password into Authorize; the page sends its hash. */
function hashPassword(request) {
  const authorization = request.headers?.Authorization;
  if (authorization !== undefined) request.headers.Authorization = bearerOf(authorization);
  return request;
}
