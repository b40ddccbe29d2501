// The search of the site: `MiniSearch` and `SEARCH_PAGES` are of the file before this one.
const form = document.getElementById("search");
const found = document.getElementById("found");
const input = form.querySelector("input");
const RESULTS_MAX = 8;

const index = new MiniSearch({
  fields: ["title", "text"],
  storeFields: ["title", "path"],
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
});
let isFilled = false;

function search() {
  if (!isFilled) index.addAll(SEARCH_PAGES.map((page, id) => ({ id, ...page })));
  isFilled = true;
  const results = index.search(input.value).slice(0, RESULTS_MAX).map(({ title, path }) => {
    const link = document.createElement("a");
    link.href = document.body.dataset.root + path;
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    return item;
  });
  found.replaceChildren(...results);
  if (results.length === 0 && input.value !== "") found.textContent = "Nothing was found";
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
input.addEventListener("input", search);
