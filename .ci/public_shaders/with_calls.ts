import { CallGraph } from "../../core/gpu/debug/rewrite/call_graph.ts";
import { withPrintf } from "../../core/gpu/print/mod.ts";
import { insertion, type TextEdit, WgslText } from "../../core/gpu/syntax/wgsl_text.ts";

/** Each takes a software adapter some 25 ms to compile. */
const CALLS_MAX = 3;

/** Puts a `printf` of the first parameter, where it can be shown, into functions that may print, entry points first. */
export function withCalls(code: string): string | undefined {
  const text = new WgslText(code);
  const graph = new CallGraph(text);
  const reached = (stage: RegExp) =>
    graph.calledBy(
      graph.functions.filter(({ attributes }) => attributes.some(({ name }) => stage.test(name))),
    );
  const printing = [...reached(/^(?:compute|fragment)$/).difference(reached(/^vertex$/))];
  const edits: TextEdit[] = [];
  for (const { name, body, parameters } of printing.slice(0, CALLS_MAX)) {
    const { index } = text.tokens[body.start - 1]!;
    const value = parameters[0]?.name.text;
    const call = (shown: string) =>
      insertion(index + 1, ` printf("${name.text}${shown ? " %v" : ""}\\n"${shown});`);
    const found = [value ? `, ${value}` : "", ""].map(call).find((one) => prints(text, one));
    if (found) edits.push(found);
  }
  return edits.length > 0 ? text.edited(edits) : undefined;
}

function prints(text: WgslText, edit: TextEdit): boolean {
  try {
    withPrintf(text.edited([edit]));
    return true;
  } catch {
    return false;
  }
}
