import { assignPattern, demandOf, type Incoming } from "./assignment.ts";
import { followExpression } from "./expression.ts";
import { followDefaults } from "../function/parameter.ts";
import { hastyFinding } from "../finding.ts";
import { ESCAPE, type Flow } from "../flow/flow.ts";
import { type Place, placeOf } from "../flow/place.ts";
import { Binding } from "../syntax/scope.ts";
import { children, type SyntaxNode, word } from "../syntax/syntax.ts";
import { CHECKS } from "../syntax/vocabulary.ts";
import { pairedValues, partsOf } from "../types/hoist.ts";
import { memberType } from "../types/member.ts";
import { isContainer, isLinearType, type LinearType, type Type } from "../value/value_type.ts";

/** `[a, b] = [c, d]` pairs them, all values before all names; the parts of another array are lent. */
export function assignElements(flow: Flow, pattern: SyntaxNode, incoming: Incoming): void {
  const { isDeclaration, value } = incoming;
  const values = pairedValues(value);
  if (value && !values) followExpression(flow, value, ESCAPE);
  const paired = values?.map((one) => flow.typeOf(one));
  for (const [index, one] of (values ?? []).entries()) {
    const target = children(pattern, "elements")[index];
    followExpression(flow, one, target?.type === "Identifier" ? demandOf(target) : ESCAPE);
  }
  if (value && values && value.type !== "ArrayExpression") flow.mayThrow();
  const whole = value ? flow.typeOf(value) : incoming.type;
  for (const { key, inner } of partsOf(pattern)) {
    const type = paired ? paired[Number(key)] : partType(flow, whole, key);
    assignPattern(flow, inner, { isDeclaration, type });
  }
}

function partType(flow: Flow, whole: Type | undefined, key: string): Type | undefined {
  return whole && memberType(flow.types, whole, key);
}

/**
 * `{ value: port } = maybe` takes the port out; together with the check, `{ present, value }`, the
 * names go on speaking of the `Maybe`. The properties of a port are its own.
 */
export function assignProperties(flow: Flow, pattern: SyntaxNode, incoming: Incoming): void {
  const { value } = incoming;
  const type = value ? flow.typeOf(value) : incoming.type;
  if (isContainer(type)) return openContainer(flow, pattern, { ...incoming, type });
  if (value) {
    followExpression(
      flow,
      value,
      isLinearType(type) ? { act: "use", by: "destructuring" } : ESCAPE,
    );
  }
  for (const { key, inner } of partsOf(pattern)) {
    followDefaults(flow, inner);
    const { isDeclaration } = incoming;
    assignPattern(flow, inner, { isDeclaration, type: partType(flow, type, key) });
  }
}

type Opening = Incoming & {
  readonly type: LinearType & { readonly kind: "maybe" | "either" };
};

function openContainer(flow: Flow, pattern: SyntaxNode, incoming: Opening): void {
  const { value, type, isDeclaration } = incoming;
  const parts = new Map(partsOf(pattern).map(({ key, inner }) => [key, inner]));
  const check = parts.get(CHECKS[type.kind]);
  const port = parts.get("value");
  const known = value && placeOf(flow, value);
  if (!check && !port) return value && followExpression(flow, value, ESCAPE);
  if (check) {
    return nameParts(flow, { place: known ?? holdContainer(flow, pattern, incoming), check, port });
  }
  if (known) {
    flow.emit("move", known.binding, { node: known.node, inside: true, by: "destructuring" });
  } else if (value) {
    followExpression(flow, value, { act: "move", by: "destructuring" });
    flow.emitFault(hastyFinding(value, type.kind));
  }
  if (port) {
    assignPattern(flow, port, { isDeclaration, type: memberType(flow.types, type, "value") });
  }
}

/** A container that no name holds gets one; names that had parts of another one get it anew. */
function holdContainer(flow: Flow, pattern: SyntaxNode, incoming: Opening): Place {
  const { value, type, isDeclaration } = incoming;
  const names = partsOf(pattern).map(({ inner }) => flow.scope.resolve(word(inner, "name")));
  const known = isDeclaration ? undefined : names.find((one) => one?.alias)?.alias;
  if (value) followExpression(flow, value, { act: "move", by: "destructuring" });
  if (known) {
    flow.emit("overwrite", known.binding, { node: pattern, isLoan: type.isLoan });
    return { ...known, node: pattern, kind: type.kind, inside: false };
  }
  const declaredAs = names[0]?.declaredAs ?? "const";
  const binding = new Binding(pattern, { scope: flow.scope, declaredAs });
  binding.type = type;
  flow.scope.bindings.set(`destructured at ${pattern.range[0]}`, binding);
  flow.emit("define", binding, { node: pattern, isLoan: type.isLoan });
  return { binding, node: pattern, kind: type.kind, inside: false };
}

/** The names of the parts stand for the check and the value of the container. */
function nameParts(
  flow: Flow,
  { place, check, port }: {
    readonly place: Place;
    readonly check: SyntaxNode;
    readonly port: SyntaxNode | undefined;
  },
): void {
  const asked = flow.scope.resolve(word(check, "name"));
  if (asked) asked.check = { place, isNegated: false };
  const held = port && flow.scope.resolve(word(port, "name"));
  if (held) held.alias = { ...place, kind: "port", inside: true };
}
