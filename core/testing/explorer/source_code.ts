import ts from "typescript";

/** A piece of a text that says something: neither white space nor a comment. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Other text for a range. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A module, in which places are found by what its code says, blind to comments and layout. */
export class SourceCode {
  readonly text: string;
  readonly #root: ts.SourceFile;

  constructor(text: string) {
    this.text = text;
    this.#root = ts.createSourceFile("module.ts", text, ts.ScriptTarget.ESNext, true);
  }

  /**
   * Where a declaration says this: `function`, `CONSTANT`, `Class` or `Class.member`.
   *
   * @throws {Error} when it does not say so exactly once
   */
  rangeOf(declaration: string, code: string): { readonly start: number; readonly end: number } {
    const wanted = tokensOfCode(code).map(({ text }) => text);
    const found = this.#declarations(declaration).flatMap((node) => {
      const tokens = tokensOf(this.#root, node);
      return tokens.map((_, at) => tokens.slice(at, at + wanted.length)).filter((part) =>
        part.length === wanted.length && part.every(({ text }, place) => text === wanted[place])
      );
    });
    const [range] = exactlyOne(found, `${declaration} says: ${code}`);
    return { start: range[0]!.start, end: range.at(-1)!.end };
  }

  /**
   * The statement of a declaration that begins so.
   *
   * @throws {Error} when there is not exactly one, or it is no statement of a block
   */
  statementOf(declaration: string, code: string): { readonly start: number; readonly end: number } {
    const { start } = this.rangeOf(declaration, code);
    const found: ts.Node[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isBlock(node.parent ?? node) && node.getStart() === start) found.push(node);
      ts.forEachChild(node, visit);
    };
    visit(this.#root);
    const [statement] = exactlyOne(found, `a statement begins with: ${code}`);
    return { start, end: statement.end };
  }

  /**
   * Hands every value that a private field of a class gets to a function: behind its assignments, or
   * where it has none what it begins with.
   *
   * @param field such as `Class.#field`
   * @param call what stands before the value: a call that returns it
   */
  valuesHanded(field: string, call: string): TextEdit[] {
    const [name, member] = field.split(".");
    const assigned: ts.Node[] = [];
    const initial: ts.Node[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyDeclaration(node) && node.name.getText() === member && node.initializer) {
        initial.push(node.initializer);
      }
      if (assignedField(node) === member) assigned.push(node);
      ts.forEachChild(node, visit);
    };
    this.#declarations(name!).forEach(visit);
    const values = assigned.length > 0 ? assigned : exactlyOne(initial, `${field} has a value`);
    return values.flatMap((node) => [
      { start: node.getStart(), end: node.getStart(), text: `${call}(` },
      {
        start: node.end,
        end: node.end,
        text: `${assigned.length > 0 ? `, this.${member}` : ""}))`,
      },
    ]);
  }

  /** The words that make functions asynchronous and wait for what is: `async` and `await`. */
  asyncWords(): TextEdit[] {
    const edits: TextEdit[] = [];
    const visit = (node: ts.Node): void => {
      if (node.kind === ts.SyntaxKind.AsyncKeyword) {
        edits.push({ start: node.getStart(), end: node.end, text: "" });
      } else if (ts.isAwaitExpression(node)) {
        edits.push({ start: node.getStart(), end: node.expression.getStart(), text: "" });
      }
      ts.forEachChild(node, visit);
    };
    visit(this.#root);
    return edits;
  }

  #declarations(path: string): ts.Node[] {
    const [name, member] = path.split(".");
    const outer = this.#root.statements.flatMap((statement): ts.Node[] =>
      ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [statement]
    ).filter((node) => nameOf(node) === name);
    const found = member === undefined
      ? outer
      : outer.flatMap((node) =>
        ts.isClassDeclaration(node) ? node.members.filter((one) => nameOf(one) === member) : []
      );
    if (found.length > 0) return found;
    throw new Error(`Cannot find a place in the source as nothing is called ${path}`);
  }
}

/** The text with edits that do not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  return edits.toSorted((left, right) => right.start - left.start).reduce(
    (rest, { start, end, text: next }) => rest.slice(0, start) + next + rest.slice(end),
    text,
  );
}

function exactlyOne<Item>(items: readonly Item[], what: string): readonly [Item] {
  if (items.length === 1) return [items[0]!];
  throw new Error(
    `Cannot find a place in the source as it must be there once: ${items.length} times ${what}`,
  );
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  return (node as ts.NamedDeclaration).name?.getText();
}

/** The own field that an expression assigns, or counts up or down in a statement of its own. */
function assignedField(node: ts.Node): string | undefined {
  const isAssignment = ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  const isCount = ts.isPostfixUnaryExpression(node) && ts.isExpressionStatement(node.parent);
  const target = isAssignment ? node.left : isCount ? node.operand : undefined;
  const isOwn = target && ts.isPropertyAccessExpression(target) &&
    target.expression.kind === ts.SyntaxKind.ThisKeyword;
  return isOwn ? target.name.text : undefined;
}

function tokensOf(root: ts.SourceFile, node: ts.Node): Token[] {
  const tokens: Token[] = [];
  const visit = (one: ts.Node): void => {
    if (ts.isJSDoc(one)) return;
    const children = one.getChildren(root);
    if (children.length > 0) return children.forEach(visit);
    if (one.getWidth(root) === 0) return;
    tokens.push({ text: one.getText(root), start: one.getStart(root), end: one.end });
  };
  visit(node);
  return withoutLastCommas(tokens.flatMap(inPieces));
}

/** The tokens of a piece of code, whether or not it is a whole statement. */
function tokensOfCode(code: string): Token[] {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, true, undefined, code);
  const tokens: Token[] = [];
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    const [start, end] = [scanner.getTokenStart(), scanner.getTokenEnd()];
    tokens.push({ text: scanner.getTokenText(), start, end });
  }
  return withoutLastCommas(tokens);
}

/** A scanner that knows no context takes the first `>` alone. */
function inPieces(token: Token): Token[] {
  if (!/^>+=?$/.test(token.text)) return [token];
  return [...token.text].map((text, at) => ({
    text,
    start: token.start + at,
    end: token.start + at + 1,
  }));
}

/** Lists that a formatter breaks over lines end with a comma. */
function withoutLastCommas(tokens: readonly Token[]): Token[] {
  return tokens.filter(({ text }, at) =>
    text !== "," || !/^[)\]}]$/.test(tokens[at + 1]?.text ?? "")
  );
}
