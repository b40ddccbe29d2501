import { TextFault } from "../../gpu/text/lines.ts";
import { tryModule } from "../../gpu/text/module.ts";
import type { Expression, Func, Statement } from "../../gpu/text/syntax.ts";
import type { ScheduledWords } from "../explorer/scheduled_words.ts";

/** The memory of a kernel in a model: where each of its buffers begins, in words. */
export interface WgslMemory {
  readonly words: ScheduledWords;
  readonly buffers: Readonly<Record<string, number>>;
  /** The atomics of WGSL, by their names, on words of the model. */
  readonly atomics: Readonly<Record<string, (word: number, ...values: number[]) => unknown>>;
}

/** The functions of a kernel, and its private variables. */
export interface WgslKernel {
  readonly functions: Readonly<Record<string, (...values: (number | boolean)[]) => number>>;
  readonly privates: Record<string, number>;
}

/**
 * Makes functions of WGSL run under the explorer: a text of scalars, loops, buffers of words and atomics,
 * as the port's side of a wave is. Each access of a buffer is a step of the model, and each round of a loop
 * a boundary, which names what is local but for a `for`'s own variable and the count of a loop's rounds.
 *
 * @param constants the numbers that the text uses, by their names
 * @throws {SyntaxError} at what it does not know
 */
export function wgslFunctions(
  text: string,
  constants: Readonly<Record<string, number>>,
): (memory: WgslMemory) => WgslKernel {
  const module = tryModule(text);
  if (module instanceof TextFault) return refuse(module.message);
  const { functions, variables } = module;
  const own = variables.filter(({ keyword, space }) => keyword === "const" && space === "");
  const privates = variables.filter(({ space }) => space === "private");
  const emitter = new Emitter(privates.map(({ name }) => name));
  const given = Object.entries(constants)
    .filter(([name]) => !own.some((one) => one.name === name))
    .map(([name, value]) => `const ${name} = ${value >>> 0};`);
  const code = [
    '"use strict";',
    ...given,
    ...own.map(({ name, value }) => `const ${name} = ${plainNumber(module.textOf(value!))};`),
    `const $p = { ${privates.map(({ name }) => `${name}: 0`).join(", ")} };`,
    ...functions.map((one) => emitter.functionText(one)),
    `return { functions: { ${functions.map(({ name }) => name).join(", ")} }, privates: $p };`,
  ].join("\n");
  return new Function("$", code) as (memory: WgslMemory) => WgslKernel;
}

function plainNumber(text: string): string {
  return text.replace(/[ui]$/, "");
}

/** The name of a variable by which a wait ends after a time that no model has. */
const ROUNDS = "round";

function refuse(reason: string): never {
  throw new SyntaxError(`Cannot run the WGSL in a model as ${reason}`);
}

const HELPERS: Readonly<Record<string, (values: readonly string[]) => string>> = {
  select: ([no, yes, condition]) => `((${condition}) ? ${yes} : ${no})`,
  vec2u: ([x, y]) => `({ x: ${x}, y: ${y} })`,
  min: (values) => `Math.min(${values})`,
  max: (values) => `Math.max(${values})`,
};

class Emitter {
  readonly #privates: ReadonlySet<string>;
  /** The names in scope that a boundary tells. */
  #locals: string[] = [];
  #loopCount = 0;
  #name = "";

  constructor(privates: readonly string[]) {
    this.#privates = new Set(privates);
  }

  functionText({ name, parameters, body }: Func): string {
    this.#name = name;
    this.#loopCount = 0;
    this.#locals = parameters.map((one) => one.name);
    return `function ${name}(${this.#locals}) ${this.#block(body!.statements)}`;
  }

  #block(statements: readonly Statement[], head = "", end = ""): string {
    const outside = this.#locals;
    const texts = statements.map((one) => this.#statement(one));
    this.#locals = outside;
    return `{\n${head}${texts.join("\n")}\n${end}}`;
  }

  #statement(statement: Statement): string {
    switch (statement.kind) {
      case "declare": {
        const { variable } = statement;
        const { name } = variable;
        const value = variable.value ? this.#value(variable.value) : "0";
        this.#locals = [...this.#locals, name];
        return `let ${name} = ${value};`;
      }
      case "assign": {
        const { target, operator } = statement;
        const value = this.#value(statement.value);
        if (!target) return `${value};`;
        if (operator === "=") return this.#store(target, value);
        return this.#store(target, binary(operator.slice(0, -1), this.#value(target), value));
      }
      case "increment":
        return this.#store(
          statement.target,
          binary(statement.operator[0]!, this.#value(statement.target), "1"),
        );
      case "do":
        return `${this.#value(statement.call)};`;
      case "empty":
        return "";
      case "block":
        return this.#block(statement.statements);
      case "if": {
        const { condition, then, otherwise } = statement;
        const rest = otherwise ? ` else ${this.#statement(otherwise)}` : "";
        return `if (${this.#value(condition)}) ${this.#block(then.statements)}${rest}`;
      }
      case "loop":
        return this.#loop(statement);
      case "return":
        return `return ${statement.value ? this.#value(statement.value) : ""};`;
      case "break":
      case "continue":
        return `${statement.kind};`;
      default:
        return refuse(`it has a statement of the kind ${statement.kind}`);
    }
  }

  #loop(statement: Statement & { readonly kind: "loop" }): string {
    const { init, condition, body, continuing, breakIf } = statement;
    if (continuing.length > 1) refuse("its loop has a `continuing` of several parts");
    const told = this.#locals.filter((name) => name !== ROUNDS).map((name) => `${name}=\${${name}}`)
      .join(" ");
    const place = `${this.#name} ${this.#loopCount++}`;
    const outside = this.#locals;
    const begin = init ? this.#statement(init) : ";";
    const test = condition ? this.#value(condition) : "true";
    const next = continuing.map((one) => this.#statement(one).replace(/;$/, "")).join("");
    const privates = "${JSON.stringify($p)}";
    const head = `$.words.turn(\`${place} ${told} ${privates}\`);\n`;
    const end = breakIf ? `if (${this.#value(breakIf)}) break;` : "";
    const round = this.#block(body.statements, head, end);
    const text = `for (${begin} ${test}; ${next}) ${round}`;
    this.#locals = outside;
    return text;
  }

  #store(target: Expression, value: string): string {
    if (target.kind !== "index") return `${this.#value(target)} = ${value};`;
    return `$.words.plain[${this.#place(target)}] = (${value}) | 0;`;
  }

  /** The word of the model that an element of a buffer is. */
  #place(element: Expression): string {
    if (element.kind !== "index") return refuse("it has a place that is no element of a buffer");
    const [buffer, index] = element.operands;
    return `$.buffers.${buffer!.text} + ${this.#value(index!)}`;
  }

  #value(expression: Expression): string {
    if (expression.kind === "name") {
      const { text } = expression;
      return this.#privates.has(text) ? `$p.${text}` : text;
    }
    const { kind, text, operands } = expression;
    switch (kind) {
      case "literal":
        return plainNumber(text);
      case "group":
        return `(${this.#value(operands[0]!)})`;
      case "member":
        return `${this.#value(operands[0]!)}.${text}`;
      case "index":
        return `($.words.plain[${this.#place(expression)}] >>> 0)`;
      case "unary":
        return text === "!"
          ? `!${this.#value(operands[0]!)}`
          : unary(text, this.#value(operands[0]!));
      case "binary":
        return binary(text, this.#value(operands[0]!), this.#value(operands[1]!));
      case "call":
        return this.#call(text, operands);
    }
  }

  #call(name: string, operands: readonly Expression[]): string {
    if (!name.startsWith("atomic")) {
      const values = operands.map((one) => this.#value(one));
      return HELPERS[name]?.(values) ?? `${name}(${values})`;
    }
    const [pointer, ...rest] = operands;
    if (pointer?.kind !== "unary") return refuse("it has an atomic without a pointer");
    const place = this.#place(pointer.operands[0]!);
    return `$.atomics.${name}(${[place, ...rest.map((one) => this.#value(one))]})`;
  }
}

function unary(operator: string, value: string): string {
  if (operator === "~" || operator === "-") return `((${operator}${value}) >>> 0)`;
  return refuse(`it has the operator ${operator}`);
}

/** Numbers stay unsigned and of 32 bits; of truths `&` and `|` give 0 and 1, which is as good. */
function binary(operator: string, left: string, right: string): string {
  switch (operator) {
    case "==":
    case "!=":
      return `(${left} ${operator}= ${right})`;
    case "+":
    case "-":
    case "&":
    case "|":
    case "^":
    case "<<":
      return `((${left} ${operator} ${right}) >>> 0)`;
    case ">>":
      return `(${left} >>> ${right})`;
    case "*":
      return `(Math.imul(${left}, ${right}) >>> 0)`;
    case "/":
      return `Math.floor(${left} / ${right})`;
    default:
      return `(${left} ${operator} ${right})`;
  }
}
