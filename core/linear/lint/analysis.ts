import { type Finding, findingOf } from "./finding.ts";
import { Flow } from "./flow/flow.ts";
import { ImportedNames } from "./syntax/imports.ts";
import { Kinds } from "./syntax/kind.ts";
import { Scope } from "./syntax/scope.ts";
import { solve } from "./flow/solve.ts";
import { followStatements } from "./statement/statement.ts";
import { children, type SyntaxNode } from "./syntax/syntax.ts";

/** Everything that the rules have to say about a file, from top to bottom. */
export function analyse(program: SyntaxNode, text: string): readonly Finding[] {
  const names = new ImportedNames(program);
  if (names.isEmpty) return [];
  const flow = new Flow(new Kinds(names));
  const statements = children(program, "body");
  flow.withScope(new Scope(), () => followStatements(flow, statements), program);
  const lineOf = lineCounter(text);
  solve(flow.entry, (rule, event, state) => {
    flow.findings.push(findingOf(rule, event, { state, lineOf }));
  });
  return unique(flow.findings).sort((left, right) => left.node.range[0] - right.node.range[0]);
}

/** A finalizer is followed once for each way through it, and so are its findings. */
function unique(findings: readonly Finding[]): Finding[] {
  const first = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.rule}:${finding.node.range.join()}`;
    if (!first.has(key)) first.set(key, finding);
  }
  return [...first.values()];
}

function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [...text.matchAll(/^/gm)].map(({ index }) => index);
    return starts.findLastIndex((start) => start <= offset) + 1;
  };
}
