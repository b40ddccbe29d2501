import { LANE_WORDS } from "../../memory/packet.ts";
import type { PrintCall } from "../print/print_calls.ts";
import { printfBytes, putAssert, putPrintf } from "../print/print_functions.ts";
import { Lines, type Position, refuse } from "../text/lines.ts";
import type { Module } from "../text/module.ts";
import { blank, type Printer } from "../text/printer.ts";
import type { FailureTexts } from "../wgsl/kernel_error.ts";
import { type FrameLayout, frameLayout } from "./frame.ts";
import { type BasicBlock, type Graph, stepsOf, successorsOf } from "./graph.ts";
import { Kernel } from "./kernel.ts";
import type { KernelText } from "./kernel_text.ts";
import { lowerKernel } from "./lower.ts";
import { nameOfPrint } from "./lower_expression.ts";
import { checkKernel } from "./rules.ts";
import { type FrameText, frameText } from "./saved.ts";
import { BUILT_IN_NAMES, type ServiceName, serviceNames } from "./services.ts";
import { LIBRARY_NAMES, type NamedStep, StepWriter } from "./step_writer.ts";

/** The steps of a kernel, written by hand or made of `fn kernel()`. */
export interface AuthorSteps {
  /** What they were made of; `undefined` if they are written by hand. */
  readonly kernel?: Kernel;
  /** The author's text without what became steps, with the same lines: columns move where passes put more. */
  readonly authorText: string;
  /** The generated steps, constants of their numbers, and the frame, which follow it. */
  readonly generated: string;
  readonly frame: FrameText;
  /** Other names of what the generated steps have in common with the library, where the author uses those. */
  readonly changedNames: ReadonlyMap<string, string>;
  /** The functions of the steps, in the order of their numbers. */
  readonly names: readonly string[];
  /** Their numbers, each before those that it leads to without a request, as far as there is no loop. */
  readonly order: readonly number[];
  /** Where each of them begins in the author's text, for error messages. */
  readonly places: readonly string[];
  /** The function and line of each of them, and the asserts; nothing of steps written by hand. */
  readonly failures: FailureTexts;
  /** For functions that are called: the field that has the step behind the call, and their steps. */
  readonly callers: readonly { readonly back: string; readonly steps: readonly number[] }[];
  /** The functions that both texts call. */
  readonly called: ReadonlySet<string>;
  /** Whether a step may lead to a missing one. */
  readonly leadsAnywhere: boolean;
  /** The author's functions that became steps or declare functions of the host. */
  readonly dissolved: ReadonlySet<string>;
  /** Whether the lanes of a wave have workgroup memory. */
  readonly sharesMemory: boolean;
  /** Bytes of the longest `printf` in a lane's stream; 0 if there is none. */
  readonly printfBytes: number;
  /** The author's names for the functions of the host, by opcode. */
  readonly serviceNames: ReadonlyMap<number, ServiceName>;
  /** What the author calls what has another name in `generated`. */
  readonly authorNames: ReadonlyMap<string, string>;
  /** Maps a position in `authorText`, and in `generated` behind it, to the author's text it comes from. */
  readonly authorPosition: (position: Position) => Position | undefined;
}

/** Options of {@linkcode authorSteps}. */
export interface StepOptions {
  /** Words of a lane in a packet; 16 when absent. */
  readonly laneWords?: number;
  /** Whether barriers and workgroup memory mean something; false when absent. */
  readonly meets?: boolean;
  /** Whether a wave keeps its workgroup memory from dispatch to dispatch; false when absent. */
  readonly keepsShared?: boolean;
}

/**
 * Finds the steps of a text, or makes them of `fn kernel()`.
 *
 * @throws {TextFault} at a step with parameters, and at what `fn kernel()` does not support
 * @throws {TypeError} when there is no step, or a number is missing
 */
export function authorSteps(text: KernelText, options: StepOptions = {}): AuthorSteps {
  const isKernel = text.module.functions.some(({ name }) => name === "kernel");
  return isKernel ? kernelSteps(text, options) : writtenSteps(text, options);
}

/**
 * Makes steps of `fn kernel()` and the functions it calls that call the host. Each becomes a graph of basic
 * blocks, of which those where the kernel may resume begin a step.
 */
function kernelSteps(
  text: KernelText,
  { laneWords = LANE_WORDS, meets = false, keepsShared = false }: StepOptions,
): AuthorSteps {
  const kernel = new Kernel(text, { laneWords, meets });
  checkKernel(kernel);
  const { module, dissolved } = kernel;
  const graph = lowerKernel(kernel);
  const layout = frameLayout(kernel, graph);
  const steps = nameSteps(module, graph);
  const writer = new StepWriter(kernel, graph, { layout, steps });
  const prints = [...kernel.prints.values()];
  const frame = frameText(text.types, layout.fields, keepsShared);
  const author = text.printed((node) => {
    const isDissolved = node.kind === "function" && dissolved.has(node);
    return isDissolved ? [blank(module.source, node)] : text.rewrite(node);
  });
  return {
    kernel,
    authorText: author.text,
    generated: [writer.text, ...printFunctions(kernel), frame.text].join(""),
    frame,
    changedNames: changedNames(text),
    names: steps.map(({ name }) => name),
    order: orderOf(steps, graph),
    places: steps.map((one) => `from line ${lineOf(module, one)} on`),
    failures: failuresOf(kernel, steps),
    callers: callersOf(graph, layout, steps, module.libraryName("frame")),
    called: calledIn(kernel),
    leadsAnywhere: false,
    dissolved: new Set([...dissolved].map(({ name }) => name)),
    sharesMemory: sharesMemory(text),
    printfBytes: Math.max(0, ...prints.map(printfBytes)),
    serviceNames: serviceNames(module, kernel.services.values()),
    authorNames: new Map([
      ...writer.authorNames,
      ...steps.map(({ name, of }) => [name, of.name] as const),
    ]),
    authorPosition: positionsOf(text, author, writer),
  };
}

/** Takes the functions `step_` of a text as they are. */
function writtenSteps(
  text: KernelText,
  { keepsShared = false }: StepOptions,
): AuthorSteps {
  const { module, types } = text;
  const functions = module.functions.filter(({ name }) => name.startsWith("step_"));
  const steps = functions.map(({ name }) => name);
  for (const one of functions) {
    if (one.parameters.length > 0) refuse(one, `it is called otherwise: write fn ${one.name}()`);
  }
  const isNumbered = steps.some((name) => /^step_\d+$/.test(name));
  const hasFrame = module.byName.has("Frame");
  const frame = frameText(types, hasFrame ? "written" : [], keepsShared);
  const inOrder = isNumbered ? checkNumbers(steps) : checkNames(steps);
  // Functions of the host are called by their opcodes: what declares them is for the host.
  const author = text.printed((node) => {
    const isHosts = node.kind === "function" && !node.body;
    return isHosts ? [blank(module.source, node)] : text.rewrite(node);
  });
  const called = new Set([...module.calls.values()].flat().map((call) => call.text));
  return {
    authorText: author.text,
    generated: (isNumbered ? "" : numberConstants(steps)) + frame.text,
    frame,
    // The steps mean the library's by their names, but for the struct of the author's.
    changedNames: new Map([...changedNames(text)].filter(([name]) => name !== "Frame")),
    names: inOrder,
    order: inOrder.map((_, number) => number),
    places: inOrder.map((name) => `after ${name}`),
    failures: { frames: [], asserts: [] },
    callers: [],
    called,
    leadsAnywhere: called.has("go"),
    dissolved: new Set(),
    sharesMemory: sharesMemory(text),
    printfBytes: 0,
    serviceNames: BUILT_IN_NAMES,
    authorNames: new Map(),
    authorPosition: positionsOf(text, author),
  };
}

/** The functions that append a `printf` to the lane's stream, and keep what an `assert` tells. */
function printFunctions(kernel: Kernel): string[] {
  const { libraryName } = kernel.module;
  const nameOf = ({ call }: PrintCall) => nameOfPrint(kernel, call);
  return [
    ...[...kernel.prints.values()].map((one, at) =>
      putPrintf(one, { name: nameOf(one), number: at + 1, libraryName })
    ),
    ...[...kernel.asserts.values()].map((one, number) =>
      putAssert(one, { name: nameOf(one), number, libraryName })
    ),
  ];
}

function lineOf(module: Module, { block }: NamedStep): number {
  return module.positionAt(block.start).line;
}

function failuresOf({ module, services, asserts }: Kernel, steps: readonly NamedStep[]) {
  const stubs = new Set([...services.values()].map(({ name }) => name));
  return {
    // Stubs of the library are no functions of the author's.
    frames: steps.map((one) =>
      stubs.has(`${one.of.name}_call`)
        ? undefined
        : { name: one.of.name, line: lineOf(module, one) }
    ),
    asserts: [...asserts.values()].map(({ condition, pieces, position: { line } }) => ({
      line,
      condition: module.textOf(condition),
      pieces,
    })),
  };
}

function callersOf(
  { entries }: Graph,
  { fieldOf }: FrameLayout,
  steps: readonly NamedStep[],
  frameName: string,
): AuthorSteps["callers"] {
  return [...entries.keys()].flatMap(({ of, back }) => {
    const own = steps.flatMap((one, step) => one.of === of ? [step] : []);
    return back ? [{ back: `${frameName}.${fieldOf.get(back)!.name}`, steps: own }] : [];
  });
}

/** Names steps `step_kernel`, `step_kernel_4` for line 4, and `step_kernel_4_2` for another of that line. */
function nameSteps(module: Module, graph: Graph): NamedStep[] {
  const prefix = module.freePrefix("step_");
  // A step has a constant of its name in capitals, as the library and the author may have.
  const used = new Set(["STEP_COUNT", ...module.words]);
  const named: NamedStep[] = [];
  for (const [{ of }, entry] of graph.entries) {
    for (const block of stepsOf(entry)) {
      const base = `${prefix}${of.name}${
        block === entry ? "" : `_${module.positionAt(block.start).line}`
      }`;
      let name = base;
      for (let number = 2; used.has(name.toUpperCase()); number++) name = `${base}_${number}`;
      used.add(name.toUpperCase());
      named.push({ block, name, of });
    }
  }
  return named;
}

/** The numbers of steps, sorted by the ways between them that need no request. */
function orderOf(steps: readonly NamedStep[], { entries }: Graph): number[] {
  const numbers = new Map(steps.map(({ block }, number) => [block, number]));
  const seen = new Set<BasicBlock>();
  const backwards: number[] = [];
  const visit = (block: BasicBlock) => {
    if (seen.has(block)) return;
    seen.add(block);
    const { kind, callee } = block.terminator;
    if (kind === "call") visit(entries.get(callee!)!);
    else if (kind !== "request") successorsOf(block).forEach(visit);
    const number = numbers.get(block);
    if (number !== undefined) backwards.push(number);
  };
  for (const { block } of steps) visit(block);
  return backwards.reverse();
}

/** Finds the names that the remaining functions and the steps of `kernel` call. */
function calledIn(kernel: Kernel): Set<string> {
  const { module, dissolved, services, reached } = kernel;
  const called = new Set<string>();
  for (const one of [...module.functions.filter((one) => !dissolved.has(one)), ...reached]) {
    for (const { callee: { declared, text } } of module.calls.get(one)!) {
      if (declared?.kind === "function" && services.get(declared)?.isCast) called.add("cast_call");
      else if (declared?.kind !== "function") called.add(text);
    }
  }
  return called;
}

/** Maps positions of a printed text, and of generated steps behind it, back to the author's. */
function positionsOf(
  text: KernelText,
  author: Printer,
  steps?: Pick<Printer, "origin">,
): AuthorSteps["authorPosition"] {
  const { lineCount } = new Lines(author.text);
  return ({ line, column }) => {
    const origin = line <= lineCount
      ? author.origin({ line, column })
      : steps?.origin({ line: line - lineCount, column });
    return origin === undefined ? undefined : text.positionAt(origin);
  };
}

/** Other names of what generated steps have in common with the library. */
function changedNames({ module }: KernelText): ReadonlyMap<string, string> {
  const names = LIBRARY_NAMES.map((name) => [name, module.libraryName(name)] as const);
  return new Map(names.filter(([name, other]) => name !== other));
}

/** Whether the lanes of a wave have workgroup memory. */
function sharesMemory({ module }: KernelText): boolean {
  return module.variables.some(({ space }) => space === "workgroup");
}

/** Declares the constants by which `go(STEP_ASK)` leads to `step_ask`. */
function numberConstants(steps: readonly string[]): string {
  return steps.map((name, number) => `const ${name.toUpperCase()} = ${number}u;\n`).join("");
}

function checkNames(steps: readonly string[]): readonly string[] {
  if (steps.length === 0) {
    throw new TypeError(
      "Cannot make a kernel as its source has neither fn kernel() nor steps such as fn step_0(): write fn kernel() { ... } without an entry point, or use withPrintf for a shader of your own",
    );
  }
  const constants = steps.map((name) => name.toUpperCase());
  const twice = steps.find((_, at) => constants.indexOf(constants[at]!) < at);
  if (twice === undefined) return steps;
  throw new TypeError(
    `Cannot make a kernel as its steps must have different names: ${twice} is there twice`,
  );
}

/** Checks that numbered steps count up from 0, ignoring other functions. */
function checkNumbers(names: readonly string[]): readonly string[] {
  const numbers = names.filter((name) => /^step_(?:0|[1-9]\d*)$/.test(name))
    .map((name) => Number(name.slice("step_".length))).sort((a, b) => a - b);
  const wrong = numbers.findIndex((number, index) => number !== index);
  if (wrong < 0) return numbers.map((number) => `step_${number}`);
  const reason = numbers[wrong - 1] === numbers[wrong]
    ? `step_${numbers[wrong]} is there twice`
    : `step_${wrong} is missing`;
  throw new TypeError(`Cannot make a kernel as its steps must count up from 0: ${reason}`);
}
