import { followExpression } from "./expression.ts";
import { ESCAPE, type Flow, LOOK } from "../flow/flow.ts";
import { placeOf } from "../flow/place.ts";
import { bare, child, children, isFunction, type SyntaxNode, word } from "../syntax/syntax.ts";
import { isListenerName } from "../syntax/vocabulary.ts";

/** `<Name attribute={value}>{child}</Name>`: the component has what it is given. */
export function followElement(flow: Flow, node: SyntaxNode): void {
  const head = child(node, "openingElement");
  for (const attribute of head ? children(head, "attributes") : []) {
    followAttribute(flow, attribute);
  }
  for (const inner of children(node, "children")) {
    const value = child(inner, "expression");
    if (value) followExpression(flow, value, placeOf(flow, value) ? ESCAPE : LOOK);
    else if (inner.type !== "JSXText") followExpression(flow, inner, ESCAPE);
  }
}

/** `onClick={() => port.send()}`: what a listener returns is nobody's. */
function followAttribute(flow: Flow, attribute: SyntaxNode): void {
  const container = child(attribute, "value") ?? attribute;
  const value = child(container, "expression") ?? child(container, "argument");
  if (!value) return;
  const name = child(attribute, "name");
  const isListener = name !== undefined && isListenerName(word(name, "name"));
  const node = bare(value);
  if (isListener && isFunction(node)) {
    flow.types.teachUse(flow.types.functionAt(node, flow.scope), "dropsResult");
  }
  followExpression(flow, value, ESCAPE);
}
