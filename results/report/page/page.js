// The script of a report: draws its charts, sorts and filters its tables, copies its commands.
// `vega` is the library, which stands before this script in the page.

/** @param {string} selector @returns {HTMLElement[]} */
function all(selector, root = document) {
  return [...root.querySelectorAll(selector)];
}

const tooltip = document.createElement("div");
tooltip.id = "tooltip";
tooltip.hidden = true;
document.body.append(tooltip);

/** What vega calls while the pointer is over a dot, and with nothing when it leaves. */
function showTooltip(_handler, event, _item, text) {
  tooltip.hidden = text === undefined || text === null || text === "";
  if (tooltip.hidden) return;
  tooltip.textContent = String(text);
  const { offsetWidth, offsetHeight } = tooltip;
  const left = Math.min(event.clientX + 14, document.documentElement.clientWidth - offsetWidth - 4);
  const top = Math.min(
    event.clientY + 14,
    document.documentElement.clientHeight - offsetHeight - 4,
  );
  Object.assign(tooltip.style, { left: `${Math.max(4, left)}px`, top: `${Math.max(4, top)}px` });
}

/** Draws the chart of a figure. Its place says in words what it shows. */
function draw(figure) {
  const container = figure.querySelector(".chart");
  const spec = JSON.parse(figure.querySelector("script").textContent);
  const view = new vega.View(vega.parse(spec), { container, renderer: "svg", hover: true });
  view.tooltip(showTooltip).run();
}

// A chart is drawn when it comes near the screen, so that a long report opens at once.
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    if (!target.querySelector("svg")) draw(target);
  }
}, { rootMargin: "600px" });
for (const figure of all("figure")) observer.observe(figure);

// Paper has no screen to come near to. What is drawn by `run` is there before the event has ended.
let closed = [];
addEventListener("beforeprint", () => {
  for (const figure of all("figure")) if (!figure.querySelector("svg")) draw(figure);
  closed = all("details:not([open])");
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
});

function valueOf(row, column) {
  const cell = row.cells[column];
  return "value" in cell.dataset ? Number(cell.dataset.value || NaN) : cell.textContent;
}

/** Texts by letters with their numbers by size; figures that are missing come last. */
function compare(left, right) {
  if (typeof left === "string") return left.localeCompare(right, "en", { numeric: true });
  if (Number.isNaN(left) || Number.isNaN(right)) return Number.isNaN(left) - Number.isNaN(right);
  return left - right;
}

for (const table of all("table[data-sortable]")) {
  const headings = all("thead th", table).filter((heading) => heading.querySelector("button"));
  const body = table.tBodies[0];
  for (const [column, heading] of headings.entries()) {
    heading.querySelector("button").addEventListener("click", () => {
      const isUp = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      const keyed = [...body.rows].map((row) => ({ row, key: valueOf(row, column) }));
      keyed.sort((left, right) => (isUp ? 1 : -1) * compare(left.key, right.key));
      body.append(...keyed.map(({ row }) => row));
    });
  }
}

for (const input of all("input[data-filter]")) {
  const { rows } = document.getElementById(input.dataset.filter).tBodies[0];
  const texts = new Map([...rows].map((row) => [row, row.textContent.toLowerCase()]));
  const count = document.querySelector(`[data-count="${input.dataset.filter}"]`);
  const filter = () => {
    const words = input.value.toLowerCase().split(/[\s;]+/).filter((word) => word !== "");
    for (const [row, text] of texts) row.hidden = !words.every((word) => text.includes(word));
    const shown = [...rows].filter((row) => !row.hidden).length;
    count.textContent = `${shown} of ${rows.length} points`;
  };
  input.addEventListener("input", filter);
  filter();
}

/** A dot or a warning leads to a row: it is shown, with its command, whatever the filter is. */
function openTarget() {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(row instanceof HTMLTableRowElement)) return;
  row.hidden = false;
  row.querySelector("details").open = true;
  row.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", openTarget);
openTarget();

document.addEventListener("click", async ({ target }) => {
  if (!(target instanceof HTMLElement) || !("copy" in target.dataset)) return;
  const code = target.parentElement.querySelector("code");
  getSelection().selectAllChildren(code); // where a page may not write to the clipboard
  try {
    await navigator.clipboard.writeText(code.textContent);
    target.textContent = "Copied";
  } catch {
    target.textContent = "Selected";
  }
});
