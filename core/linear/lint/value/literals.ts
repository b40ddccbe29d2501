import { child, children, literal, type SyntaxNode, word } from "../syntax/syntax.ts";
import type { Type } from "./value_type.ts";

/** `string` and `number`: no list of cases has all of them. */
const ANYTHING: Type = { kind: "literals", texts: undefined };
const BOOLEANS: ReadonlySet<string> = new Set(["true", "false"]);

/** The values of a literal type: `"a"`, `1`, `boolean`. */
export function literalType(node: SyntaxNode): Type | undefined {
  if (node.type === "TSBooleanKeyword") return { kind: "literals", texts: BOOLEANS };
  if (node.type !== "TSLiteralType") return ANYTHING;
  const value = child(node, "literal");
  const text = value && literalText(value);
  return text === undefined ? undefined : { kind: "literals", texts: new Set([text]) };
}

/** The members of an enum, as they are written where they are used. */
export function enumType(node: SyntaxNode): Type {
  const name = word(child(node, "id") ?? node, "name");
  const members = children(child(node, "body") ?? node, "members");
  const texts = members.map((one) => {
    const id = child(one, "id");
    return `${name}.${id ? word(id, "name") || word(id, "value") : ""}`;
  });
  return { kind: "literals", texts: new Set(texts) };
}

/** A literal or a `Name.member`, as text that is the same wherever it is written. */
export function literalText(node: SyntaxNode): string | undefined {
  if (node.type === "Literal") {
    const value = literal(node);
    return typeof value === "bigint" ? `${value}n` : JSON.stringify(value);
  }
  const sign = node.type === "UnaryExpression" && word(node, "operator") === "-" ? "-" : "";
  const argument = sign && child(node, "argument");
  if (argument) return `-${literalText(argument)}`;
  const object = node.type === "MemberExpression" ? child(node, "object") : undefined;
  const property = object && child(node, "property");
  return object && property ? `${word(object, "name")}.${word(property, "name")}` : undefined;
}
