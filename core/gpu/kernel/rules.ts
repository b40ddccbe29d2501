import { refuse } from "../text/lines.ts";
import {
  baseOf,
  type Call,
  type Clause,
  type Expression,
  type Func,
  localOf,
  nodesIn,
  type Statement,
  statementsOf,
  type Variable,
} from "../text/syntax.ts";
import { BARRIERS, type Kernel } from "./kernel.ts";
import { typeOfSlot } from "./graph.ts";

const NOT_TOGETHER =
  "the lanes of a kernel in one dispatch go on each for itself, so that they cannot wait for each other: use Kernel, or call the host";

/** Functions that a kernel must not call, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  workgroupBarrier: NOT_TOGETHER,
  storageBarrier: NOT_TOGETHER,
  textureBarrier: "a kernel has no storage textures: write storageBarrier()",
  workgroupUniformLoad: NOT_TOGETHER,
  go: "the steps of a kernel are generated: write loops and branches",
  finish: "a kernel ends with its function: write return",
};

/** Rejects what kernels do not support, and what compilers cannot see, as steps rearrange functions and blocks. */
export function checkKernel(kernel: Kernel): void {
  const { module, meets } = kernel;
  const [fault] = module.faults;
  if (fault) throw fault;
  for (const call of [...module.calls.values()].flat()) {
    if (
      call.callee.declared || !Object.hasOwn(REFUSED, call.text) ||
      (meets && BARRIERS.has(call.text))
    ) continue;
    refuse(call, `${call.text}() cannot be in a kernel: ${REFUSED[call.text]}`);
  }
  const seen = new Map<string, Func>();
  for (const one of module.functions) {
    const { name, attributes } = one;
    if (/^step_\d+$/.test(name)) {
      refuse(one, `${name} is a step, and kernel is there, too: write one or the other`);
    }
    const before = seen.get(name);
    seen.set(name, one);
    if (before) {
      const { line } = module.positionAt(before.nameStart);
      // The first function of the texts that `wgslStubs()` gives.
      const wayOut = name === "double_bits"
        ? "make one text of all APIs, wgslStubs(one, other)"
        : "rename one";
      refuse(one, `${name} is declared in line ${line}, too: ${wayOut}`);
    }
    if (name === "kernel" && attributes[0]) {
      refuse(attributes[0], "kernel is no entry point: leave its attributes out");
    }
  }
  for (const { name, nameStart, space, keyword, value, attributes } of module.variables) {
    const group = attributes.find((one) => one.name === "group")?.args[0];
    const reason = space === "workgroup" && !meets
      ? "is in workgroup memory, which waves in one dispatch do not have: use a storage buffer, or Kernel"
      : space === "workgroup" && value
      ? "is workgroup memory, which begins as zeros: give it its value in the kernel"
      : keyword === "override" && !value
      ? "has no value: write one, or pass it to gpu.run() in constants"
      : group && kernel.types.value(group) === 0
      ? "is in the group of the kernel itself: write @group(1), and hand its buffer over in buffers"
      : undefined;
    if (reason) refuse({ start: nameStart }, `${name} ${reason}`);
  }
  for (const one of module.variables) checkValue(kernel, one);
  for (const one of kernel.suspending) checkHead(kernel, one);
  for (const one of kernel.reached) checkBody(kernel, one);
  checkStage(kernel);
}

/** Refuses calls of the host where a value is wanted before the kernel runs. */
function checkValue(kernel: Kernel, { keyword, value, isLocal }: Variable): void {
  if (!value || (isLocal && keyword !== "const") || !kernel.suspends(value)) return;
  const call = [...nodesIn(value)].find((node) =>
    node.kind === "call" && kernel.isSuspending(node)
  );
  const wayOut = isLocal ? "write let" : "call it in fn kernel()";
  const what = keyword === "const" ? "a const" : "what is declared outside of functions";
  refuse(call!, `${what} is known before the kernel runs, and cannot call the host: ${wayOut}`);
}

function checkHead(kernel: Kernel, { name, parameters, result }: Func): void {
  if (name === "kernel") {
    if (result) {
      refuse(result, "kernel gives nothing back: it writes to a buffer, or calls the host");
    }
    if (parameters[0]) {
      refuse(parameters[0], "kernel has no parameters: it reads lane_index and wave_index");
    }
  }
  const pointer = parameters.find(({ type }) => type!.text === "ptr");
  if (!pointer) return;
  const also = kernel.asserts.size > 0 ? ", or assert where it is called" : "";
  refuse(
    pointer,
    `${name} calls the host and takes a pointer, which cannot be kept while it waits: hand over the value, and give the new one back${also}`,
  );
}

/** Refuses what only fragments have, which compilers see where it is too late to say where. */
function checkStage({ module }: Kernel): void {
  const kernel = module.functions.filter(({ name }) => name === "kernel");
  for (const one of module.reached(kernel)) {
    for (const node of nodesIn(one)) {
      if (node.kind === "discard") refuse(node, "a kernel draws no pixels: write return");
      if (node.kind !== "call" || node.callee.declared) continue;
      if (!/^(?:dpd[xy]|fwidth)(?:Coarse|Fine)?$/.test(node.text)) continue;
      refuse(node, `${node.text}() compares a pixel with those beside it, and a kernel draws none`);
    }
  }
}

function checkBody(kernel: Kernel, one: Func): void {
  for (const call of kernel.module.calls.get(one)!) {
    const { declared, text } = call.callee;
    if (declared?.kind === "variable" && declared.isLocal) {
      refuse(call, `${text} is a variable here: rename it`);
    }
  }
  check(one.body!, false);
  if (!one.result || !fallsThrough(one.body!)) return;
  refuse(one, `${one.name} gives a value back, and a way through it has no return`);

  function check(statement: Statement, isContinuing: boolean): void {
    const { kind } = statement;
    if (kind === "assign" && statement.target) checkTarget(kernel, one, statement.target);
    if (kind === "increment") checkTarget(kernel, one, statement.target);
    if (kind === "return") {
      const { value } = statement;
      const problem = isContinuing
        ? "no return may be in continuing: write break if"
        : value && !one.result
        ? "a function without a result gives a value back"
        : !value && one.result
        ? `${one.name} gives a value back: write it behind return`
        : undefined;
      if (problem) refuse(statement, problem);
    }
    if (kind === "switch" && !statement.clauses.some(({ isDefault }) => isDefault)) {
      refuse(statement, "this switch has no default: add default: {}");
    }
    if (kind === "switch") checkSelectors(kernel, statement.clauses);
    if (kind === "do") checkIgnored(statement.call);
    if (kind === "declare") checkValue(kernel, statement.variable);
    const inner = statementsOf(statement);
    if (inner.length === 0) {
      for (const node of nodesIn(statement)) {
        if (node.kind === "unary" && node.text === "&") checkTarget(kernel, one, node.operands[0]!);
      }
    }
    for (const part of inner) {
      check(part, isContinuing || (kind === "loop" && statement.continuing.includes(part)));
    }
  }
}

/** Refuses a value that stands twice, as compilers do not say where. */
function checkSelectors(kernel: Kernel, clauses: readonly Clause[]): void {
  const seen = new Set<number>();
  for (const selector of clauses.flatMap(({ selectors }) => selectors)) {
    const value = kernel.types.value(selector);
    if (seen.has(value)) {
      refuse(selector, `${value} stands in another case of this switch: leave one out`);
    }
    if (!Number.isNaN(value)) seen.add(value);
  }
}

/** Refuses a call whose result has to be used: no compiler sees it in the steps. */
function checkIgnored(call: Call): void {
  const { declared, text } = call.callee;
  if (declared?.kind !== "function") return;
  if (!declared.attributes.some(({ name }) => name === "must_use")) return;
  refuse(call, `what ${text} gives back must be used: write _ = ${text}(...)`);
}

/** Checks that a target is a place in memory: a `var`, or what a pointer leads to. */
function checkTarget(kernel: Kernel, one: Func, target: Expression): void {
  const base = baseOf(target);
  const variable = localOf(base);
  if (!variable || variable.keyword === "var") return;
  if (base !== target && typeOfSlot(kernel.types, variable)?.name === "ptr") return;
  const what = one.parameters.includes(variable) ? "parameter" : variable.keyword;
  refuse(target, `${variable.name} is a ${what} and cannot change: use a var`);
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
    case "if":
      return !statement.otherwise || fallsThrough(statement.then) ||
        fallsThrough(statement.otherwise);
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
  return statement.kind === "break" || statementsOf(statement).some(leaves);
}
