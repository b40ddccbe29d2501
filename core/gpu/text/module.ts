import { plainLines, type Token, tokensOf } from "./lexer.ts";
import { Lines, TextFault } from "./lines.ts";
import { Parser } from "./parser.ts";
import {
  baseOf,
  type Call,
  type Declaration,
  type Directive,
  expressionsOf,
  type Func,
  type Node,
  type Statement,
  statementsOf,
  type Variable,
} from "./syntax.ts";

/**
 * A text of WGSL, read and resolved once. It does not change: passes read it, and say what becomes of its
 * nodes when it is printed.
 */
export class Module extends Lines {
  readonly globals: readonly (Declaration | Directive)[];
  readonly functions: readonly Func[];
  /** Variables and constants outside of functions. */
  readonly variables: readonly Variable[];
  /** What is declared outside of functions, by name; the first of several. */
  readonly byName: ReadonlyMap<string, Declaration>;
  /** All names that occur. */
  readonly words: ReadonlySet<string>;
  /** The calls in each function, in the order of the text; of names that it does not declare, too. */
  readonly calls: ReadonlyMap<Func, readonly Call[]>;
  /** What is wrong with names. Compilers see it as well, but where bodies are rearranged. */
  readonly faults: readonly TextFault[];
  /** Local variables whose address is taken. */
  readonly addressed: ReadonlySet<Variable>;
  /** The option that the text was passed as, for error messages. */
  readonly option: string | undefined;

  /**
   * @param written the text; its lines are counted as compilers do, and may end as WGSL allows
   * @param given `before` is a module that the text goes on where it ends: it is not read again, only its
   * names are resolved anew; `leavesUnread` is whether bodies that are no WGSL here are left to a compiler
   * @throws {TextFault} at what is no WGSL
   * @throws {TypeError} when it is no text
   */
  constructor(
    written: string,
    { option, before, leavesUnread = false }: {
      readonly option?: string;
      readonly leavesUnread?: boolean;
      readonly before?: Module;
    } = {},
  ) {
    if (typeof written !== "string") {
      throw new TypeError(
        `Cannot read ${
          option ?? "a shader"
        } as it must be a text of WGSL: current value is ${written}`,
      );
    }
    super((before?.source ?? "") + plainLines(written));
    this.option = option ?? before?.option;
    const tokens = tokensOf(this.source, before?.source.length);
    checkClosed(tokens);
    const words = tokens.flatMap(({ kind, text }) => kind === "name" ? [text] : []);
    this.words = new Set([...before?.words ?? [], ...words]);
    this.globals = [...before?.globals ?? [], ...new Parser(tokens, { leavesUnread }).module()];
    this.functions = this.globals.filter((one) => one.kind === "function");
    this.variables = this.globals.filter((one) => one.kind === "variable");
    const named = this.globals.flatMap((one) =>
      one.kind === "directive" ? [] : [[one.name, one] as const]
    );
    this.byName = new Map(named.toReversed());
    const resolver = new Resolver(this.byName);
    for (const one of this.globals) resolver.global(one);
    this.faults = resolver.faults;
    this.addressed = resolver.addressed;
    this.calls = resolver.calls;
  }

  /** The functions of the text that a function calls. */
  calleesOf(one: Func): Set<Func> {
    const found = new Set<Func>();
    for (const { callee: { declared } } of this.calls.get(one)!) {
      if (declared?.kind === "function") found.add(declared);
    }
    return found;
  }

  /** These functions, and those that they reach. */
  reached(from: Iterable<Func>): Set<Func> {
    const found = new Set(from);
    for (const one of found) for (const callee of this.calleesOf(one)) found.add(callee);
    return found;
  }

  /** These functions, and those that reach them. */
  reaching(wanted: Iterable<Func>): Set<Func> {
    const found = new Set(wanted);
    for (let size = -1; size !== found.size;) {
      size = found.size;
      for (const one of this.functions) {
        if (!found.has(one) && !this.calleesOf(one).isDisjointFrom(found)) found.add(one);
      }
    }
    return found;
  }

  /** The entry points of a stage: `vertex`, `fragment` or `compute`. */
  entries(stage: string): readonly Func[] {
    return this.functions.filter(({ attributes }) => attributes.some(({ name }) => name === stage));
  }

  /** A prefix that no name of the text begins with: `wanted`, or a longer one. */
  freePrefix(wanted: string): string {
    let prefix = wanted;
    while (this.words.values().some((word) => word.startsWith(prefix))) prefix += "x_";
    return prefix;
  }

  /** The name of what a library declares as `wanted`: another where the text declares that. */
  libraryName = (wanted: string): string =>
    this.byName.has(wanted) ? this.freePrefix(`${wanted}_`) : wanted;
}

/**
 * Reads a text for a pass that can be left out.
 *
 * @returns what is no WGSL for this parser; a compiler may know more
 */
export function tryModule(written: string): Module | TextFault {
  try {
    return new Module(written);
  } catch (error) {
    if (error instanceof TextFault) return error;
    throw error;
  }
}

/** Refuses comments and strings without an end, which would continue into generated text. */
function checkClosed(tokens: readonly Token[]): void {
  for (const { kind, text, start } of tokens) {
    if (text.startsWith("/*")) throw new TextFault(start, "this comment is not closed: write */");
    if (kind !== "string" || /^"(?:[^"\\]|\\[^])*"$/.test(text)) continue;
    throw new TextFault(
      start,
      'this string is not closed on its line: write " at its end, and \\n for a new line',
    );
  }
}

/** Attributes whose arguments are words of their own, whatever the text declares. */
const OF_WORDS = new Set(["builtin", "interpolate", "diagnostic"]);

/** Finds what each name names, and what each function calls. */
class Resolver {
  readonly faults: TextFault[] = [];
  readonly addressed = new Set<Variable>();
  readonly calls = new Map<Func, Call[]>();
  readonly #globals: ReadonlyMap<string, Declaration>;
  #scopes: Map<string, Variable>[] = [];
  #calls: Call[] = [];

  constructor(globals: ReadonlyMap<string, Declaration>) {
    this.#globals = globals;
  }

  global(one: Declaration | Directive): void {
    this.#scopes = [];
    this.#calls = [];
    if (one.kind !== "function") return this.#names(one);
    this.calls.set(one, this.#calls);
    for (const part of one.parts) if (part.kind !== "block") this.#names(part);
    if (!one.body) return;
    // A function's parameters and the variables of its body are of one scope.
    this.#scopes = [new Map(one.parameters.map((parameter) => [parameter.name, parameter]))];
    if (one.body.fault) one.body.parts.forEach((part) => this.#names(part));
    for (const statement of one.body.statements) this.#statement(statement);
  }

  #find(name: string): Declaration | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name) ?? this.#globals.get(name);
  }

  /** Resolves the names in a node without statements. */
  #names(node: Node): void {
    if (node.kind === "name") node.declared = this.#find(node.text);
    if (node.kind === "attribute" && OF_WORDS.has(node.name)) return;
    if (node.kind === "call") this.#calls.push(node);
    for (const part of node.parts) this.#names(part);
    if (node.kind !== "unary" || node.text !== "&") return;
    const base = baseOf(node.operands[0]!);
    const variable = base.kind === "name" ? base.declared : undefined;
    if (variable?.kind === "variable" && variable.isLocal) this.addressed.add(variable);
  }

  #inside(work: () => void): void {
    this.#scopes.push(new Map());
    work();
    this.#scopes.pop();
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case "declare":
        return this.#declare(statement.variable);
      case "block":
        return this.#inside(() => statement.statements.forEach((one) => this.#statement(one)));
      case "loop":
        return this.#inside(() => {
          const { keyword, init, condition, body, continuing, breakIf } = statement;
          if (init) this.#statement(init);
          if (condition) this.#names(condition);
          // What the body of a loop declares is visible in its `continuing`, but not in the head of a `for`.
          if (keyword === "for") continuing.forEach((one) => this.#statement(one));
          this.#inside(() => {
            body.statements.forEach((one) => this.#statement(one));
            if (keyword === "for") return;
            continuing.forEach((one) => this.#statement(one));
            if (breakIf) this.#names(breakIf);
          });
        });
      case "switch":
        this.#names(statement.selector);
        for (const { selectors, body } of statement.clauses) {
          selectors.forEach((one) => this.#names(one));
          this.#statement(body);
        }
        return;
      case "const_assert":
        return statement.parts.forEach((one) => this.#names(one));
    }
    for (const expression of expressionsOf(statement)) this.#names(expression);
    for (const inner of statementsOf(statement)) this.#statement(inner);
  }

  #declare(variable: Variable): void {
    // A variable is not visible in its own value.
    this.#names(variable);
    const own = this.#scopes.at(-1)!;
    if (own.has(variable.name)) {
      const reason = `${variable.name} is declared twice in this block: rename one`;
      this.faults.push(new TextFault(variable.nameStart, reason));
    }
    own.set(variable.name, variable);
  }
}
