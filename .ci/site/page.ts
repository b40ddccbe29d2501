import { escaped } from "../../results/report/figure_table.ts";
import style from "./site.css" with { type: "text" };

/** A page of the site. */
export interface Page {
  /** Below the folder of the site: `docs/lab.html`. */
  readonly path: string;
  /** What tabs and search results call it. */
  readonly title: string;
  /** HTML of its main part. */
  readonly content: string;
  /** What a search finds it by; nothing for pages that are not worth finding. */
  readonly text?: string;
}

/** The way from a page to another place of the site. */
export function linkFrom(path: string, target: string): string {
  return "../".repeat(path.split("/").length - 1) + target;
}

const PLACES = [
  ["index.html", "Findings"],
  ["README.html", "Start"],
  ["docs/lab.html", "The lab"],
  ["notebooks/index.html", "Notebooks"],
  ["reports/index.html", "Reports"],
  ["api/index.html", "API"],
] as const;

/** A page as a file. It reads without scripts, which only search. */
export function pageText({ path, title, content }: Page): string {
  const to = (target: string) => linkFrom(path, target);
  const links = PLACES.map(([target, name]) =>
    `<a href="${to(target)}"${target === path ? ' aria-current="page"' : ""}>${name}</a>`
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)} · portlab</title>
<style>
${style}</style>
</head>
<body data-root="${to("")}">
<header>
<nav aria-label="Site">${links.join("\n")}</nav>
<form role="search" id="search" hidden><label>Search <input type="search"></label>
<ol id="found" aria-live="polite"></ol></form>
</header>
<main>
${content}
</main>
<script defer src="${to("search_index.js")}"></script>
<script defer src="${to("search.js")}"></script>
</body>
</html>
`;
}
