import { Expressions } from "./expressions.ts";
import type { Facts } from "../facts/facts.ts";
import type { Exit, Path } from "./path.ts";
import { ts } from "../program/compiler.ts";
import { BITS, isSame, join, outside, type State } from "./state.ts";
import { bare, ownerOf } from "../facts/syntax.ts";
import { isUsing } from "../facts/port_types.ts";

const { OWNED, KEPT } = BITS;
const ROUNDS_MAX = 8;
/** In so many `finally` blocks each way out is followed by itself. */
const FINALLY_DEPTH_MAX = 2;
const TRUE = ts.factory.createTrue();

interface Loop {
  readonly node: ts.IterationStatement;
  readonly label: string | undefined;
  readonly test?: ts.Expression | undefined;
  readonly last?: ts.Expression;
  readonly step?: ts.Expression | undefined;
  readonly body: () => void;
}

/** Follows a path through statements, and over all their ways out. */
export class Statements {
  readonly expressions: Expressions;
  readonly #facts: Facts;
  readonly #path: Path;
  /**
   * What may be true where the loops of a loop begin: each goes on from there when it comes again, or
   * their rounds would multiply. A `finally` is another one for each way that leads there.
   */
  #heads = new Map<string, State | undefined>();
  #loopDepth = 0;
  #way = "";

  constructor(facts: Facts, path: Path, piece: ts.Node) {
    this.#facts = facts;
    this.#path = path;
    this.expressions = new Expressions(facts, path, piece);
  }

  executeAll(list: readonly ts.Statement[]): void {
    for (const one of list) this.execute(one);
  }

  execute(node: ts.Statement | undefined, label?: string): void {
    const path = this.#path;
    if (!node || !path.now) return;
    const { evaluate } = this.expressions;
    if (ts.isBlock(node)) path.scope(node, () => this.executeAll(node.statements));
    else if (ts.isVariableStatement(node)) this.#declare(node.declarationList);
    else if (ts.isExpressionStatement(node)) this.#assertAfter(node.expression);
    else if (ts.isExportAssignment(node)) evaluate(node.expression);
    else if (ts.isExportDeclaration(node)) this.#export(node);
    else if (ts.isIfStatement(node)) {
      const { expression, thenStatement, elseStatement } = node;
      const [whenTrue, whenFalse] = [thenStatement, elseStatement].map((one) => () =>
        this.execute(one)
      );
      this.expressions.branch(expression, whenTrue!, whenFalse!);
    } else if (ts.isReturnStatement(node) || ts.isThrowStatement(node)) {
      evaluate(node.expression);
      path.exit(ts.isReturnStatement(node) ? "return" : "throw", node);
    } else if (ts.isBreakOrContinueStatement(node)) {
      path.exit(ts.isBreakStatement(node) ? "break" : "continue", node, node.label?.text);
    } else if (ts.isLabeledStatement(node)) {
      const outer = path.now;
      this.execute(node.statement, node.label.text);
      path.arrive((one) => one.kind === "break" && one.label === node.label.text, outer);
    } else if (ts.isIterationStatement(node, false)) this.#loop(node, label);
    else if (ts.isTryStatement(node)) this.#attempt(node);
    else if (ts.isSwitchStatement(node)) this.#choose(node, label);
  }

  /** An expression for its effect; an assertion says afterwards what holds. */
  #assertAfter(expression: ts.Expression): void {
    const { checker } = this.#facts.types;
    const { conditions } = this.expressions;
    const path = this.#path;
    this.expressions.evaluate(expression);
    const call = bare(expression);
    if (!ts.isCallExpression(call)) return;
    const signature = checker.getResolvedSignature(call);
    const asserted = signature && checker.getTypePredicateOfSignature(signature);
    if (asserted?.kind !== ts.TypePredicateKind.AssertsIdentifier) return;
    const isTrue = !/False|Not/.test(call.expression.getText());
    path.now = conditions.narrowed(path.now, call.arguments[asserted.parameterIndex]!, isTrue);
  }

  #declare(list: ts.VariableDeclarationList): void {
    const { names, evaluate } = this.expressions;
    const isExported = ts.isVariableStatement(list.parent) &&
      list.parent.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    for (const { name, initializer } of list.declarations) {
      const bits = names.bitsOf(initializer);
      const before = this.#path.now;
      evaluate(initializer);
      const old = initializer && isUsing(list) ? this.#facts.places.at(initializer) : undefined;
      if (old && !old.isShared && this.#path.now) { // `using _ = port`: both names have it
        this.#path.now = before;
        this.#path.using.add(old);
      }
      if (!ts.isIdentifier(name)) {
        if (initializer) names.unpack(name, initializer);
        continue;
      }
      const place = this.#facts.places.at(name);
      if (!place || !this.#path.now) continue;
      names.declare(name, place, isExported ? bits | KEPT : bits, initializer);
      if (isUsing(list)) this.#path.using.add(place);
    }
  }

  /** `export { port }` gives a port to everybody. */
  #export({ exportClause, moduleSpecifier }: ts.ExportDeclaration): void {
    if (!exportClause || !ts.isNamedExports(exportClause) || moduleSpecifier) return;
    for (const { propertyName, name } of exportClause.elements) {
      const symbol = this.#facts.types.checker.getExportSpecifierLocalTargetSymbol(
        (propertyName ?? name).parent as ts.ExportSpecifier,
      );
      const declared = symbol?.valueDeclaration;
      const place = declared && ts.isVariableDeclaration(declared)
        ? this.#facts.places.at(declared.name)
        : undefined;
      const bits = this.#path.bitsAt(place);
      if (place && bits !== undefined) this.#path.set(place, bits | KEPT);
    }
  }

  // ---- loops

  #loop(node: ts.IterationStatement, label: string | undefined): void {
    const { evaluate } = this.expressions;
    const body = () => this.execute(node.statement);
    if (ts.isWhileStatement(node)) this.#iterate({ node, label, test: node.expression, body });
    else if (ts.isDoStatement(node)) this.#iterate({ node, label, last: node.expression, body });
    else if (ts.isForStatement(node)) {
      this.#path.scope(node, () => {
        const { initializer, condition: test = TRUE, incrementor: step } = node;
        if (initializer && ts.isVariableDeclarationList(initializer)) this.#declare(initializer);
        else evaluate(initializer);
        this.#iterate({ node, label, test, step, body });
      });
    } else if (ts.isForOfStatement(node) || ts.isForInStatement(node)) {
      evaluate(node.expression);
      const round = () => this.#path.scope(node.statement, () => this.#round(node));
      this.#iterate({ node, label, body: round });
      this.expressions.names.noteSpent(node, node.expression);
    }
  }

  #round({ initializer, expression, statement }: ts.ForInOrOfStatement): void {
    const { types, places, modes, lists } = this.#facts;
    const { names } = this.expressions;
    const isBag = types.kindAt(expression) === "bag";
    if (isBag && ts.isVariableDeclarationList(initializer)) {
      const variable = initializer.declarations[0]!;
      const list = lists.shownBy(expression);
      const isFresh = !list && !ts.isArrayLiteralExpression(bare(expression));
      const isOwn = isFresh || modes.takes(variable, statement);
      const isLeft = list && !this.#isWhole(list, statement);
      if (isOwn && !isUsing(initializer)) names.bind(variable.name, isLeft ? OWNED | KEPT : OWNED);
    } else if (isBag) {
      const place = places.at(initializer);
      if (place) names.put(initializer, place, OWNED);
    }
    this.execute(statement);
  }

  /** Whether nothing of a list is left when its loop is over. */
  #isWhole(list: ts.Node, body: ts.Node): boolean {
    const { lists } = this.#facts;
    if (lists.isEmptiedIn(body, list)) return false; // one by one
    const isShared = !this.#facts.places.at(list);
    return !isShared || lists.isEmptiedIn(ownerOf(list), list);
  }

  /** Goes round until nothing new is found out, and once more to tell of it. */
  #iterate({ node, label, test, last, step, body }: Loop): void {
    const path = this.#path;
    const { conditions, evaluate } = this.expressions;
    let head = path.now;
    let out: State | undefined;
    const isMine = (kind: Exit["kind"]) => (one: Exit) =>
      one.kind === kind && (!one.label || one.label === label);
    const turn = () => {
      path.now = head;
      evaluate(test);
      out = test ? conditions.narrowed(path.now, test, false) : last ? undefined : path.now;
      if (test) path.now = conditions.narrowed(path.now, test, true);
      body();
      path.arrive(isMine("continue"), head);
      evaluate(last);
      if (last) out = conditions.narrowed(path.now, last, false);
      if (last) path.now = conditions.narrowed(path.now, last, true);
      evaluate(step);
    };
    if (this.#loopDepth === 0) this.#heads = new Map();
    const key = `${node.pos} ${this.#way}`;
    head = join(head, this.#heads.get(key));
    this.#loopDepth++;
    const before = path.exits;
    path.quietly(() => {
      for (let count = 0; count < ROUNDS_MAX; count++) {
        path.exits = [...before];
        turn();
        const next: State | undefined = join(head, path.now && outside(path.now, head));
        if (isSame(next, head)) break;
        head = next;
      }
    });
    this.#heads.set(key, head);
    if (!path.isQuiet) {
      path.exits = before;
      turn();
    }
    this.#loopDepth--;
    path.now = out;
    path.arrive(isMine("break"), head);
  }

  // ---- try and switch

  #attempt({ tryBlock, catchClause, finallyBlock }: ts.TryStatement): void {
    const path = this.#path;
    const outer = path.exits;
    const before = path.now;
    path.exits = [];
    path.tryDepth++;
    this.execute(tryBlock);
    path.tryDepth--;
    if (catchClause) {
      const after = path.now;
      path.now = undefined;
      path.arrive(({ kind }) => kind === "mayThrow", before, true);
      path.arrive(({ kind }) => kind === "throw", before);
      this.execute(catchClause.block);
      path.now = join(after, path.now);
    }
    const inner = path.exits;
    path.exits = outer;
    if (!finallyBlock) return void path.exits.push(...inner);
    this.#leaveBy(finallyBlock, [...joined(inner)]);
  }

  /** What comes in any case, once for each way out; in other such blocks once for all of them. */
  #leaveBy(block: ts.Block, ways: readonly Exit[]): void {
    const path = this.#path;
    const outer = this.#way;
    const after = path.now;
    const run = (way: string, state: State | undefined) => {
      this.#way = outer + way;
      path.now = state;
      this.execute(block);
      this.#way = outer;
      return path.now;
    };
    if (outer.length < FINALLY_DEPTH_MAX) {
      for (const [index, { kind, state, node, label }] of ways.entries()) {
        if (kind === "mayThrow") path.quietly(() => run(`${index}`, state));
        else run(`${index}`, state);
        path.exit(kind, node, label);
      }
      return void run("n", after);
    }
    const left = run("n", ways.reduce((all, one) => join(all, one.state), after));
    for (const { kind, node, label } of ways) {
      path.now = left;
      path.exit(kind, node, label);
    }
    path.now = after && left;
  }

  #choose(node: ts.SwitchStatement, label: string | undefined): void {
    const path = this.#path;
    const { conditions, evaluate } = this.expressions;
    evaluate(node.expression);
    const before = path.now;
    path.scope(node, () => {
      path.now = undefined;
      for (const clause of node.caseBlock.clauses) {
        const through: State | undefined = path.now;
        path.now = before;
        if (ts.isCaseClause(clause)) evaluate(clause.expression);
        path.now = join(through, path.now);
        this.executeAll(clause.statements);
      }
      if (!conditions.isExhaustive(node)) path.now = join(path.now, before);
      path.arrive((one) => one.kind === "break" && (!one.label || one.label === label), before);
    });
  }
}

/** Exits of one kind as one: what comes after them is the same. */
function joined(exits: readonly Exit[]): Iterable<Exit> {
  const ways = new Map<string, Exit>();
  for (const one of exits) {
    const key = `${one.kind} ${one.label}`;
    ways.set(key, { ...one, state: join(ways.get(key)?.state, one.state)! });
  }
  return ways.values();
}
