import { assertEquals } from "@std/assert";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { assertCalls } from "./assert_calls.ts";
import { CallGraph } from "./call_graph.ts";
import { DebugRewrite } from "./debug_rewrite.ts";
import { PlainCopies } from "./plain_copies.ts";

Deno.test("PlainCopies leaves asserts out, and calls copies of shared functions", () => {
  const text = new WgslText(`fn inner() { assert(true); }
fn shared() { inner(); assert(
  inner() == 1); }
@vertex fn vs() { shared(); assert(true); }`);
  const graph = new CallGraph(text);
  const [inner, shared, vertex] = graph.functions;
  const rewrite = new DebugRewrite(text);
  const copies = new PlainCopies(rewrite, graph, assertCalls(text).values());
  copies.write({ others: [vertex!], shared: new Set([inner!, shared!]) });
  const written = text.edited(rewrite.edits).split("\n");
  assertEquals(written[0], "fn inner() { assert(true); }");
  assertEquals(written[3]!.replaceAll(/ +/g, " "), "@vertex fn vs() { debug_plain_shared(); ; }");
  assertEquals(
    rewrite.generated.replaceAll(/\s+/g, " ").trim(),
    "fn debug_plain_inner() { ; } fn debug_plain_shared() { debug_plain_inner(); ; }",
  );
});
