import { type PackedNode, SyntaxNode } from "../syntax/syntax.ts";
import { astConverter, ts } from "./compiler.ts";
import { ValueReader } from "../types/value_reader.ts";

/** What a program of the compiler is asked by all its files. */
export interface Checked {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly reader: ValueReader;
}

/** Gets a program ready to be asked. */
export function checkedProgram(program: ts.Program): Checked {
  const checker = program.getTypeChecker();
  return { program, checker, reader: new ValueReader(checker) };
}

/** A file of a program: its tree, and what the compiler knows of each node. */
export class CheckedFile {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly reader: ValueReader;
  readonly tree: SyntaxNode;
  readonly text: string;
  readonly #maps: ReturnType<typeof astConverter>["astMaps"];

  constructor({ program, checker, reader }: Checked, source: ts.SourceFile) {
    this.program = program;
    this.checker = checker;
    this.reader = reader;
    this.text = source.text;
    // What is not finished is followed as far as it goes: the converter stops at such a list.
    const lenient = Object.assign(source, { parseDiagnostics: [] });
    const { estree, astMaps } = astConverter(lenient, SETTINGS, true);
    this.#maps = astMaps;
    this.tree = new SyntaxNode(estree as unknown as PackedNode);
  }

  toCompiler(node: SyntaxNode): ts.Node | undefined {
    return this.#maps.esTreeNodeToTSNodeMap.get(node.packed as never);
  }

  /** The node of this file's tree; absent for nodes of other files. */
  toTree(node: ts.Node): PackedNode | undefined {
    return this.#maps.tsNodeToESTreeNodeMap.get(node as never) as unknown as PackedNode | undefined;
  }

  typeAt(node: SyntaxNode): ts.Type | undefined {
    const found = this.toCompiler(node);
    return found && this.checker.getTypeAtLocation(found);
  }

  /** Where the function, class or variable is declared that an expression names. */
  declarationOf(node: SyntaxNode): ts.Declaration | undefined {
    const found = this.toCompiler(node);
    return found && this.declarationAt(found);
  }

  declarationAt(node: ts.Node): ts.Declaration | undefined {
    const name = ts.isPropertyAccessExpression(node) ? node.name : node;
    if (ts.isClassLike(name)) return name;
    const symbol = this.symbolAt(name);
    if (!symbol) return undefined;
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const { declarations = [] } = isAlias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return declarations.find((one) => "body" in one && one.body) ?? declarations[0];
  }

  /** What a name means; that of `{ port }` is the variable, not the property. */
  symbolAt(name: ts.Node): ts.Symbol | undefined {
    const isShort = name.parent !== undefined && ts.isShorthandPropertyAssignment(name.parent);
    return isShort
      ? this.checker.getShorthandAssignmentValueSymbol(name.parent)
      : this.checker.getSymbolAtLocation(name);
  }

  /** Whether something is declared by the language itself. */
  isOfLanguage(declaration: ts.Node | undefined): boolean {
    return declaration !== undefined &&
      this.program.isSourceFileDefaultLibrary(declaration.getSourceFile());
  }
}

const SETTINGS = {
  allowInvalidAST: true,
  errorOnUnknownASTType: false,
  loc: true,
  range: true,
  suppressDeprecatedPropertyWarnings: true,
} as Parameters<typeof astConverter>[1];

/** The expression under casts and parentheses. */
export function bareExpression(node: ts.Node): ts.Node {
  const isWrapper = ts.isParenthesizedExpression(node) || ts.isAssertionExpression(node) ||
    ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node);
  return isWrapper ? bareExpression(node.expression) : node;
}
