/**
 * The console: Swagger UI on the interface's own description. It loads all its files by relative paths, so that it
 * works without the Internet, at the service itself and below a path of a proxy.
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
  onComplete: describeAll,
});

/** Attributes that screen readers need and Swagger UI leaves out, by element. */
const descriptions = [
  ["select", (select) => ({ "aria-label": select.closest("label, .servers") ? "Server" : "Content type" })],
  ["textarea", () => ({ "aria-label": "Body" })],
  [".close-modal", () => ({ "aria-label": "Close" })],
  [".modal-btn.authorize", (button) => ({ "aria-label": button.textContent })],
  ["table[role=region]", ({ id }) => ({ "aria-label": id.replaceAll("_", " ") })],
  [".information-container", () => ({ role: "region", "aria-label": "Interface" })],
  [".scheme-container", () => ({ role: "region", "aria-label": "Server and password" })],
  [".filter-container", () => ({ role: "search" })],
  [".modal-ux", () => ({ role: "dialog", "aria-label": "Password" })],
  // One level less, because there is no heading between them and that of the page.
  ["h3", () => ({ "aria-level": "2" })],
  ["h4", () => ({ "aria-level": "3" })],
  ["h5", () => ({ "aria-level": "4" })],
];

/** Describes the elements of the page, and later ones as soon as they appear. */
function describeAll() {
  const root = document.getElementById("console");
  const describe = () => {
    for (const [selector, attributesOf] of descriptions)
      for (const element of root.querySelectorAll(selector))
        for (const [name, value] of Object.entries(attributesOf(element)))
          if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    // The keyboard does not reach a link within a button; the button opens the same operation.
    for (const link of root.querySelectorAll("button a[href]")) link.removeAttribute("href");
  };
  describe();
  new MutationObserver(describe).observe(root, { childList: true, subtree: true });
}

/** The user types the password into Authorize; the page sends its hash. */
function hashPassword(request) {
  const authorization = request.headers?.Authorization;
  if (authorization !== undefined) request.headers.Authorization = bearerOf(authorization);
  return request;
}
