import { type Finding, findingOf, unfollowedFinding } from "./finding.ts";
import { buildFunctions } from "./statement/function.ts";
import { followExpression } from "./expression/expression.ts";
import { Flow } from "./flow/flow.ts";
import { report, unfinishedAt } from "./solve/report.ts";
import { type Solution, solve } from "./solve/solve.ts";
import { followStatements, giveExports } from "./statement/statement.ts";
import { ImportedNames, relevanceOf, Words } from "./syntax/vocabulary.ts";
import { children, type SyntaxNode } from "./syntax/syntax.ts";
import { isLinearType } from "./types/value_type.ts";
import { Inference } from "./types/inference.ts";

/** Modules that are asked for by an expression or a type: `import("./linear/mod.ts")`. */
const DYNAMIC_IMPORT = /\b(?:import|require)\s*\(\s*["'][^"']*(?:linear|portlab)/i;

/** Words that bring a linear module in without a declaration. */
const ENTRANCES: readonly string[] = ["import", "require"];

/** Everything that the rules have to say about a file, from top to bottom. */
export function analyse(program: SyntaxNode, text: string): readonly Finding[] {
  const names = new ImportedNames(program);
  if (names.isEmpty && !DYNAMIC_IMPORT.test(text)) return [];
  const flow = graphOf(program, new Inference(names), text);
  const findings = [...flow.notes, ...findingsOf(flow, lineCounter(text))];
  return unique(findings).sort((left, right) => left.node.range[0] - right.node.range[0]);
}

function graphOf(program: SyntaxNode, types: Inference, text: string): Flow {
  const entrances = [...types.names.locals, ...ENTRANCES];
  const words = new Words(text);
  const { statements, names } = relevanceOf(children(program, "body"), { words, names: entrances });
  const follow = { expression: followExpression, statements: followStatements };
  const flow = new Flow(program, { types, words, follow });
  types.onTaught = (local) => {
    if (local.procedure) flow.waiting.add(local);
  };
  types.onTooDeep = (node) => flow.noteTooDeep(node);
  flow.relevantNames = names;
  flow.mainScope = types.blockScope(program, flow.scope);
  flow.within({ kind: "function", returnTo: flow.main.exit, local: undefined }, () => {
    flow.withScope(types.blockScope(program, flow.scope), () => {
      flow.followStatements(statements);
      giveExports(flow);
    }, program);
  });
  buildFunctions(flow);
  return flow;
}

function findingsOf(flow: Flow, lineOf: (offset: number) => number): readonly Finding[] {
  const findings: Finding[] = [];
  const solution = solve(flow);
  report(flow.main, solution, {
    onFinding: (finding) => findings.push(finding),
    onFault: (rule, event, state) => {
      const { type } = event.binding;
      const kind = type && isLinearType(type) ? type.kind : "port";
      findings.push(findingOf(rule, event, { kind, state, lineOf }));
    },
  });
  return [...findings, ...unfinishedFindings(solution)];
}

function unfinishedFindings(solution: Solution): readonly Finding[] {
  const block = unfinishedAt(solution);
  if (!block) return [];
  const event = block.events.find((one) => "node" in one);
  return [unfollowedFinding(event && "node" in event ? event.node : block.procedure.node)];
}

/** A name can be left in many ways, but is lost once. */
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
