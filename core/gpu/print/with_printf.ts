import { compileWgsl, type Fault } from "../compile/compile_wgsl.ts";
import { closingOf } from "../syntax/tokens.ts";
import { typeText } from "../syntax/value_type.ts";
import { type TextPosition, WgslText } from "../syntax/wgsl_text.ts";
import { PrintfError } from "./printf_error.ts";
import { argumentTypes } from "../printf/printf_functions.ts";
import { PrintfShader } from "./printf_shader.ts";
import { PrintfRing, type RingOptions, type RingShader } from "./ring/printf_ring.ts";
import { type BindingPlace, ringBinding, type RingPlace } from "./ring_place.ts";

/** A shader whose `printf` prints. */
export interface PrintfModule extends BindingPlace {
  /**
   * The text for `createShaderModule`. It begins with the author's text, in which columns only move
   * after a parameter list or `{` of an entry point.
   */
  readonly source: string;
  /** Creates the ring that all pipelines of the shader print to. */
  readonly attach: (device: GPUDevice, options?: RingOptions) => PrintfRing;
  /**
   * Compiles `source`.
   *
   * @throws {PrintfError} at the author's line and column when it does not compile
   */
  readonly compile: (device: GPUDevice) => Promise<GPUShaderModule>;
  /** Maps a compiler's position in `source` to the author's text. */
  readonly authorPosition: (position: TextPosition) => TextPosition;
}

/**
 * Lets an ordinary shader print: rewrites each `printf("x = %f\n", x)` to append to a ring in a storage
 * buffer, which is read after the shader has run. Compute and fragment stages and the functions they
 * call may print; `core/gpu/printf/README.md` describes the formats.
 *
 * @param options where to bind the ring; after the author's groups when absent
 * @throws {PrintfError} at the line and column of an invalid `printf`
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
  const { ringOf, ...module } = printingModule(written, options);
  return { ...module, attach: (device, ring = {}) => ringOf(device, ring) };
}

/** As {@linkcode withPrintf}, with rings that share their group with a buffer beside them. */
export function printingModule(
  written: string,
  options: Partial<BindingPlace>,
): Omit<PrintfModule, "attach"> & {
  readonly ringOf: (
    device: GPUDevice,
    options: RingOptions,
    given?: Partial<RingShader>,
  ) => PrintfRing;
} {
  const shader = new PrintfShader(new WgslText(written));
  const place = ringBinding(shader.text, options);
  // Where the ring shares a group, the author binds it, and knows of one buffer only.
  const source = shader.printingSource({ ...place, hasDispatch: !place.isGroupShared });
  return {
    group: place.group,
    binding: place.binding,
    source,
    ringOf: (device, options, given) =>
      new PrintfRing(device, { ...ringShader(shader, place), ...given }, options),
    compile: async (device) => {
      const result = await compileWgsl(device, source);
      if (result instanceof GPUShaderModule) return result;
      throw compileError(shader, result);
    },
    authorPosition: (position) => shader.authorPosition("printing", position),
  };
}

function ringShader({ calls, printing }: PrintfShader, place: RingPlace): RingShader {
  const isInFragment = printing.some(({ stage }) => stage === "fragment");
  const visibility = GPUShaderStage.COMPUTE | (isInFragment ? GPUShaderStage.FRAGMENT : 0);
  return { ...place, formats: calls, visibility };
}

function compileError(
  shader: PrintfShader,
  { position: found, reason }: Fault,
): PrintfError {
  const { text, calls } = shader;
  if (found.line < 1 || found.line > text.lineCount) {
    const generated = `what is generated around the text does not fit: ${reason}`;
    return new PrintfError(generated, text, { line: 1, column: 1 });
  }
  const position = shader.authorPosition("printing", found);
  const index = text.indexAt(position);
  const { tokens } = text;
  const call = calls.find(({ at }) =>
    index >= tokens[at]!.index && index <= (tokens[closingOf(tokens, at + 1)]?.index ?? Infinity)
  );
  const types = call && argumentTypes(call).map(typeText).join(", ");
  const taken = call ? `; this printf takes ${types || "nothing"}` : "";
  return new PrintfError(reason + taken, text, position);
}
