import type { VariableDeclaration } from "../../syntax/declarations.ts";
import type { Token } from "../../syntax/tokens.ts";
import { BARRIERS, type KernelModule } from "./kernel_module.ts";
import { type Expression, partsOf } from "../../syntax/expression.ts";
import { expressionsIn, type Statement, statementsIn } from "../../syntax/statements.ts";
import type { SuspendingFunction } from "./resolve_names.ts";

const NOT_TOGETHER =
  "the lanes of a kernel in one dispatch go on each for itself, so that they cannot wait for each other: use Kernel, or call the host";
const GENERATED = "the steps of a kernel are generated: write loops and branches";

/** Functions that a kernel must not call, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  workgroupBarrier: NOT_TOGETHER,
  storageBarrier: NOT_TOGETHER,
  textureBarrier: "a kernel has no storage textures: write storageBarrier()",
  workgroupUniformLoad: NOT_TOGETHER,
  go: GENERATED,
  finish: "a kernel ends with its function: write return",
};

/**
 * Rejects what kernels do not support, anywhere in the text.
 *
 * @throws {KernelCompileError} at the first place
 */
export function checkRestrictions(module: KernelModule): void {
  const { tokens, declarations } = module;
  const own = new Set(declarations.names.map(({ text }) => text));
  tokens.forEach(({ kind, text }, at) => {
    if (module.meets && BARRIERS.has(text)) return;
    const isCall = kind === "name" && tokens[at + 1]?.text === "(" && tokens[at - 1]?.text !== ".";
    const reason = isCall && !own.has(text) && Object.hasOwn(REFUSED, text) && REFUSED[text];
    if (reason) module.refuseAt(at, `${text}() cannot be in a kernel: ${reason}`);
  });
  const step = declarations.functions.find(({ name }) => /^step_\d+$/.test(name.text));
  if (step) {
    const { text, index } = step.name;
    module.refuse(index, `${text} is a step, and kernel is there, too: write one or the other`);
  }
  checkFunctions(module);
  for (const variable of declarations.variables) {
    const reason = reasonAgainst(module, variable);
    if (reason) module.refuse(variable.name.index, `${variable.name.text} ${reason}`);
  }
}

/** Checks functions that become steps, as no compiler sees two of one name. */
function checkFunctions(module: KernelModule): void {
  const seen = new Map<string, Token>();
  for (const { name, attributes, whole } of module.declarations.functions) {
    const before = seen.get(name.text);
    seen.set(name.text, name);
    if (before) {
      const { line } = module.text.positionAt(before.index);
      // The first function of the texts that `wgslStubs()` gives.
      const wayOut = name.text === "double_bits"
        ? "make one text of all APIs, wgslStubs(one, other)"
        : "rename one";
      module.refuse(name.index, `${name.text} is declared in line ${line}, too: ${wayOut}`);
    }
    if (name.text === "kernel" && attributes.length > 0) {
      module.refuseAt(whole.start, "kernel is no entry point: leave its attributes out");
    }
  }
}

function reasonAgainst(
  { tokens, meets }: KernelModule,
  { space, keyword, value, attributes }: VariableDeclaration,
): string | undefined {
  if (space === "workgroup" && !meets) {
    return "is in workgroup memory, which waves in one dispatch do not have: use a storage buffer, or Kernel";
  }
  if (space === "workgroup" && value.end > value.start) {
    return "is workgroup memory, which begins as zeros: give it its value in the kernel";
  }
  if (keyword === "override" && value.end === value.start) {
    return "has no value: write one, or pass it to gpu.run() in constants";
  }
  const group = attributes.find(({ name }) => name === "group");
  if (!group || !/^0[iu]?$/.test(tokens[group.args.start]?.text ?? "")) return undefined;
  return "is in the group of the kernel itself: write @group(1), and hand its buffer over in buffers";
}

/**
 * Rejects invalid WGSL that the compiler cannot detect, as steps rearrange functions and blocks, and
 * turn variables into fields of a frame.
 *
 * @throws {KernelCompileError} at the first place
 */
export function checkStatements(module: KernelModule, one: SuspendingFunction): void {
  const { name } = one.declaration;
  check(one.body, false);
  if (!one.result || !fallsThrough(one.body)) return;
  module.refuse(name.index, `${name.text} gives a value back, and a way through it has no return`);

  function check(statement: Statement, isContinuing: boolean): void {
    if (statement.kind === "assign" && statement.target) checkTarget(module, one, statement.target);
    if (statement.kind === "increment") checkTarget(module, one, statement.target);
    if (statement.kind === "return") checkReturn(statement, isContinuing);
    if (statement.kind === "switch" && !statement.clauses.some(({ isDefault }) => isDefault)) {
      module.refuseAt(statement.start, "this switch has no default: add default: {}");
    }
    for (const part of expressionsIn(statement).flatMap((expression) => [...partsOf(expression)])) {
      if (part.kind === "unary" && part.text === "&") checkTarget(module, one, part.operands[0]!);
    }
    const continuing = statement.kind === "loop" ? statement.continuing : [];
    for (const inner of statementsIn(statement)) {
      check(inner, isContinuing || continuing.includes(inner));
    }
  }

  function checkReturn(
    { start, value }: Statement & { readonly kind: "return" },
    isInside: boolean,
  ) {
    const problem = isInside
      ? "no return may be in continuing: write break if"
      : value && !one.result
      ? "a function without a result gives a value back"
      : !value && one.result
      ? `${name.text} gives a value back: write it behind return`
      : undefined;
    if (problem) module.refuseAt(start, problem);
  }
}

/** Checks that a target is a place in memory: a `var`, or what a pointer leads to. */
function checkTarget(module: KernelModule, one: SuspendingFunction, target: Expression): void {
  let base = target;
  while (/^(?:member|index|group)$/.test(base.kind)) base = base.operands[0]!;
  const variable = base.kind === "name" ? module.names.get(base.start) : undefined;
  if (!variable || variable.keyword === "var") return;
  if (base !== target && module.typeOf(variable)?.name === "ptr") return;
  const { name, keyword } = variable;
  const what = one.parameters.includes(variable) ? "parameter" : keyword;
  module.refuseAt(target.start, `${name} is a ${what} and cannot change: use a var`);
}

/** Whether the end of a statement is reachable by the rules of WGSL. */
function fallsThrough(statement: Statement): boolean {
  switch (statement.kind) {
    case "return":
    case "break":
    case "continue":
      return false;
    case "block":
      return statement.statements.every(fallsThrough);
    case "if": {
      const { then, otherwise } = statement;
      return !otherwise || fallsThrough(then) || fallsThrough(otherwise);
    }
    case "switch":
      return statement.clauses.some(({ body }) => fallsThrough(body) || leaves(body));
    case "loop":
      return Boolean(statement.condition ?? statement.breakIf) || leaves(statement.body);
    default:
      return true;
  }
}

/** Whether a `break` in it leaves the enclosing loop or `switch`. */
function leaves(statement: Statement): boolean {
  if (statement.kind === "loop" || statement.kind === "switch") return false;
  return statement.kind === "break" || statementsIn(statement).some(leaves);
}
