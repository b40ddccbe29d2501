import ringSource from "./ring/printf.wgsl" with { type: "text" };
import { textProblem } from "../compile/text_problem.ts";
import { declarationsOf } from "../syntax/declarations.ts";
import { freePrefix, type Token, tokensOf } from "../syntax/tokens.ts";
import { compilePrintf } from "./compile_printf.ts";
import { entryPoints } from "./entry_points.ts";
import { type PrintfCall, printfCalls, type PrintfScope } from "./printf_calls.ts";
import { refuseAt } from "./printf_error.ts";
import { type TextPosition } from "../syntax/text_position.ts";
import { argumentTypes, printfFunction } from "./printf_functions.ts";
import { PrintfRing, type RingOptions } from "./ring/printf_ring.ts";
import { type BindingPlace, ringBinding } from "./ring/ring_binding.ts";
import { withPlainLines } from "../wgsl/author_text.ts";
import { editText, originalPosition, type Replacement } from "../syntax/text_edits.ts";

/** A shader whose `printf` prints. */
export interface PrintfModule extends BindingPlace {
  /**
   * The text for `createShaderModule`. Its first lines are the author's, with every line in its
   * place, and every column but for what follows a parameter list or `{` of an entry point.
   */
  readonly source: string;
  /** Makes the ring that the shader prints into; one ring for all pipelines of the text. */
  readonly attach: (device: GPUDevice, options?: RingOptions) => PrintfRing;
  /**
   * Compiles `source`.
   *
   * @throws {PrintfError} at the author's line and column when it does not compile
   */
  readonly compile: (device: GPUDevice) => Promise<GPUShaderModule>;
  /** Where something stands in the author's text that a compiler has found in `source`. */
  readonly authorPosition: (position: TextPosition) => TextPosition;
}

/** WGSL functions have at most so many parameters. */
const PARAMETERS_MAX = 255;
/** Far more than a person writes; three digits of base 36 make a name as long as `printf`. */
const CALLS_MAX = 4096;

/**
 * Lets an ordinary shader print: rewrites each `printf("x = %f\n", x)` into an append to a ring in
 * one storage buffer, which is read when the shader has run. Compute and fragment stages may print,
 * and the functions that they call; `core/gpu/printf/README.md` says what a format may hold.
 *
 * @param options where the ring is bound: behind the author's groups when absent
 * @throws {PrintfError} at the line and column of a `printf` that cannot be, with the way out
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { withPrintf } from "./with_printf.ts";
 * const { source, attach } = withPrintf(`
 *   @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
 *     printf("lane %u: %.2f\\n", lane, sqrt(f32(lane) + 2));
 *   }`);
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const { device } = gpu;
 *   const module = device.createShaderModule({ code: source });
 *   const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
 *   const ring = attach(device);
 *   const encoder = device.createCommandEncoder();
 *   const pass = encoder.beginComputePass();
 *   pass.setPipeline(pipeline);
 *   ring.bind(pass, pipeline);
 *   pass.dispatchWorkgroups(1);
 *   pass.end();
 *   device.queue.submit([encoder.finish()]);
 *   const { text } = await ring.printed();
 *   if (text !== "lane 0: 1.41\nlane 1: 1.73\n") throw new Error(text);
 *   await ring.destroy();
 * }
 * ```
 */
export function withPrintf(written: string, options: Partial<BindingPlace> = {}): PrintfModule {
  const wgsl = withPlainLines(written);
  const tokens = tokensOf(wgsl);
  const scope: PrintfScope = { source: wgsl, tokens, declarations: declarationsOf(tokens) };
  const problem = textProblem(scope);
  if (problem) refuseAt(wgsl, problem.token.index, problem.reason);
  const calls = printfCalls(scope);
  checkSizes(scope, calls);
  const place = ringBinding(scope, options);
  const prefix = freePrefix(tokens, "printf_");
  const { insertions, isInFragment } = entryPoints({ scope, calls, prefix });
  const names = callNames(tokens, calls.length);
  const replacements = calls.flatMap((call, index) => replaced(tokens, call, names[index]!));
  const source = [
    editText(wgsl, { insertions, replacements }),
    ringText(prefix, place),
    ...calls.map((call, at) => printfFunction(call, { name: names[at]!, prefix, number: at + 1 })),
  ].join("\n");
  return {
    group: place.group,
    binding: place.binding,
    source,
    attach: (device, ring = {}) => {
      const fragment = isInFragment ? GPUShaderStage.FRAGMENT : 0;
      const shader = { ...place, formats: calls, visibility: GPUShaderStage.COMPUTE | fragment };
      return new PrintfRing(device, shader, ring);
    },
    compile: (device) => compilePrintf(device, { code: source, scope, calls, insertions }),
    authorPosition: (position) => originalPosition(wgsl, insertions, position),
  };
}

function checkSizes({ source, tokens }: PrintfScope, calls: readonly PrintfCall[]): void {
  const large = calls.find((call) => argumentTypes(call).length > PARAMETERS_MAX);
  if (large) {
    const reason = `a printf takes at most ${PARAMETERS_MAX} arguments: make two of it`;
    refuseAt(source, tokens[large.at]!.index, reason);
  }
  if (calls.length <= CALLS_MAX) return;
  const reason = `a text has at most ${CALLS_MAX} calls of printf: there are ${calls.length}`;
  refuseAt(source, tokens[calls[CALLS_MAX]!.at]!.index, reason);
}

/** Names of six letters, as `printf` has, none of which the author has used. */
function callNames(tokens: readonly Token[], count: number): readonly string[] {
  const used = new Set(tokens.map(({ text }) => text));
  for (const letter of "pqrstuvwxyzabcdefghijklmno") {
    const names = Array.from(
      { length: count },
      (_, number) => `${letter}f_${number.toString(36).padStart(3, "0")}`,
    );
    if (!names.some((name) => used.has(name))) return names;
  }
  throw new RangeError(
    "Cannot name the calls of printf as the text uses every name of six letters",
  );
}

function replaced(tokens: readonly Token[], call: PrintfCall, name: string): Replacement[] {
  const hidden = call.hidden.map(({ index, text }) => ({ index, text: " ".repeat(text.length) }));
  return [{ index: tokens[call.at]!.index, text: name }, ...hidden];
}

function ringText(prefix: string, { group, binding }: BindingPlace): string {
  return ringSource.replaceAll("PREFIX", prefix)
    .replace("GROUP", String(group))
    .replace("BINDING", String(binding));
}
