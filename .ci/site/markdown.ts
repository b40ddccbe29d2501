// @ts-types="@types/markdown-it"
import MarkdownIt from "markdown-it";

/** Says where a link of a page leads within the site: nothing where that is no place of it. */
export type LinkRule = (href: string) => string | undefined;

/** A text of Markdown as HTML: headings have the names that links of forges use. */
export function markdownHtml(text: string, linkOf: LinkRule): string {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const names = new Map<string, number>();
  markdown.core.ruler.push("names", ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type === "heading_open") {
        token.attrSet("id", nameOf(tokens[at + 1]!.content, names));
      }
      for (const child of token.children ?? []) {
        if (child.type === "link_open") relink(child, linkOf);
      }
    }
  });
  // Blocks that scroll have to be reached by keys.
  markdown.renderer.rules.fence = (tokens, at) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[at]!.content)}</code></pre>\n`;
  return markdown.render(text);
}

interface Attributes {
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

function relink(token: Attributes, linkOf: LinkRule): void {
  const href = token.attrGet("href") ?? "";
  if (/^(\w+:|#)/.test(href)) return;
  token.attrSet("href", linkOf(href) ?? "#");
}

/** As forges name headings: letters and digits, with a hyphen for each blank. */
function nameOf(heading: string, names: Map<string, number>): string {
  const text = heading.replace(/\]\([^)]*\)/g, "]").toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
  const count = names.get(text) ?? 0;
  names.set(text, count + 1);
  return count === 0 ? text : `${text}-${count}`;
}
