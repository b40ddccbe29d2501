import { assertEquals } from "@std/assert";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { CallGraph, CallWays } from "./call_graph.ts";
import { DebugRewrite } from "./debug_rewrite.ts";
import { ExpressionRewrite } from "./expression_rewrite.ts";

function rewritten(body: string): string {
  const text = new WgslText(
    `fn f(x: f32) -> f32 { return x; } fn g(x: f32, a: array<f32, 4>) { ${body} }`,
  );
  const rewrite = new DebugRewrite(text);
  const graph = new CallGraph(text);
  const options = {
    ways: new CallWays(graph),
    bounds: true,
    watch: new Set(["nan"] as const),
    isInstrumented: (name: string) => name === "f",
  };
  const expressions = new ExpressionRewrite(rewrite, options);
  const of = graph.functions[1]!;
  for (const one of graph.bodyOf(of)!.statements) expressions.statement(one, of);
  return text.edited(rewrite.edits).split(" { ").at(-1)!.slice(0, -2);
}

Deno.test("ExpressionRewrite wraps the innermost parts in the order of the text", () => {
  assertEquals(
    rewritten("let y = f(x) + sqrt(a[u32(x)],) * 2.0;").replaceAll(/debug_\d/g, "debug_#"),
    "let y = debug_2(f(x, debug_way) , debug_1(debug_0(a[debug_3(u32(u32(x)), u32(4), 3u, debug_way)], 2u, debug_way) , 2.0, 1u, debug_way), 0u, debug_way);"
      .replaceAll(/debug_\d/g, "debug_#"),
  );
});
