import { type Notebook, type Output, sourceText } from "../../notebooks/runner/notebook.ts";
import { type LinkRule, markdownHtml } from "./markdown.ts";
import { escaped } from "../../results/report/figure_table.ts";

/** Colours of a terminal, which a page has no use for. */
// deno-lint-ignore no-control-regex
const ANSI = /\u001b\[[\d;]*m/g;

/** An executed notebook as HTML: prose, cells, and what they showed. */
export function notebookHtml(notebook: Notebook, linkOf: LinkRule): string {
  return notebook.cells.map((cell) => {
    const source = sourceText(cell);
    if (cell.cell_type !== "code") return markdownHtml(source, linkOf);
    const outputs = (cell.outputs ?? []).map(outputHtml).join("\n");
    return `<pre tabindex="0"><code>${escaped(source)}</code></pre>
<div class="output">${outputs}</div>`;
  }).join("\n");
}

function outputHtml(output: Output): string {
  if (output.output_type === "stream") return textHtml(output.text);
  if (output.output_type === "error") return textHtml(`${output.ename}: ${output.evalue}`);
  const { "image/png": png, "text/plain": text = "" } = output.data;
  if (typeof png !== "string") return textHtml(String(text));
  return `<img alt="${escaped(String(text))}" src="data:image/png;base64,${png}">`;
}

function textHtml(text: string): string {
  return `<pre tabindex="0">${escaped(text.replace(ANSI, ""))}</pre>`;
}
