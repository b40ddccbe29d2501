import type { TraceStep } from "../debug_report.ts";
import { momentText, TracePlayer } from "./trace_player.ts";

/**
 * A page in which a trace is stepped forth and back, by buttons or arrow keys. It needs nothing else, so
 * that it can be written to a file, or shown in a notebook.
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
