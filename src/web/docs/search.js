/**
 * The search over all pages: sections that contain every word of the query, those with the words in their heading
 * first. Its index is loaded when the field is used; without scripts there is no field.
 */
const MOST = 30;
/** Letters around the first word that is found. */
const AROUND = 60;

const form = document.createElement("form");
form.className = "search";
form.setAttribute("role", "search");
form.setAttribute("aria-label", "All pages");
form.innerHTML =
  '<label for="search">Search all pages</label><input id="search" type="search" autocomplete="off"><ol aria-live="polite"></ol>';
document.querySelector("body > header nav").before(form);
const input = form.querySelector("input");
const list = form.querySelector("ol");

let index;
const load = () => {
  index ??= fetch("search.json").then((response) => response.json());
  return index;
};

/** 0 for all words in the heading, 1 for some, 2 for none. */
function rankOf([, page, heading], words) {
  const title = `${page} ${heading}`.toLowerCase();
  const hits = words.filter((word) => title.includes(word)).length;
  return hits === words.length ? 0 : hits > 0 ? 1 : 2;
}

function excerptOf(text, [word]) {
  const at = text.toLowerCase().indexOf(word);
  const from = Math.max(0, at - AROUND);
  const to = Math.max(0, at) + 2 * AROUND;
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

function itemOf([address, page, heading, text], words) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = address;
  link.textContent = heading === "" ? page : `${page}: ${heading}`;
  const excerpt = document.createElement("small");
  excerpt.textContent = excerptOf(text, words);
  item.append(link, " ", excerpt);
  return item;
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = words.length === 0 ? [] : await load();
  const found = entries
    .filter((entry) => words.every((word) => entry.slice(1).join(" ").toLowerCase().includes(word)))
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .sort((one, other) => one.rank - other.rank);
  const items = found.slice(0, MOST).map(({ entry }) => itemOf(entry, words));
  if (words.length > 0 && items.length === 0) {
    const none = document.createElement("li");
    none.textContent = "Nothing found";
    items.push(none);
  }
  list.replaceChildren(...items);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
input.addEventListener("focus", load);
input.addEventListener("input", search);
// The section that a result leads to may be on this page.
list.addEventListener("click", () => {
  input.value = "";
  void search();
});
