import { assertEquals, assertStringIncludes } from "@std/assert";
import { tracePage } from "./trace_page.ts";

const position = { line: 1, column: 1 };
const frames = [{ name: "main", position }];
const STEPS = [{ verb: "enter", written: "main", value: "", position, frames }];

Deno.test("tracePage() is a page that no text of a shader can break", () => {
  const page = tracePage(STEPS, `// </script><b>\nfn main() { }`, "a <b>");
  assertEquals(page.includes("</script><b>"), false);
  assertStringIncludes(page, "<h1>a &lt;b></h1>");
  assertStringIncludes(page, "step 1 of 1");
});
