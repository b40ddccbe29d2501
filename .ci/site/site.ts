import { dirname, join, normalize } from "@std/path";
import { loadRecords } from "../../results/load/load.ts";
import { reportPage } from "../../results/report/report_page.ts";
import { parseNotebook } from "../../notebooks/runner/notebook.ts";
import { readSources, type Source } from "../tidy/source.ts";
import { findingsHtml, type StoredRun } from "./findings.ts";
import { deadLinksIn } from "./dead_links.ts";
import { type LinkRule, markdownHtml } from "./markdown.ts";
import { notebookHtml } from "./notebook_html.ts";
import { escaped } from "../../results/report/figure_table.ts";
import { linkFrom, type Page, pageText } from "./page.ts";
import script from "./search.js" with { type: "text" };
import { ended } from "../../bench/machine/ended.ts";

const ROOT = new URL("../../", import.meta.url);

export interface SiteOptions {
  /** Is told what is written. */
  readonly tell?: (text: string) => void;
  /** Names of stored runs that get a report; all when absent. */
  readonly runNames?: readonly string[];
  /** Whether the documentation of the API is left out, which takes most of the time. */
  readonly isWithoutApi?: boolean;
}

export interface Site {
  readonly pageCount: number;
  /** Links and names of places that lead nowhere, with their pages. */
  readonly deadLinks: readonly string[];
}

/**
 * Writes the site into a folder, in place of what an earlier one left there.
 *
 * @throws {TypeError} when the folder holds something that is no site
 */
export async function writeSite(folder: string, options: SiteOptions = {}): Promise<Site> {
  const { tell = () => {} } = options;
  const runs = await storedRuns(options);
  const sources = readSources(ROOT);
  const shown = new Set<string>(); // sources that pages link to
  const pages: Page[] = [
    { path: "index.html", title: "Findings", ...contentOf(findingsHtml(runs)) },
    ...sources.filter(({ path }) => path.endsWith(".md")).map((source) =>
      documentOf(source, shown)
    ),
    ...notebookPages(sources, shown),
    listPage(
      "reports",
      "Reports of the stored runs",
      runs.map(({ name }) => [`${name}.html`, name]),
    ),
  ];
  pages.push(...sourcePages(sources, shown));
  clear(folder);
  tell("documentation of the API");
  if (!options.isWithoutApi) await writeApi(join(folder, "api"));
  for (const page of pages) await write(join(folder, page.path), pageText(page));
  await write(join(folder, MARK), await searchText(pages));
  await write(join(folder, "search.js"), script);
  for (const { name, records } of runs) {
    tell(`report of ${name}`);
    await write(join(folder, "reports", `${name}.html`), await reportPage(records));
  }
  return { pageCount: pages.length + runs.length, deadLinks: deadLinksIn(folder) };
}

async function storedRuns({ runNames }: SiteOptions): Promise<StoredRun[]> {
  const folder = new URL("results/raw/", ROOT);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length))
    .sort();
  const wanted = names.filter((name) => runNames?.includes(name) ?? true);
  return await Promise.all(wanted.map(async (name) => ({
    name,
    records: (await loadRecords(new URL(`${name}.jsonl`, folder))).records,
  })));
}

/** The content of a page, with what a search finds it by. */
function contentOf(content: string): Pick<Page, "content" | "text"> {
  return { content, text: content.replace(/<[^>]*>|data:\S+|&#\d+;/g, " ").replace(/\s+/g, " ") };
}

function documentOf({ path, text }: Source, shown: Set<string>): Page {
  const place = path.replace(/\.md$/, ".html");
  const title = /^# (.*)/m.exec(text)?.[1] ?? path;
  return { path: place, title, ...contentOf(markdownHtml(text, linkRule(path, shown))) };
}

/** Documents lead to pages, sources to pages of their text, and folders to nowhere but their README. */
function linkRule(path: string, shown: Set<string>): LinkRule {
  return (href) => {
    const [target = "", anchor = ""] = href.split(/(?=#)/);
    const place = normalize(join(dirname(path), decodeURI(target))).replace(/\/$/, "");
    const found = pagePlace(place, shown);
    return found && linkFrom(path, found) + anchor;
  };
}

function pagePlace(place: string, shown: Set<string>): string | undefined {
  if (/\.(md|ipynb)$/.test(place)) return place.replace(/\.\w+$/, ".html");
  const { isFile, isDirectory } = Deno.statSync(new URL(place, ROOT));
  if (isDirectory && place.startsWith("notebooks")) return "notebooks/index.html";
  if (isDirectory && place.startsWith("results")) return "reports/index.html";
  if (isDirectory && isThere(new URL(`${place}/README.md`, ROOT))) return `${place}/README.html`;
  if (isFile || isDirectory) shown.add(place);
  return `source/${place}.html`;
}

function notebookPages(sources: readonly Source[], shown: Set<string>): Page[] {
  const pages = sources.filter(({ path }) => path.endsWith(".ipynb")).map(({ path, text }) => {
    const notebook = parseNotebook(text, path);
    const content = notebookHtml(notebook, linkRule(path, shown));
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(content)?.[1] ?? path;
    return { path: path.replace(/\.ipynb$/, ".html"), title, ...contentOf(content) };
  });
  const links = pages.map(({ path, title }) => [path.replace("notebooks/", ""), title] as const);
  return [...pages, listPage("notebooks", "Notebooks, with what they show", links)];
}

function listPage(
  folder: string,
  title: string,
  links: readonly (readonly [href: string, name: string])[],
): Page {
  const items = links.map(([href, name]) => `<li><a href="${href}">${name}</a></li>`);
  const content = `<h1>${title}</h1>\n<ul>\n${items.join("\n")}\n</ul>`;
  return { path: `${folder}/index.html`, title, content };
}

function sourcePages(sources: readonly Source[], shown: ReadonlySet<string>): Page[] {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  return [...shown].map((path) => {
    const text = texts.get(path) ?? textAt(new URL(path, ROOT));
    const content = `<h1>${escaped(path)}</h1>\n<pre tabindex="0"><code>${
      escaped(text)
    }</code></pre>`;
    return { path: `source/${path}.html`, title: path, content };
  });
}

/** The text of a file; the names in a folder. */
function textAt(url: URL): string {
  if (Deno.statSync(url).isFile) return Deno.readTextFileSync(url);
  return [...Deno.readDirSync(url)].map(({ name }) => name).sort().join("\n");
}

function isThere(path: string | URL): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

/** What tells a site from any other folder that somebody may have named. */
const MARK = "search_index.js";

function clear(folder: string): void {
  const isOther = isThere(folder) && [...Deno.readDirSync(folder)].length > 0 &&
    !isThere(join(folder, MARK));
  if (isOther) {
    throw new TypeError(
      `Cannot write the site as ${folder} holds something else: choose another --out`,
    );
  }
  if (isThere(folder)) Deno.removeSync(folder, { recursive: true });
  Deno.mkdirSync(folder, { recursive: true });
}

/** The library and what it searches, as a script: a page that was opened as a file may not fetch. */
async function searchText(pages: readonly Page[]): Promise<string> {
  const library = new URL("../umd/index.js", import.meta.resolve("minisearch"));
  const found = pages.filter(({ text }) => text !== undefined)
    .map(({ path, title, text }) => ({ path, title: title.replace(/<[^>]*>/g, ""), text }));
  return `${await Deno.readTextFile(library)}\nconst SEARCH_PAGES = ${JSON.stringify(found)};\n`;
}

async function writeApi(folder: string): Promise<void> {
  const { exports } = JSON.parse(Deno.readTextFileSync(new URL("deno.json", ROOT)));
  const args = ["doc", "--html", "--name=portlab", `--output=${folder}`];
  const options = { cwd: ROOT, env: { NO_COLOR: "1" } };
  const paths = Object.values<string>(exports);
  const { code, error } = await ended(Deno.execPath(), [...args, ...paths], options);
  if (code === 0) return;
  const [, reason] = /(error: [^]*)/.exec(error) ?? [];
  throw new Error(`Cannot write the documentation of the API as deno doc says "${reason}"`);
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}
