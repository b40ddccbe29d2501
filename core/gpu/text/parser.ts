import { ExpressionParser } from "./expression_parser.ts";
import type { Token } from "./lexer.ts";
import { HarmfulFault, TextFault } from "./lines.ts";
import type {
  Attribute,
  Block,
  Call,
  Clause,
  Declaration,
  Directive,
  Expression,
  Func,
  If,
  Loop,
  Name,
  Statement,
  Struct,
  Variable,
} from "./syntax.ts";

/**
 * Reads a module. It accepts more than WGSL does, as compilers reject the rest; what they would not survive
 * is refused: brackets that are not closed, and too many of them.
 */
export class Parser extends ExpressionParser {
  readonly #leavesUnread: boolean;

  /** @param options `leavesUnread`: whether a function's body that is no WGSL here is left to a compiler */
  constructor(
    tokens: readonly Token[],
    { leavesUnread = false }: { readonly leavesUnread?: boolean } = {},
  ) {
    super(tokens);
    this.#leavesUnread = leavesUnread;
  }

  /** @throws {TextFault} at what is no WGSL */
  module(): (Declaration | Directive)[] {
    const found: (Declaration | Directive)[] = [];
    while (!this.isAtEnd) {
      const one = this.#global();
      if (one) found.push(one);
    }
    return found;
  }

  #global(): Declaration | Directive | undefined {
    if (this.take(";")) return undefined;
    const { start } = this;
    const attributes = this.attributes();
    const { text } = this;
    switch (text) {
      case "fn":
        return this.#function(start, attributes);
      case "struct":
        return this.#struct(start);
      case "alias": {
        this.skip();
        const { text: name, start: nameStart } = this.expectName();
        this.expect("=");
        const type = this.name();
        this.expect(";");
        return { kind: "alias", ...this.span(start, [type]), name, nameStart, type };
      }
      case "var":
      case "const":
      case "override":
      case "let": {
        const variable = this.#variable(start, attributes, false);
        this.expect(";");
        return { ...variable, end: this.end };
      }
      case "const_assert": {
        this.skip();
        const parts = [this.expression()];
        this.expect(";");
        return { kind: "directive", ...this.span(start, parts), text };
      }
      case "enable":
      case "requires":
      case "diagnostic":
        while (!this.isAtEnd && !this.is(";")) this.skip();
        this.expect(";");
        return { kind: "directive", ...this.span(start, []), text };
      default:
        return this.refuse(
          `a declaration is expected and not ${this.next.text || "the end"}`,
        );
    }
  }

  #struct(start: number): Struct {
    this.skip();
    const { text: name, start: nameStart } = this.expectName();
    const open = this.start;
    this.expect("{");
    const members: Variable[] = [];
    while (!this.is("}")) {
      if (this.isAtEnd) this.expect("}", open);
      members.push(this.#typed("member"));
      if (!this.take(",") && !this.is("}")) this.expect("}", open);
    }
    this.skip();
    return { kind: "struct", ...this.span(start, members), name, nameStart, members };
  }

  /** `var<space, access> name: type = value`, without its semicolon. */
  #variable(start: number, attributes: readonly Attribute[], isLocal: boolean): Variable {
    const keyword = this.text as Variable["keyword"];
    this.skip();
    let [space, access] = ["", ""];
    if (this.opensList) {
      const list = this.templateList();
      [space = "", access = ""] = list.map((one) => one.kind === "name" ? one.text : "");
      if (isLocal && space !== "function") {
        this.refuse("a variable of a function is in no other memory", list[0]?.start ?? start);
      }
    }
    const { text: name, start: nameStart } = this.expectName();
    const type = this.take(":") ? this.name() : undefined;
    const needsValue = keyword === "let" || keyword === "const" || (isLocal && !type);
    if (needsValue && !this.is("=")) this.expect("=");
    const value = this.take("=") ? this.expression() : undefined;
    const parts = [...attributes, type, value];
    return {
      kind: "variable",
      ...this.span(start, parts),
      ...{ keyword, name, nameStart, attributes, space, access, type, value, isLocal },
    };
  }

  /** A parameter or member. */
  #typed(keyword: "parameter" | "member"): Variable {
    const { start } = this;
    const attributes = this.attributes();
    const { text: name, start: nameStart } = this.expectName();
    this.expect(":");
    const type = this.name();
    return {
      kind: "variable",
      ...this.span(start, [...attributes, type]),
      ...{ keyword, name, nameStart, attributes, type },
      ...{ space: "", access: "", value: undefined, isLocal: keyword === "parameter" },
    };
  }

  #function(start: number, attributes: readonly Attribute[]): Func {
    this.skip();
    const { text: name, start: nameStart } = this.expectName();
    const open = this.start;
    this.expect("(");
    const from = this.end;
    const parameters: Variable[] = [];
    while (!this.is(")")) {
      if (this.isAtEnd) this.expect(")", open);
      parameters.push(this.#typed("parameter"));
      if (!this.take(",") && !this.is(")")) this.expect(")", open);
    }
    const list = { start: from, end: this.end };
    this.skip();
    const hasResult = this.take("->");
    const resultAttributes = hasResult ? this.attributes() : [];
    const result = hasResult ? this.name() : undefined;
    const body = this.take(";") ? undefined : this.#body();
    const parts = [...attributes, ...parameters, ...resultAttributes, result, body];
    return {
      kind: "function",
      ...this.span(start, parts),
      ...{ name, nameStart, attributes, parameters, list, result, body },
    };
  }

  #body(): Block {
    const { at } = this;
    try {
      return this.#block();
    } catch (fault) {
      if (!this.#leavesUnread || !(fault instanceof TextFault) || fault instanceof HarmfulFault) {
        throw fault;
      }
      this.goBack(at);
      return this.#unread(fault);
    }
  }

  /** Takes a body for its calls only, which may be some of a name's. */
  #unread(fault: TextFault): Block {
    const { start } = this;
    while (!this.isAtEnd && !this.is("{")) this.skip();
    const open = this.start;
    const parts: Call[] = [];
    let depth = 0;
    do {
      if (this.isAtEnd) throw fault;
      const { kind, text, start } = this.next;
      if (kind === "mark") depth += /^[({[]$/.test(text) ? 1 : /^[)}\]]$/.test(text) ? -1 : 0;
      this.skip();
      if (kind !== "name" || !this.is("(")) continue;
      const callee: Name = { kind: "name", ...this.span(start, []), text, args: [] };
      parts.push({ kind: "call", ...this.span(start, [callee]), text, callee, operands: [] });
    } while (depth > 0);
    return { kind: "block", ...this.span(start, parts), open, statements: [], fault };
  }

  #block(): Block {
    const { start } = this;
    this.attributes();
    const open = this.start;
    const statements = this.#braced(() => this.#statement());
    return { kind: "block", ...this.span(start, statements), open, statements };
  }

  /** Reads what is between braces; `read` may take something that is none of it. */
  #braced<T>(read: () => T | undefined): T[] {
    const open = this.start;
    this.expect("{");
    const found: T[] = [];
    this.nested(() => {
      while (!this.take("}")) {
        if (this.isAtEnd) this.expect("}", open);
        const one = read();
        if (one) found.push(one);
      }
    });
    return found;
  }

  #statement(): Statement {
    const { start } = this;
    this.attributes();
    if (this.is("{")) return { ...this.#block(), start };
    switch (this.text) {
      case ";":
        this.skip();
        return { kind: "empty", ...this.span(start, []) };
      case "if":
        return this.#if(start);
      case "switch": {
        this.skip();
        const selector = this.expression();
        this.attributes();
        const clauses = this.#braced(() => this.#clause());
        const parts = [selector, ...clauses];
        return { kind: "switch", ...this.span(start, parts), selector, clauses };
      }
      case "loop":
        return this.#loop(start);
      case "while": {
        this.skip();
        const condition = this.expression();
        const body = this.#block();
        const parts = [condition, body];
        const more = { ...NO_LOOP, keyword: "while" as const, condition, body };
        return { kind: "loop", ...this.span(start, parts), ...more };
      }
      case "for":
        return this.#for(start);
    }
    const simple = this.#simple();
    this.expect(";");
    return { ...simple, start, end: this.end };
  }

  #if(start: number): If {
    this.skip();
    const condition = this.expression();
    const then = this.#block();
    const otherwise = !this.take("else")
      ? undefined
      : this.is("if")
      ? this.#if(this.start)
      : this.#block();
    const parts = [condition, then, otherwise];
    return { kind: "if", ...this.span(start, parts), condition, then, otherwise };
  }

  #clause(): Clause {
    const { start } = this;
    const isCase = this.take("case");
    if (!isCase) this.expect("default");
    const selectors: Expression[] = [];
    let isDefault = !isCase;
    while (isCase && !this.is(":") && !this.is("{")) {
      if (this.take("default")) isDefault = true;
      else selectors.push(this.expression());
      if (!this.take(",")) break;
    }
    this.take(":");
    const body = this.#block();
    const parts = [...selectors, body];
    return { kind: "clause", ...this.span(start, parts), selectors, isDefault, body };
  }

  #for(start: number): Loop {
    this.skip();
    const open = this.start;
    this.expect("(");
    const init = this.is(";") ? undefined : this.#simple();
    this.expect(";");
    const condition = this.is(";") ? undefined : this.expression();
    this.expect(";");
    const continuing = this.is(")") ? [] : [this.#simple()];
    this.expect(")", open);
    const body = this.#block();
    const parts = [init, condition, ...continuing, body];
    const more = { ...NO_LOOP, keyword: "for" as const, init, condition, continuing, body };
    return { kind: "loop", ...this.span(start, parts), ...more };
  }

  #loop(start: number): Loop {
    this.skip();
    this.attributes();
    const open = this.start;
    this.expect("{");
    const statements: Statement[] = [];
    this.nested(() => {
      while (!this.is("}") && !this.is("continuing")) {
        if (this.isAtEnd) this.expect("}", open);
        statements.push(this.#statement());
      }
    });
    const body: Block = { kind: "block", ...this.span(open, statements), open, statements };
    let continuing: readonly Statement[] = [];
    let breakIf: Expression | undefined;
    if (this.take("continuing")) {
      this.attributes();
      continuing = this.#braced((): Statement | undefined => {
        if (!this.arePair("break", "if")) return this.#statement();
        this.skip(2);
        breakIf = this.expression();
        this.expect(";");
        return undefined;
      });
    }
    this.expect("}", open);
    const parts = [body, ...continuing, breakIf];
    const more = { ...NO_LOOP, keyword: "loop" as const, body, continuing, breakIf };
    return { kind: "loop", ...this.span(start, parts), ...more };
  }

  /** A statement without its semicolon. */
  #simple(): Statement {
    const { start, text } = this;
    switch (text) {
      case "fn":
      case "struct":
      case "alias":
        return this.refuse(`${text} stands in a function: a bracket before it is not closed`);
      case "var":
      case "let":
      case "const": {
        const variable = this.#variable(start, [], true);
        return { kind: "declare", ...this.span(start, [variable]), variable };
      }
      case "break":
      case "continue":
      case "discard":
        this.skip();
        return { kind: text, ...this.span(start, []) };
      case "const_assert": {
        this.skip();
        const parts = [this.expression()];
        return { kind: text, ...this.span(start, parts) };
      }
      case "return": {
        this.skip();
        const value = this.is(";") ? undefined : this.expression();
        return { kind: "return", ...this.span(start, [value]), value };
      }
    }
    if (!this.arePair("_", "=")) return this.#change(start, this.expression());
    this.skip(2);
    const value = this.expression();
    const more = { target: undefined, operator: "=", value };
    return { kind: "assign", ...this.span(start, [value]), ...more };
  }

  /** A statement that begins with an expression. */
  #change(start: number, target: Expression): Statement {
    const operator = this.operator();
    if (operator === "++" || operator === "--") {
      this.skip();
      return { kind: "increment", ...this.span(start, [target]), target, operator };
    }
    if (operator.endsWith("=")) {
      this.skipOperator(operator);
      const value = this.expression();
      return { kind: "assign", ...this.span(start, [target, value]), target, operator, value };
    }
    if (target.kind === "call") return { kind: "do", ...this.span(start, [target]), call: target };
    return this.refuse(`= is expected and not ${this.next.text || "the end"}`);
  }
}

const NO_LOOP = { init: undefined, condition: undefined, continuing: [], breakIf: undefined };
