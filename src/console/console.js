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
});

/** The user types the password into Authorize; the page sends its hash. */
function hashPassword(request) {
  const authorization = request.headers?.Authorization;
  if (authorization !== undefined) request.headers.Authorization = bearerOf(authorization);
  return request;
}
