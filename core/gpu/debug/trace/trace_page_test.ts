import { assertEquals, assertStringIncludes } from "@std/assert";
import { tracePage, TraceView } from "./trace_page.ts";

const position = { line: 1, column: 1 };
const frames = [{ name: "main", position }];
const STEPS = [{ verb: "enter", written: "main", value: "", position, frames }];

Deno.test("tracePage() is a page that no text of a shader can break", () => {
  const page = tracePage(STEPS, `// </script><b>\nfn main() { }`, "a <b>");
  assertEquals(page.includes("</script><b>"), false);
  assertStringIncludes(page, "<h1>a &lt;b></h1>");
  assertStringIncludes(page, "step 1 of 1");
});

Deno.test("TraceView shows a trace in a notebook, as a page in a frame and as lines", () => {
  const view = new TraceView(STEPS, 'fn main() { /* "&amp;" */ }');
  const shown = Reflect.get(view, Symbol.for("Jupyter.display")).call(view);
  assertEquals(shown, { "text/html": view.html, "text/plain": "   1 | main()\n" });
  // The attribute ends where the page does.
  assertEquals(
    view.html.split('"').length,
    2 * "sandbox width height srcdoc".split(" ").length + 1,
  );
  assertStringIncludes(view.html, String.raw`/* \&quot;&amp;amp;\&quot; */`);
});
