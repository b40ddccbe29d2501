import type { Modes } from "./modes.ts";
import { ts } from "../program/compiler.ts";
import { bare, calledName, isAssignment, isFn, isInside } from "./syntax.ts";
import type { PortTypes } from "./port_types.ts";

/** What shows the elements of a collection, and leaves them where they are. */
const VIEWS =
  /^(values|entries|keys|slice|filter|concat|toSorted|toReversed|reverse|sort|get|at|find)$/;
/** A view of some elements. */
const PART = /\.(slice|filter|get|at|find)\(/;
const EMPTIES = /^(clear|splice|pop|shift|delete|set|fill)$/;

/** Answers what code does with a collection as a whole. */
export class Lists {
  readonly #types: PortTypes;
  readonly #modes: Modes;

  constructor(types: PortTypes, modes: Modes) {
    this.#types = types;
    this.#modes = modes;
  }

  /** The name or field whose elements an expression shows; nothing where they are its own. */
  shownBy(list: ts.Node): ts.Node | undefined {
    const node = bare(list);
    if (ts.isArrayLiteralExpression(node)) {
      const [first] = node.elements;
      return first && ts.isSpreadElement(first) ? this.shownBy(first.expression) : undefined;
    }
    if (ts.isAwaitExpression(node) || ts.isObjectLiteralExpression(node)) return undefined;
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return node;
    const { expression: callee, arguments: [first, mapper] = [] } = node;
    if (/^(Object\.(values|entries|keys)|Array\.from|Set|Map)$/.test(callee.getText())) {
      return first && !mapper ? this.shownBy(first) : undefined;
    }
    const isView = ts.isPropertyAccessExpression(callee) && VIEWS.test(callee.name.text) &&
      this.#types.kindAt(callee.expression) === "bag";
    return isView ? this.shownBy(callee.expression) : undefined;
  }

  /** The list whose ports a loop consumes, or a call of `forEach`, which does nothing else with it. */
  spentBy(node: ts.Node): ts.Node | undefined {
    const { whole, variable, body } = iterationOf(node) ?? {};
    if (!whole || !variable || !body || PART.test(whole.getText())) return undefined;
    const list = this.shownBy(whole);
    const isSpent = list && this.#modes.takes(variable, body) &&
      !this.#some(body, list, () => true) && !(ts.isForOfStatement(node) && mayLeave(body));
    return isSpent ? list : undefined;
  }

  /** Whether code takes elements out of a list, or puts another list in its place. */
  isEmptiedIn(code: ts.Node, list: ts.Node): boolean {
    return this.#some(code, list, (node) => {
      const parent = ts.isElementAccessExpression(node.parent) ? node.parent.parent : node.parent;
      const isReplaced = isAssignment(parent) && isInside(node, parent.left);
      if (isReplaced || ts.isDeleteExpression(parent)) return true;
      if (!ts.isPropertyAccessExpression(parent)) return false;
      const isCut = parent.name.text === "length" && isAssignment(parent.parent);
      return isCut || (ts.isCallExpression(parent.parent) && EMPTIES.test(parent.name.text));
    });
  }

  /** Whether a list is named somewhere in a way. */
  #some(code: ts.Node, list: ts.Node, is: (node: ts.Node) => boolean): boolean {
    const nameOf = (node: ts.Node) => ts.isPropertyAccessExpression(node) ? node.name : node;
    const symbol = this.#types.symbolAt(nameOf(list));
    const visit = (node: ts.Node): boolean => {
      const isIt = node.kind === list.kind && nameOf(node).getText() === nameOf(list).getText() &&
        this.#types.symbolAt(nameOf(node)) === symbol;
      return (isIt && is(node)) || (ts.forEachChild(node, visit) ?? false);
    };
    return visit(code);
  }
}

/** What goes through a collection: the whole of it, the name of each element, and the code for each. */
function iterationOf(node: ts.Node) {
  if (ts.isForOfStatement(node)) {
    const { expression: whole, initializer, statement: body } = node;
    const isNew = ts.isVariableDeclarationList(initializer);
    return isNew ? { whole, variable: initializer.declarations[0], body } : undefined;
  }
  if (!ts.isCallExpression(node) || !/^(forEach|map|flatMap)$/.test(calledName(node))) return;
  const [{ expression: callee }, [each]] = [node, node.arguments];
  if (!ts.isPropertyAccessExpression(callee) || !each || !isFn(each)) return undefined;
  return { whole: callee.expression, variable: each.parameters[0], body: each.body };
}

/** Whether a loop may be over before it has seen all. */
function mayLeave(node: ts.Node): boolean {
  const isOver = ts.isBreakStatement(node) || ts.isReturnStatement(node);
  return isOver || (!ts.isFunctionLike(node) && (ts.forEachChild(node, mayLeave) ?? false));
}
