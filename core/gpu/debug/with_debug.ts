import { type TextEdit, type TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import { textProblem } from "../compile/text_problem.ts";
import { entryPoints } from "../print/entry_points.ts";
import {
  printfCalls,
  PrintfError,
  PRINTING,
  refuseAt,
  refuseStrings,
} from "../printf/printf_calls.ts";
import type { RingOptions } from "../print/ring/printf_ring.ts";
import { type BindingPlace, ringBinding } from "../print/ring_place.ts";
import { printingModule } from "../print/with_printf.ts";
import { freePrefix } from "../syntax/tokens.ts";
import { checkChoice, checkOptionNames } from "../../text/nearest.ts";
import { assertCalls } from "./rewrite/assert_calls.ts";
import { CallGraph } from "./rewrite/call_graph.ts";
import { DebugRing } from "./debug_ring.ts";
import { type InstrumentedText, instrumentFunctions } from "./rewrite/instrument_functions.ts";

/** What to put into a shader, and where to bind the ring. */
export interface DebugOptions extends Partial<BindingPlace> {
  /**
   * What a failed `assert` does to its invocation. `stop`, the default, ends it where that is possible:
   * where lanes meet at barriers, it goes on.
   */
  readonly onFailure?: "stop" | "continue";
}

/** A shader that tells what goes wrong in it. */
export interface DebugModule extends BindingPlace {
  /** The text for `createShaderModule`, with the author's lines first. */
  readonly source: string;
  /** Creates the ring that all pipelines of the shader write to. */
  readonly attach: (device: GPUDevice, options?: RingOptions) => DebugRing;
  /**
   * Compiles `source`.
   *
   * @throws {PrintfError} at the author's line and column when it does not compile
   */
  readonly compile: (device: GPUDevice) => Promise<GPUShaderModule>;
}

/**
 * Lets an ordinary shader check itself: `assert(x < 4u, "x is %u", x)` may stand in any function. `printf`
 * works as in `withPrintf`. `core/gpu/debug/README.md` describes what is recorded.
 *
 * @throws {PrintfError} at the line and column of an invalid `assert` or `printf`
 * @throws {TypeError} when an option is unknown
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { failureText } from "./debug_report.ts";
 * import { withDebug } from "./with_debug.ts";
 * const { compile, attach } = withDebug(`
 *   fn check(lane: u32) { assert(lane < 2u, "lane is %u", lane); }
 *   @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) { check(lane); }`);
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const { device } = gpu;
 *   const module = await compile(device);
 *   const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
 *   const ring = attach(device);
 *   const encoder = device.createCommandEncoder();
 *   const pass = encoder.beginComputePass();
 *   pass.setPipeline(pipeline);
 *   ring.bind(pass, pipeline);
 *   pass.dispatchWorkgroups(1);
 *   pass.end();
 *   device.queue.submit([encoder.finish()]);
 *   const { failures } = await ring.report();
 *   const text = failureText(failures[0]!, "check.wgsl");
 *   const wanted = `assertion failed: lane < 2u: lane is 2 [lane 2 of workgroup 0]
 *     at check (check.wgsl:2:32)
 *     at main (check.wgsl:3:85)
 * `;
 *   if (failures.length !== 2 || text !== wanted) throw new Error(text);
 *   await ring.destroy();
 * }
 * ```
 */
export function withDebug(written: string, options: DebugOptions = {}): DebugModule {
  checkOptions(options);
  const { onFailure = "stop", group, binding } = options;
  const text = new WgslText(written);
  checkText(text);
  const place = ringBinding(text, {
    ...group !== undefined && { group },
    ...binding !== undefined && { binding },
  });
  const made = instrumentFunctions(text, { isStopping: onFailure === "stop" });
  const { edits, prefix, generated } = made.rewrite;
  const debugged = [
    text.edited(edits),
    `var<private> ${prefix}stopped: bool;`,
    generated,
  ].join("\n");
  const positionAt = (index: number) => text.positionAt(index);
  const asAuthors = (error: unknown) => authorsError(error, { text, made, edits, positionAt });
  const printing = attempt(
    () => printingModule(debugged, { group: place.group, binding: place.binding }),
    asAuthors,
  );
  return {
    group: place.group,
    binding: place.binding,
    source: printing.source,
    compile: (device) =>
      printing.compile(device).catch((error) => {
        throw asAuthors(error);
      }),
    attach: (device, ring = {}) =>
      new DebugRing(device, {
        printing,
        options: ring,
        reader: { ...made, positionAt },
        isGroupShared: place.isGroupShared,
      }),
  };
}

const OPTIONS = ["onFailure", "group", "binding"];

function checkOptions(options: DebugOptions): void {
  const what = "debug a shader";
  checkOptionNames(what, options, OPTIONS);
  checkChoice(what, { onFailure: options.onFailure }, ["stop", "continue"]);
}

/** @throws {PrintfError} at what no later step would report in the author's own words */
function checkText(text: WgslText): void {
  const problem = textProblem(text);
  if (problem) refuseAt(text, problem.token, problem.reason);
  const calls = printfCalls(text);
  refuseStrings(text, [...PRINTING, "assert"]);
  entryPoints({ text, calls, prefix: freePrefix(text.tokens, "printf_") });
  checkVertexAsserts(text);
}

function checkVertexAsserts(text: WgslText): void {
  const asserts = [...assertCalls(text).keys()];
  if (asserts.length === 0) return;
  const graph = new CallGraph(text);
  const reached = (stage: RegExp) =>
    graph.calledBy(
      graph.functions.filter(({ attributes }) => attributes.some(({ name }) => stage.test(name))),
    );
  const only = reached(/^vertex$/).difference(reached(/^(?:compute|fragment)$/));
  const at = asserts.find((at) => [...only].some(({ body }) => at >= body.start && at < body.end));
  if (at === undefined) return;
  refuseAt(
    text,
    text.tokens[at]!,
    "only a vertex stage reaches it, which writes no storage buffers in WebGPU: check in a fragment or compute stage",
  );
}

function attempt<T>(does: () => T, asAuthors: (error: unknown) => unknown): T {
  try {
    return does();
  } catch (error) {
    throw asAuthors(error);
  }
}

/** The error of the rewritten text, at the author's line and column. */
function authorsError(error: unknown, { text, made, edits, positionAt }: {
  readonly text: WgslText;
  readonly made: InstrumentedText;
  readonly edits: readonly TextEdit[];
  readonly positionAt: (index: number) => TextPosition;
}): unknown {
  if (!(error instanceof PrintfError)) return error;
  const { rewrite } = made;
  if (error.line > rewrite.text.lineCount) {
    const reason = `what is generated around the text does not fit: ${error.reason}`;
    return new PrintfError(reason, text, { line: 1, column: 1 });
  }
  const position = rewrite.text.originalPosition(edits, error);
  return new PrintfError(error.reason, text, positionAt(rewrite.text.indexAt(position)));
}
