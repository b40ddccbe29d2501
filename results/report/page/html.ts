/**
 * A text as HTML, in elements and in attributes.
 *
 * @example
 * ```ts
 * import { escaped } from "./html.ts";
 * if (escaped("<b>") !== "&#60;b&#62;") throw new Error(escaped("<b>"));
 * ```
 */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * A section of the page with its heading, or nothing where there is nothing to show.
 *
 * @param id names the section in links
 */
export function section(
  heading: string,
  { id, content, level = 3 }: {
    readonly id: string;
    readonly content: string;
    readonly level?: 2 | 3;
  },
): string {
  if (content === "") return "";
  return `<section aria-labelledby="${id}">
<h${level} id="${id}">${escaped(heading)}</h${level}>
${content}
</section>`;
}

/** Data for the script of the page. No text in it can end the element. */
export function jsonScript(data: unknown): string {
  return `<script type="application/json">${
    JSON.stringify(data).replaceAll("<", "\\u003c")
  }</script>`;
}
