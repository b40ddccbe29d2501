import { ts } from "../program/compiler.ts";
import { type Fault, findingOf } from "../finding.ts";
import { Run, type Site } from "./run.ts";
import { type End, isLinear, Item, List, Port, type Value } from "./value.ts";

/** What is wrong, and with what. */
export type Misuse = Omit<Fault, "node" | "isCertain">;

/** The place in the file that is looked at: where it is itself, or where it calls what is elsewhere. */
export function placeOf({ file }: Run, { node, scope }: Site): ts.Node | undefined {
  let place: ts.Node = node;
  let frame = scope.frame;
  while (place.getSourceFile() !== file.source) {
    const { calledFrom } = frame;
    if (!calledFrom) return undefined;
    place = calledFrom.node;
    frame = calledFrom.scope.frame;
  }
  return place;
}

/** Notes something to report. */
export function blame(run: Run, fault: Misuse, site: Site): void {
  const { subject } = fault;
  const end = subject instanceof Port ? subject.end : undefined;
  const node = placeOf(run, end && !fault.isKept ? callAfter(end, site) : site);
  // Who calls what when is the affair of whoever calls, and not of a class.
  const isOthers = end !== undefined && end.round > 0 && end.round < run.round;
  if (!node || isOthers || subject.isUnclear || subject.blamed.has(fault.rule)) return;
  subject.blamed.add(fault.rule);
  const isCertain = run.decisions.length === 0;
  run.findings.push(findingOf({ ...fault, node, isCertain }));
}

/** The call that came too late: not what it does is wrong, but that it is made. */
function callAfter(end: End, site: Site): Site {
  const { calledStep, calledFrom, func } = site.scope.frame;
  const isClosure = func && (ts.isArrowFunction(func.node) || ts.isFunctionExpression(func.node));
  if (!calledFrom || calledFrom.isInner || isClosure || calledStep <= end.step) return site;
  return callAfter(end, calledFrom);
}

/** Uses a port without consuming it. */
export function touch(run: Run, port: Port, site: Site): void {
  if (port.end && !isMisplaced(run, port, site)) {
    blame(run, { rule: "use-after-move", subject: port }, site);
  }
}

/** Whoever keeps a port that `using` closes is told where it is put, not where it is missed. */
export function isMisplaced(run: Run, port: Port, { scope }: Site): boolean {
  if (port.end?.kind !== "using" || !port.keptAt) return false;
  blame(run, { rule: "use-after-move", subject: port, isKept: "using" }, {
    node: port.keptAt,
    scope,
  });
  return true;
}

/** Consumes a port: this name is done with. */
export function consume(
  port: Port,
  { by, kind = "consumed" }: Partial<End> & Pick<End, "by">,
  site: Site,
): void {
  const { run } = site.scope;
  if (port.end) {
    if (!isMisplaced(run, port, site)) blame(run, { rule: "double-move", subject: port, by }, site);
  } else {
    port.end = {
      node: placeOf(run, site) ?? site.node,
      by,
      kind,
      round: run.round,
      step: run.stepCount,
    };
  }
}

/** Notes where a value goes that outlives the block. */
export function kept(value: Value, node: ts.Node): void {
  if (!isLinear(value)) return;
  value.keptAt = node;
  value.isShared = true;
}

/** The ports in a value that is handed over as it is, not through functions. */
export function* portsIn(value: Value, depth = 0): Iterable<Port> {
  if (value instanceof Port) yield value;
  if (depth > 4) return;
  if (value instanceof List) { for (const one of value.items) yield* portsIn(one, depth + 1); }
  if (value instanceof Item) {
    for (const one of value.parts.values()) yield* portsIn(one, depth + 1);
  }
}
