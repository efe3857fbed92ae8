/**
 * A filter over the sections of a page: shows those that contain every word of the query; without scripts all are
 * shown. The query is kept in the address, so that it can be linked to.
 */
const sections = [...document.querySelectorAll("[data-filter]")].map((element) => ({
  element,
  text: element.textContent.toLowerCase(),
}));
const chapters = [...document.querySelectorAll("[data-chapter]")];

const form = document.createElement("form");
form.className = "filter";
form.setAttribute("role", "search");
form.innerHTML =
  '<label for="filter">Filter</label><input id="filter" type="search" autocomplete="off"><output></output>';
const input = form.querySelector("input");
const output = form.querySelector("output");
document.querySelector("[data-filter-here]").replaceWith(form);

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { element, text } of sections) {
    const isShown = words.every((word) => text.includes(word));
    element.hidden = !isShown;
    if (isShown) shown += 1;
  }
  for (const chapter of chapters) chapter.hidden = chapter.querySelector("[data-filter]:not([hidden])") === null;
  output.textContent = words.length === 0 ? "" : `${shown} of ${sections.length}`;
}

function keep() {
  const address = new URL(location.href);
  if (input.value === "") address.searchParams.delete("q");
  else address.searchParams.set("q", input.value);
  history.replaceState(null, "", address);
}

/** Shows a section that is filtered out when a link to it is followed. */
function reveal() {
  if (document.getElementById(location.hash.slice(1))?.closest("[hidden]") == null) return;
  input.value = "";
  filter();
  keep();
  document.getElementById(location.hash.slice(1)).scrollIntoView();
}

form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("input", () => {
  filter();
  keep();
});
addEventListener("hashchange", reveal);
input.value = new URLSearchParams(location.search).get("q") ?? "";
filter();
reveal();
