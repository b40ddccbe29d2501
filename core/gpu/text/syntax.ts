import type { TextFault } from "./lines.ts";

/** A part of a WGSL text. Its `parts` are all nodes in it, in the order of the text. */
export interface Span {
  /** Its characters in the source. */
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Node[];
}

/** A name, with its template list if it has one: also a type, as in the grammar of WGSL. */
export interface Name extends Span {
  readonly kind: "name";
  readonly text: string;
  readonly args: readonly Expression[];
  /** What it names, once the module is resolved; `undefined` for what WGSL or the library has. */
  declared?: Declaration | undefined;
}

/** An expression; `operands` in the order of evaluation. */
export type Expression =
  | Name
  | (Span & {
    readonly kind: "literal" | "member" | "index" | "unary" | "binary" | "group";
    /** The literal, member or operator. */
    readonly text: string;
    readonly operands: readonly Expression[];
  })
  | Call;

/** A call of a function, or a constructor of a type. */
export interface Call extends Span {
  readonly kind: "call";
  readonly text: string;
  readonly callee: Name;
  readonly operands: readonly Expression[];
}

/** An attribute, such as `@group(1)`. */
export interface Attribute extends Span {
  readonly kind: "attribute";
  readonly name: string;
  readonly args: readonly Expression[];
}

/** A variable, constant, parameter or member of a struct. */
export interface Variable extends Span {
  readonly kind: "variable";
  readonly keyword: "var" | "let" | "const" | "override" | "parameter" | "member";
  readonly name: string;
  readonly nameStart: number;
  readonly attributes: readonly Attribute[];
  /** The address space and access of a `var`; may be empty. */
  readonly space: string;
  readonly access: string;
  readonly type: Name | undefined;
  readonly value: Expression | undefined;
  /** Whether it is declared in a function. */
  readonly isLocal: boolean;
}

/** A struct of a module. */
export interface Struct extends Span {
  readonly kind: "struct";
  readonly name: string;
  readonly nameStart: number;
  readonly members: readonly Variable[];
}

/** An alias of a type. */
export interface Alias extends Span {
  readonly kind: "alias";
  readonly name: string;
  readonly nameStart: number;
  readonly type: Name;
}

/** A function of a module; one of the host has no body. */
export interface Func extends Span {
  readonly kind: "function";
  readonly name: string;
  readonly nameStart: number;
  readonly attributes: readonly Attribute[];
  readonly parameters: readonly Variable[];
  /** Between its parentheses. */
  readonly list: { readonly start: number; readonly end: number };
  readonly result: Name | undefined;
  readonly body: Block | undefined;
}

/** What declares a name. */
export type Declaration = Variable | Struct | Alias | Func;

/** Statements between braces. */
export interface Block extends Span {
  readonly kind: "block";
  /** Its `{`: attributes may be before it. */
  readonly open: number;
  /** Why it was not read, where a compiler may know more of WGSL: then only its calls are known, by name. */
  readonly fault?: TextFault;
  readonly statements: readonly Statement[];
}

/** An `if`; what follows `else` is a block or another `if`. */
export interface If extends Span {
  readonly kind: "if";
  readonly condition: Expression;
  readonly then: Block;
  readonly otherwise: Block | If | undefined;
}

/** A `loop`, `while` or `for`. */
export interface Loop extends Span {
  readonly kind: "loop";
  readonly keyword: "loop" | "while" | "for";
  readonly init: Statement | undefined;
  readonly condition: Expression | undefined;
  readonly body: Block;
  /** The statements of `continuing`, or the last part of a `for`. */
  readonly continuing: readonly Statement[];
  readonly breakIf: Expression | undefined;
}

/** One clause of a `switch`. */
export interface Clause extends Span {
  readonly kind: "clause";
  readonly selectors: readonly Expression[];
  readonly isDefault: boolean;
  readonly body: Block;
}

/** A statement, with its semicolon if it has one. */
export type Statement =
  | (Span & { readonly kind: "declare"; readonly variable: Variable })
  | (Span & {
    readonly kind: "assign";
    /** Absent in `_ = value`. */
    readonly target: Expression | undefined;
    readonly operator: string;
    readonly value: Expression;
  })
  | (Span & { readonly kind: "increment"; readonly target: Expression; readonly operator: string })
  | (Span & { readonly kind: "do"; readonly call: Call })
  | (Span & { readonly kind: "return"; readonly value: Expression | undefined })
  | (Span & {
    readonly kind: "switch";
    readonly selector: Expression;
    readonly clauses: readonly Clause[];
  })
  | (Span & { readonly kind: "break" | "continue" | "discard" | "const_assert" | "empty" })
  | Block
  | If
  | Loop;

/** Stands among nodes for a value that a pass makes: what is printed in its place is the pass's. */
export interface Placeholder extends Span {
  readonly kind: "placeholder";
  readonly name: string;
}

/** Any part of a text. */
export type Node =
  | Expression
  | Attribute
  | Declaration
  | Statement
  | Clause
  | Directive
  | Placeholder;

/** `enable f16;` and the like. */
export interface Directive extends Span {
  readonly kind: "directive";
  readonly text: string;
}

/** A node and all nodes in it, in the order of the text. */
export function* nodesIn(node: Node): Generator<Node> {
  const pending = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    for (let at = next.parts.length - 1; at >= 0; at--) pending.push(next.parts[at]!);
  }
}

const EXPRESSIONS: ReadonlySet<string> = new Set(
  "name literal member index unary binary group call".split(" "),
);

/** Whether a node is an expression: names of functions and types look like one, too. */
export function isExpression(node: Node): node is Expression {
  return EXPRESSIONS.has(node.kind);
}

/** An expression and its operands; not the names of functions and types. */
export function* valuesIn(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.kind === "name") return;
  for (const operand of expression.operands) yield* valuesIn(operand);
}

/** The expressions of a statement, without those of nested statements. */
export function expressionsOf(statement: Statement): Expression[] {
  if (statement.kind === "declare") {
    return statement.variable.value ? [statement.variable.value] : [];
  }
  const whole = statement as Partial<Record<typeof EXPRESSION_KEYS[number], Expression>>;
  return EXPRESSION_KEYS.flatMap((key) => whole[key] ?? []);
}
const EXPRESSION_KEYS = ["target", "value", "call", "condition", "breakIf", "selector"] as const;

/** The nested statements of a statement; a `for`'s last part comes last. */
export function statementsOf(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case "block":
      return statement.statements;
    case "switch":
      return statement.clauses.map(({ body }) => body);
    case "if":
      return statement.otherwise ? [statement.then, statement.otherwise] : [statement.then];
    case "loop": {
      const { init, body, continuing } = statement;
      return [...init ? [init] : [], body, ...continuing];
    }
    default:
      return [];
  }
}

/** The variable, call or other value that a place leads from: `a` of `a.b[1]`. */
export function baseOf(place: Expression): Expression {
  let base = place;
  while (base.kind === "member" || base.kind === "index" || base.kind === "group") {
    base = base.operands[0]!;
  }
  return base;
}

/** The local variable or parameter that a node names, if it names one. */
export function localOf(node: Node): Variable | undefined {
  const declared = node.kind === "name" ? node.declared : undefined;
  return declared?.kind === "variable" && declared.isLocal ? declared : undefined;
}
