import { LANE_WORDS } from "../../memory/packet.ts";
import { printfBytes, putAssert, putPrintf, withoutCondition } from "../printf/printf_functions.ts";
import { calledNames } from "../syntax/declarations.ts";
import { freePrefix } from "../syntax/tokens.ts";
import type { TextEdit, TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import {
  type Block,
  type KernelGraph,
  skipEmptyBlocks,
  stepsOf,
  successorsOf,
} from "./graph/kernel_graph.ts";
import { lowerFunctions } from "./graph/lower_statement.ts";
import { type FrameLayout, frameLayout, type FrameText, frameText } from "./steps/frame_layout.ts";
import { localNames, SourceWriter, StepPrinter, type StepText } from "./steps/step_printer.ts";
import { KernelModule, ModuleText } from "./text/kernel_module.ts";
import { resolveFunction } from "./text/resolve_names.ts";
import { checkRestrictions, checkStatements } from "./text/restrictions.ts";
import { BUILT_IN_NAMES, type ServiceName, serviceNames } from "./text/services.ts";
import { checkSignature } from "../wgsl/kernel_compile.ts";
import type { FailureTexts } from "../wgsl/kernel_error.ts";

/** The steps of a kernel, written by hand or made of `fn kernel()`. */
export interface AuthorSteps {
  /** The author's text without what became steps, with the same lines. */
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
  /** Maps a position in `generated` to the author's text, if it comes from there. */
  readonly authorPosition: (position: TextPosition) => TextPosition | undefined;
}

/** Options of {@linkcode authorSteps}. */
export interface StepOptions {
  /** Words of a lane in a packet; 16 when absent. */
  readonly laneWords?: number;
  /** Replacements of the author's strings. */
  readonly edits?: readonly TextEdit[];
  /** Whether barriers and workgroup memory mean something; false when absent. */
  readonly meets?: boolean;
  /** Whether a wave keeps its workgroup memory from dispatch to dispatch; false when absent. */
  readonly keepsShared?: boolean;
}

/**
 * Finds the steps of a text, or makes them of `fn kernel()`.
 *
 * @throws {KernelCompileError} at a step with parameters, and at what `fn kernel()` does not support
 * @throws {TypeError} when there is no step, or a number is missing
 */
export function authorSteps(text: WgslText, options: StepOptions = {}): AuthorSteps {
  const { functions, structs, aliases } = text.declarations;
  const names = functions.map(({ name }) => name.text);
  if (names.includes("kernel")) return resumableKernel(text, options);
  const steps = names.filter((name) => /^step_/.test(name));
  for (const name of steps) checkSignature(text, `fn ${name}()`);
  const isNumbered = steps.some((name) => /^step_\d+$/.test(name));
  const hasFrame = structs.has("Frame") || aliases.has("Frame");
  const module = new ModuleText(text);
  const frame = frameText(module, hasFrame ? "written" : [], options.keepsShared);
  const inOrder = isNumbered ? checkNumbers(steps) : checkNames(steps);
  return {
    authorText: text.edited(options.edits ?? []),
    generated: (isNumbered ? "" : numberConstants(steps)) + frame.text,
    frame,
    // The steps mean the library's by their names, but for the struct of the author's.
    changedNames: new Map([...module.changedNames].filter(([name]) => name !== "Frame")),
    names: inOrder,
    order: inOrder.map((_, number) => number),
    places: inOrder.map((name) => `after ${name}`),
    failures: { frames: [], asserts: [] },
    callers: [],
    called: text.called,
    leadsAnywhere: text.called.has("go"),
    dissolved: new Set(),
    sharesMemory: module.sharesMemory,
    printfBytes: 0,
    serviceNames: BUILT_IN_NAMES,
    authorPosition: () => undefined,
  };
}

/**
 * Makes steps of `fn kernel()` and the functions it calls that call the host. Each becomes a graph of
 * basic blocks, of which those where the kernel may resume begin a step.
 *
 * @throws {KernelCompileError} at the author's line and column, when something cannot be kept or done
 * while the kernel waits
 */
export function resumableKernel(
  text: WgslText,
  { laneWords = LANE_WORDS, edits = [], meets = false, keepsShared = false }: StepOptions = {},
): AuthorSteps {
  const module = new KernelModule(text, laneWords, { meets });
  checkRestrictions(module);
  const functions = module.reached.map((one) => resolveFunction(module, one));
  functions.forEach((one) => checkStatements(module, one));
  const graph = lowerFunctions(module, functions);
  skipEmptyBlocks(graph);
  const layout = frameLayout(module, graph);
  const writer = new SourceWriter();
  const steps = nameSteps(module, graph);
  const numberNames = new Map(steps.map(({ block, name }) => [block, name.toUpperCase()]));
  const editsByIndex = new Map(edits.map((edit) => [edit.index, edit]));
  printSteps({ module, graph, layout, numberNames, edits: editsByIndex, writer }, steps);
  const printfs = [...module.printfs.values()].map((call) =>
    call.isConditional ? withoutCondition(call) : call
  );
  const asserts = [...module.asserts.values()];
  const { libraryName } = module;
  const puts = [
    ...printfs.map((call, at) =>
      putPrintf(call, { name: module.printfName(call), number: at + 1, libraryName })
    ),
    ...asserts.map(({ call }, number) =>
      putAssert(withoutCondition(call), { name: module.printfName(call), number, libraryName })
    ),
  ];
  const frame = frameText(module, layout.fields, keepsShared);
  return {
    authorText: withoutSteps(module, edits),
    generated: [writer.text, ...puts, frame.text].join(""),
    frame,
    changedNames: module.changedNames,
    names: steps.map(({ name }) => name),
    order: orderOf(steps, graph),
    places: steps.map(({ block }) => `from line ${text.positionAt(block.index).line} on`),
    failures: {
      frames: steps.map(({ block, of }) =>
        module.services.has(`${of}_call`)
          ? undefined
          : { name: of, line: text.positionAt(block.index).line }
      ),
      asserts: asserts.map(({ condition, call: { pieces, position: { line } } }) => ({
        line,
        condition: text.textOf(condition),
        pieces,
      })),
    },
    callers: callersOf(graph, layout, {
      owners: steps.map(({ of }) => of),
      frameName: libraryName("frame"),
    }),
    called: calledIn(module),
    leadsAnywhere: false,
    dissolved: module.dissolved,
    sharesMemory: module.sharesMemory,
    printfBytes: Math.max(0, ...printfs.map(printfBytes)),
    serviceNames: serviceNames(module),
    authorPosition: (position) => {
      const index = writer.authorIndex(position);
      return index === undefined ? undefined : text.positionAt(index);
    },
  };
}

interface NamedStep {
  readonly block: Block;
  readonly name: string;
  /** The author's name of its function. */
  readonly of: string;
}

function callersOf(
  graph: KernelGraph,
  { fieldOf }: FrameLayout,
  { owners, frameName }: { readonly owners: readonly string[]; readonly frameName: string },
): AuthorSteps["callers"] {
  return [...graph.entries.keys()].flatMap(({ declaration, back }) => {
    const steps = owners.flatMap((of, step) => of === declaration.name.text ? [step] : []);
    return back ? [{ back: `${frameName}.${fieldOf.get(back)!.name}`, steps }] : [];
  });
}

/** Names steps `step_kernel`, `step_kernel_4` for line 4, and `step_kernel_4_2` for another of that line. */
function nameSteps(module: KernelModule, graph: KernelGraph): NamedStep[] {
  const prefix = freePrefix(module.tokens, "step_");
  const used = new Set<string>();
  const named: NamedStep[] = [];
  for (const [{ declaration }, entry] of graph.entries) {
    for (const block of stepsOf(entry)) {
      const { line } = module.text.positionAt(block.index);
      const base = `${prefix}${declaration.name.text}${block === entry ? "" : `_${line}`}`;
      let name = base;
      for (let number = 2; used.has(name.toUpperCase()); number++) name = `${base}_${number}`;
      used.add(name.toUpperCase());
      named.push({ block, name, of: declaration.name.text });
    }
  }
  return named;
}

/** The numbers of steps, sorted by the ways between them that need no request. */
function orderOf(steps: readonly NamedStep[], { entries }: KernelGraph): number[] {
  const numbers = new Map(steps.map(({ block }, number) => [block, number]));
  const seen = new Set<Block>();
  const backwards: number[] = [];
  const visit = (block: Block) => {
    if (seen.has(block)) return;
    seen.add(block);
    const { terminator } = block;
    if (terminator.kind === "call") visit(entries.get(terminator.callee)!);
    else if (terminator.kind !== "request") successorsOf(block).forEach(visit);
    const number = numbers.get(block);
    if (number !== undefined) backwards.push(number);
  };
  for (const { block } of steps) visit(block);
  return backwards.reverse();
}

function printSteps(text: StepText, steps: readonly NamedStep[]): void {
  const { module, graph, writer } = text;
  const namesOf = localNames(module, graph);
  writer.write(numberConstants(steps.map(({ name }) => name)));
  for (const [one, entry] of graph.entries) {
    const names = namesOf(one, entry);
    const printer = new StepPrinter(text, one, names);
    for (const { variable, declaration } of graph.constants) {
      const { whole } = one.declaration;
      if (declaration.start < whole.start || declaration.end > whole.end) continue;
      const { type, value } = declaration;
      writer.write(`const ${names.get(variable)!}`, variable.index);
      if (type.end > type.start) printer.pieces([": ", { kind: "tokens", ...type }]);
      printer.pieces([" = ", value!, ";\n"]);
    }
    const own = new Set(stepsOf(entry));
    for (const { block, name } of steps) if (own.has(block)) printer.step(block, name);
  }
}

/** Replaces what became steps by blanks, so that lines and columns do not move. */
function withoutSteps(module: KernelModule, edits: readonly TextEdit[]): string {
  const { text, tokens, dissolved, declarations } = module;
  const blanks = declarations.functions.filter(({ name }) => dissolved.has(name.text))
    .map(({ whole }) => {
      const written = text.textOf(whole);
      const { index } = tokens[whole.start]!;
      return { index, end: index + written.length, text: written.replaceAll(/[^\n]/g, " ") };
    });
  const isKept = ({ index }: TextEdit) =>
    !blanks.some((one) => index >= one.index && index < one.end);
  return text.edited([...edits.filter(isKept), ...blanks]);
}

/** Finds the names that the remaining functions and the steps of `kernel` call. */
function calledIn({ reached, dissolved, services, declarations }: KernelModule): Set<string> {
  const kept = declarations.functions.filter(({ name }) => !dissolved.has(name.text));
  const own = new Set(declarations.functions.map(({ name }) => name.text));
  const called = new Set<string>();
  for (const one of [...kept, ...reached]) {
    for (const name of calledNames(declarations, one).keys()) {
      const isCast = services.get(name)?.isCast;
      // A function of the author's is none of the library's of that name.
      if (isCast || !own.has(name)) called.add(isCast ? "cast_call" : name);
    }
  }
  return called;
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
