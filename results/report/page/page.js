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

/** Elements of more dots than these take a browser seconds; a canvas of them does not. */
const DOTS_MAX = 1000;

/** Draws the chart of a figure. Its place says in words what it shows. */
function draw(figure) {
  const container = figure.querySelector(".chart");
  const spec = JSON.parse(figure.querySelector("script").textContent);
  const dots = Math.max(...spec.data.map(({ values = [] }) => values.length));
  const renderer = dots > DOTS_MAX ? "canvas" : "svg";
  const view = new vega.View(vega.parse(spec), { container, renderer, hover: true });
  view.tooltip(showTooltip).run();
  container.firstElementChild.setAttribute("aria-hidden", "true"); // its place has the words
}

// A chart is drawn when it comes near the screen, so that a long report opens at once.
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    if (!target.querySelector("svg, canvas")) draw(target);
  }
}, { rootMargin: "600px" });
for (const figure of all("figure")) observer.observe(figure);

// Paper has no screen to come near to. What is drawn by `run` is there before the event has ended.
let closed = [];
addEventListener("beforeprint", () => {
  for (const figure of all("figure")) if (!figure.querySelector("svg, canvas")) draw(figure);
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

/** Rows that are in the page at once: a browser lays out more of them in seconds. */
const ROWS_MAX = 500;

/** A table that is sorted and filtered; its rows beyond the first are in a text until they are asked for. */
class Figures {
  constructor(table) {
    this.table = table;
    this.body = table.tBodies[0];
    this.rows = [...this.body.rows];
    this.rest = document.querySelector(`noscript[data-rest="${table.id}"]`);
    this.words = [];
    this.count = document.querySelector(`[data-count="${table.id}"]`);
    const headings = all("thead th", table).filter((heading) => heading.querySelector("button"));
    for (const [column, heading] of headings.entries()) {
      heading.querySelector("button").addEventListener("click", () => {
        const isUp = heading.getAttribute("aria-sort") !== "ascending";
        for (const other of headings) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
        this.sort(column, isUp ? 1 : -1);
      });
    }
    const input = document.querySelector(`input[data-filter="${table.id}"]`);
    const filter = () => {
      this.words = input.value.toLowerCase().split(/[\s;]+/).filter((word) => word !== "");
      if (this.words.length > 0) this.load();
      this.show();
    };
    input.addEventListener("input", filter);
    if (input.value !== "") filter();
    else this.tell(this.rows.length);
  }

  /** Reads the rest, outside of the page, where nothing is laid out. */
  load() {
    if (!this.rest) return;
    const template = document.createElement("template");
    template.innerHTML = this.rest.textContent;
    this.rows.push(...template.content.querySelectorAll("tr"));
    this.rest = null;
  }

  sort(column, sign) {
    this.load();
    const keyed = this.rows.map((row) => ({ row, key: valueOf(row, column) }));
    keyed.sort((left, right) => sign * compare(left.key, right.key));
    this.rows = keyed.map(({ row }) => row);
    this.show();
  }

  show(rowsMax = ROWS_MAX) {
    const found = this.rows.filter((row) => {
      const text = row.textContent.toLowerCase();
      return this.words.every((word) => text.includes(word));
    });
    this.body.replaceChildren(...found.slice(0, rowsMax));
    this.tell(found.length);
  }

  tell(found) {
    const restCount = this.rest ? this.rest.textContent.split("<tr ").length - 1 : 0;
    const all = this.rows.length + restCount;
    const hidden = found + restCount - this.body.rows.length;
    this.count.textContent = `${found + restCount} of ${all} points` +
      (hidden > 0
        ? `, of which ${this.body.rows.length} are shown: filter or sort for others`
        : "");
  }
}
const tables = all("table[data-sortable]").map((table) => new Figures(table));

addEventListener("beforeprint", () => {
  for (const table of tables) {
    table.load();
    table.show(Infinity);
  }
});
addEventListener("afterprint", () => {
  for (const table of tables) table.show();
});

function rowOf(id) {
  const named = () => tables.flatMap(({ rows }) => rows).find((row) => row.id === id);
  if (!named()) { for (const table of tables) table.load(); }
  return named();
}

/** A dot or a warning leads to a row: it is shown, with its command, whatever the filter is. */
function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  const row = id && !document.getElementById(id)?.matches(":not(tr)") ? rowOf(id) : undefined;
  if (!row) return;
  if (!row.isConnected) {
    tables.find(({ rows }) => rows.includes(row)).body.prepend(row);
    location.replace(location.href); // so that the row is the target of the page
  }
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
