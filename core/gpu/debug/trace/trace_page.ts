import type { TraceStep } from "../debug_report.ts";
import { momentText, stepText, TracePlayer } from "./trace_player.ts";

/**
 * A page in which a trace is stepped forth and back, by buttons or arrow keys. It needs nothing else, so
 * that it can be written to a file; {@linkcode TraceView} shows it in a notebook.
 *
 * @throws {TypeError} when there are no steps
 */
export function tracePage(steps: readonly TraceStep[], source: string, title = "Trace"): string {
  const player = new TracePlayer(steps);
  const moments = steps.map((_, index) => {
    player.move(index - player.index);
    return momentText(player, source, 15);
  });
  // A text of the shader cannot end the script.
  const data = JSON.stringify(moments).replaceAll("<", "\\u003c");
  const escaped = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return PAGE.replaceAll("TITLE", () => escaped).replace("MOMENTS", () => data);
}

/**
 * A trace as the last value of a notebook's cell: the page of {@linkcode tracePage} in a frame of its own,
 * and its steps as lines where a client shows texts only.
 *
 * @example
 * ```ts
 * import { TraceView } from "./trace_page.ts";
 * const position = { line: 2, column: 3 };
 * const frames = [{ name: "main", position }];
 * const step = { verb: "set", written: "x", value: "4", position, frames };
 * const { text, html } = new TraceView([step], "fn main() {\n  x = 4;\n}");
 * if (text !== "   2 | x = 4\n" || !html.startsWith("<iframe ")) throw new Error(text);
 * ```
 */
export class TraceView {
  /** The frame with the page. */
  readonly html: string;
  /** All steps, a line each. */
  readonly text: string;

  /**
   * Makes the page and the lines.
   *
   * @throws {TypeError} when there are no steps
   */
  constructor(steps: readonly TraceStep[], source: string, title = "Trace") {
    const page = tracePage(steps, source, title);
    const quoted = page.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    this.html =
      `<iframe sandbox="allow-scripts" width="100%" height="560" srcdoc="${quoted}"></iframe>`;
    this.text = steps.map((step) => `${stepText(step)}\n`).join("");
  }

  /** For Jupyter: the trace in each form. */
  [Symbol.for("Jupyter.display")](): Record<string, string> {
    return { "text/html": this.html, "text/plain": this.text };
  }
}

const PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>TITLE</title>
  </head>
  <body>
    <h1>TITLE</h1>
    <p>
      <button id="back">&larr; Back</button>
      <button id="forth">Forth &rarr;</button>
      <input id="at" type="range" min="0" value="0" aria-label="Step">
    </p>
    <pre id="moment"></pre>
    <script>
    const moments = MOMENTS;
    const [at, moment] = ["at", "moment"].map((id) => document.getElementById(id));
    at.max = moments.length - 1;
    const show = (index) => {
      at.value = index;
      moment.textContent = moments[at.value];
    };
    const move = (count) => show(Number(at.value) + count);
    document.getElementById("back").onclick = () => move(-1);
    document.getElementById("forth").onclick = () => move(1);
    at.oninput = () => show(at.value);
    onkeydown = ({ key, target }) => {
      if (target !== at && key === "ArrowLeft") move(-1);
      if (target !== at && key === "ArrowRight") move(1);
    };
    show(0);
    </script>
  </body>
</html>
`;
