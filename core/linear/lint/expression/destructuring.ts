import { assignPattern, demandOf, type Incoming } from "./assignment.ts";
import { followExpression } from "./expression.ts";
import { hastyFinding } from "../finding.ts";
import { ESCAPE, type Flow } from "../flow/flow.ts";
import { isContainer } from "../syntax/kind.ts";
import { placeOf } from "../flow/place.ts";
import { bare, child, children, keyName, type SyntaxNode } from "../syntax/syntax.ts";
import { CHECKS } from "../syntax/vocabulary.ts";

/** `[a, b] = [c, d]` pairs them, all values before all names; another array is not followed. */
export function assignElements(
  flow: Flow,
  pattern: SyntaxNode,
  { isDeclaration, value }: Incoming,
): void {
  const targets = children(pattern, "elements");
  const source = value && bare(value);
  const isPaired = source?.type === "ArrayExpression";
  if (source && !isPaired) followExpression(flow, source, ESCAPE);
  const values = isPaired ? children(source, "elements") : [];
  const kinds = values.map((one) => flow.kindOf(one));
  for (const [index, one] of values.entries()) {
    const target = targets[index];
    followExpression(flow, one, target?.type === "Identifier" ? demandOf(target) : ESCAPE);
  }
  for (const [index, target] of targets.entries()) {
    if (target) assignPattern(flow, target, { isDeclaration, kind: kinds[index] });
  }
}

/**
 * `{ value: port } = maybe` takes the port out. Together with the check, `{ present, value }`, the
 * names depend on each other, which is not followed. The properties of a port are its own.
 */
export function assignProperties(flow: Flow, pattern: SyntaxNode, incoming: Incoming): void {
  const { value, isDeclaration } = incoming;
  const isOpened = value !== undefined && opensContainer(flow, pattern, value);
  if (value) followSource(flow, value, isOpened);
  for (const one of children(pattern, "properties")) {
    const target = child(one, "value") ?? child(one, "argument");
    const isPort = isOpened && keyOf(one) === "value";
    if (target) assignPattern(flow, target, { isDeclaration, kind: isPort ? "port" : undefined });
  }
}

function keyOf(property: SyntaxNode): string {
  const key = child(property, "key");
  return key ? keyName(key) : "";
}

function opensContainer(flow: Flow, pattern: SyntaxNode, value: SyntaxNode): boolean {
  const kind = flow.kindOf(value);
  if (!isContainer(kind)) return false;
  const keys = children(pattern, "properties").map(keyOf);
  return keys.includes("value") && !keys.includes(CHECKS[kind]);
}

function followSource(flow: Flow, value: SyntaxNode, isOpened: boolean): void {
  const place = placeOf(flow, value);
  const kind = flow.kindOf(value);
  if (isOpened && place) {
    const { binding, node } = place;
    return flow.emit("move", binding, { node, inside: true, by: "destructuring" });
  }
  if (isOpened && isContainer(kind)) flow.findings.push(hastyFinding(value, kind));
  followExpression(flow, value, kind === "port" ? { act: "use", by: "destructuring" } : ESCAPE);
}
