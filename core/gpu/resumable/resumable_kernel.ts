import { LANE_WORDS } from "../../memory/packet.ts";
import { positionAt, type TextPosition } from "../syntax/text_position.ts";
import { freePrefix } from "../syntax/tokens.ts";
import { type FrameField, frameLayout } from "./frame/frame_layout.ts";
import type { Block } from "./graph/basic_block.ts";
import type { KernelGraph } from "./graph/graph_builder.ts";
import { lowerFunctions } from "./graph/lower_statement.ts";
import { skipEmptyBlocks, stepsOf } from "./graph/steps.ts";
import { KernelModule } from "./text/kernel_module.ts";
import { printfBytes, putPrintf } from "./steps/kernel_printf.ts";
import { LocalNames } from "./steps/local_names.ts";
import { PiecePrinter, type StepText } from "./steps/piece_printer.ts";
import { StepPrinter } from "./steps/step_printer.ts";
import { type ServiceName, serviceNames } from "./text/services.ts";
import { resolveFunction } from "./text/resolve_names.ts";
import { checkRestrictions } from "./text/restrictions.ts";
import { checkStatements } from "./text/statement_rules.ts";
import { SourceWriter } from "./steps/source_writer.ts";

/** A kernel as steps. */
export interface ResumableKernel {
  /** The author's text with blanks in place of what became steps; lines and columns stay. */
  readonly plainText: string;
  /** The steps, and the constants of their numbers. */
  readonly steps: string;
  /** In the order of their numbers. */
  readonly stepNames: readonly string[];
  /** In which of the author's lines each of them begins. */
  readonly stepLines: readonly number[];
  /** What a lane keeps from step to step. */
  readonly fields: readonly FrameField[];
  /** What the longest `printf` takes of a lane's stream. */
  readonly printfBytes: number;
  /** What the text calls the functions of the host, by their opcodes. */
  readonly serviceNames: ReadonlyMap<number, ServiceName>;
  /** Where in the author's text a place in `steps` comes from. */
  readonly authorPosition: (position: TextPosition) => TextPosition | undefined;
}

/** One step, and what it is called. */
interface NamedStep {
  readonly block: Block;
  readonly name: string;
}

/**
 * Makes steps of `fn kernel()`, and of the functions that it calls and that call the host: a graph
 * of basic blocks for each, of which those begin a step where the kernel may go on later.
 *
 * @param laneWords words that a lane has in a packet
 * @throws {KernelCompileError} at the author's line and column, when something cannot be kept or
 * done meanwhile
 *
 * @example
 * ```ts
 * import { resumableKernel } from "./resumable_kernel.ts";
 * const { fields, stepNames } = resumableKernel(`
 *   @service(40000) fn square(x: u32) -> u32;
 *   fn kernel() {
 *     var sum = 0u;
 *     for (var i = 0u; i < 4u; i++) { sum += square(i); }
 *   }`);
 * if (fields.map(({ name }) => name).join() !== "sum,i") throw new Error("kept over a call");
 * if (stepNames.length !== 3) throw new Error("the beginning, the loop, what follows the call");
 * ```
 */
export function resumableKernel(source: string, laneWords: number = LANE_WORDS): ResumableKernel {
  const module = new KernelModule(source, laneWords);
  checkRestrictions(module);
  const functions = module.reached.map((one) => resolveFunction(module, one));
  functions.forEach((one) => checkStatements(module, one));
  const graph = lowerFunctions(module, functions);
  skipEmptyBlocks(graph);
  const layout = frameLayout(module, graph);
  const writer = new SourceWriter();
  const steps = nameSteps(module, graph);
  const numberNames = new Map(steps.map(({ block, name }) => [block, name.toUpperCase()]));
  printSteps({ module, graph, layout, numberNames, writer }, steps);
  const printfs = [...module.printfs.values()];
  return {
    plainText: blanked(module),
    steps: writer.text +
      printfs.map((call, at) => putPrintf(call, { name: module.printfName(call), number: at + 1 }))
        .join(""),
    stepNames: steps.map(({ name }) => name),
    stepLines: steps.map(({ block }) => positionAt(source, block.index).line),
    fields: layout.fields,
    printfBytes: Math.max(0, ...printfs.map(printfBytes)),
    serviceNames: serviceNames(module),
    authorPosition: (position) => {
      const index = writer.authorIndex(position);
      return index === undefined ? undefined : positionAt(source, index);
    },
  };
}

/** `step_kernel`, `step_kernel_4` of line 4, and `step_kernel_4b` where that line has another. */
function nameSteps(module: KernelModule, graph: KernelGraph): NamedStep[] {
  const prefix = freePrefix(module.tokens, "step_");
  const used = new Set<string>();
  const named: NamedStep[] = [];
  for (const [{ declaration }, entry] of graph.entries) {
    for (const block of stepsOf(entry)) {
      const { line } = positionAt(module.source, block.index);
      const base = `${prefix}${declaration.name.text}${block === entry ? "" : `_${line}`}`;
      let name = base;
      for (let number = 2; used.has(name.toUpperCase()); number++) name = `${base}_${number}`;
      used.add(name.toUpperCase());
      named.push({ block, name });
    }
  }
  return named;
}

function printSteps(text: StepText, steps: readonly NamedStep[]): void {
  const { module, graph, writer } = text;
  const names = new LocalNames(module, graph);
  steps.forEach(({ name }, number) => writer.write(`const ${name.toUpperCase()} = ${number}u;\n`));
  for (const [one, entry] of graph.entries) {
    const localNames = names.of(one, entry);
    const steps_ = new StepPrinter(text, one, localNames);
    const printer = new PiecePrinter(text, one, localNames);
    for (const { variable, declaration } of graph.constants) {
      const { whole } = one.declaration;
      if (declaration.start < whole.start || declaration.end > whole.end) continue;
      const { type, value } = declaration;
      writer.write(`const ${localNames.get(variable)!}`, variable.index);
      if (type.end > type.start) printer.pieces([": ", { kind: "tokens", ...type }]);
      printer.pieces([" = ", value!, ";\n"]);
    }
    const own = new Set(stepsOf(entry));
    for (const { block, name } of steps) if (own.has(block)) steps_.step(block, name);
  }
}

/** The author's text without what became steps. */
function blanked({ source, tokens, services, suspending, declarations }: KernelModule): string {
  let text = source;
  for (const { name, whole } of declarations.functions) {
    if (!services.has(name.text) && !suspending.has(name.text)) continue;
    const [first, last] = [tokens[whole.start]!, tokens[whole.end - 1]!];
    const end = last.index + last.text.length;
    text = text.slice(0, first.index) +
      text.slice(first.index, end).replaceAll(/[^\n]/g, " ") + text.slice(end);
  }
  return text;
}
