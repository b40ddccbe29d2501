import type { Flow } from "../flow/flow.ts";
import { askedPlace, type Place, placeOf } from "../flow/place.ts";
import { bare, children, flag, literal, part, type SyntaxNode, word } from "../syntax/syntax.ts";

/** A question about a place, and what the answer "yes" says of it. */
export interface Check {
  readonly place: Place;
  /** Whether "yes" says that nothing is there, or that nothing has arrived. */
  readonly isNegated: boolean;
}

/** The question that an expression asks: `maybe.present`, `!look.arrived`, `port !== undefined`. */
export function checkOf(flow: Flow, expression: SyntaxNode): Check | undefined {
  const node = bare(expression);
  switch (node.type) {
    case "UnaryExpression":
      if (word(node, "operator") !== "!") return undefined;
      return negated(conditionCheck(flow, part(node, "argument")));
    case "BinaryExpression":
      return comparisonCheck(flow, node);
    case "CallExpression": {
      const isCast = word(part(node, "callee"), "name") === "Boolean";
      const input = children(node, "arguments")[0];
      return isCast && input ? conditionCheck(flow, input) : undefined;
    }
    case "Identifier":
      return flow.scope.resolve(word(node, "name"))?.check;
    default:
      return saysPresent(askedPlace(flow, node));
  }
}

/** As {@linkcode checkOf}, for a place where a port by itself is a question, too. */
export function conditionCheck(flow: Flow, expression: SyntaxNode): Check | undefined {
  return checkOf(flow, expression) ?? saysPresent(portPlace(flow, expression));
}

function saysPresent(place: Place | undefined): Check | undefined {
  return place && { place, isNegated: false };
}

function negated(check: Check | undefined, isNegated = true): Check | undefined {
  return check && isNegated ? { ...check, isNegated: !check.isNegated } : check;
}

function portPlace(flow: Flow, node: SyntaxNode): Place | undefined {
  const place = placeOf(flow, node, true);
  return place?.kind === "port" ? place : undefined;
}

const COMPARISONS: ReadonlyMap<string, boolean> = new Map([
  ["===", true],
  ["==", true],
  ["!==", false],
  ["!=", false],
]);

/** `maybe.present === true`, `undefined !== port`, `typeof port === "object"` and their kin. */
function comparisonCheck(flow: Flow, node: SyntaxNode): Check | undefined {
  const isEqual = COMPARISONS.get(word(node, "operator"));
  if (isEqual === undefined) return undefined;
  const left = part(node, "left");
  const right = part(node, "right");
  const answer = equalityCheck(flow, left, right) ?? equalityCheck(flow, right, left);
  return negated(answer, !isEqual);
}

/** What it says that `subject` is equal to a constant. */
export function equalityCheck(
  flow: Flow,
  subject: SyntaxNode,
  constant: SyntaxNode,
): Check | undefined {
  const value = constantOf(constant);
  if (value === undefined) return undefined;
  const node = bare(subject);
  const isTypeof = node.type === "UnaryExpression" && word(node, "operator") === "typeof";
  if (isTypeof) return typeofCheck(flow, part(node, "argument"), value);
  if (value === "true" || value === "false") return negated(checkOf(flow, node), value === "false");
  const isNothing = value === "undefined" || value === "null";
  return isNothing ? negated(saysPresent(portPlace(flow, guarded(node)))) : undefined;
}

/** `port?.index` is `undefined` exactly where `port` is. */
function guarded(node: SyntaxNode): SyntaxNode {
  const isOptional = node.type === "MemberExpression" && flag(node, "optional");
  return isOptional ? part(node, "object") : node;
}

function typeofCheck(flow: Flow, argument: SyntaxNode, type: string): Check | undefined {
  const check = saysPresent(portPlace(flow, argument));
  return type === "string undefined"
    ? negated(check)
    : type === "string object"
    ? check
    : undefined;
}

/** A constant that a question is compared with, as text. */
function constantOf(node: SyntaxNode): string | undefined {
  if (node.type === "Identifier") {
    return word(node, "name") === "undefined" ? "undefined" : undefined;
  }
  if (node.type === "UnaryExpression") {
    return word(node, "operator") === "void" ? "undefined" : undefined;
  }
  const value = literal(node);
  if (node.type !== "Literal") return undefined;
  return typeof value === "string" ? `string ${value}` : `${value}`;
}
