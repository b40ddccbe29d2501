import { type Finding, findingOf, unfollowedFinding } from "./finding.ts";
import { buildFunctions } from "./statement/function.ts";
import { followExpression } from "./expression/expression.ts";
import { Flow } from "./flow/flow.ts";
import { report, unfinishedAt } from "./solve/report.ts";
import { type Solution, solve } from "./solve/solve.ts";
import { followStatements, giveExports } from "./statement/statement.ts";
import type { ts } from "./program/compiler.ts";
import type { CheckedFile } from "./program/checked_file.ts";
import { Oracle } from "./types/oracle.ts";
import { isLinearType } from "./types/value_type.ts";

/**
 * Everything that the rules have to say about a file, from top to bottom.
 *
 * @param stepsMax how much work to do before it stops, and says so
 */
export function analyse(file: CheckedFile, stepsMax?: number): readonly Finding[] {
  const flow = graphOf(file);
  const findings = [...flow.notes, ...findingsOf(flow, file.source, stepsMax)];
  return unique(findings).sort((left, right) => left.node.getStart() - right.node.getStart());
}

function graphOf(file: CheckedFile): Flow {
  const types = new Oracle(file);
  const follow = { expression: followExpression, statements: followStatements };
  const flow = new Flow(types, follow);
  types.onTaught = (local) => {
    if (local.procedure) flow.waiting.add(local);
  };
  flow.within({ kind: "function", returnTo: flow.main.exit, local: undefined }, () => {
    flow.withNames(file.source, () => {
      flow.followStatements(file.source.statements);
      giveExports(flow);
    });
  });
  buildFunctions(flow);
  return flow;
}

function findingsOf(flow: Flow, source: ts.SourceFile, stepsMax?: number): readonly Finding[] {
  const findings: Finding[] = [];
  const lineOf = (offset: number) => source.getLineAndCharacterOfPosition(offset).line + 1;
  const solution = solve(flow, stepsMax);
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
    const key = `${finding.rule}:${finding.node.getStart()}:${finding.node.end}`;
    if (!first.has(key)) first.set(key, finding);
  }
  return [...first.values()];
}
