import { compileWgsl } from "../device/compile_wgsl.ts";
import type { Fault } from "../text/fault.ts";
import { type Position, TextFault } from "../text/lines.ts";
import type { Printer } from "../text/printer.ts";
import { typeText } from "../text/value_type.ts";
import { PrintfError, WrittenText } from "./printf_error.ts";
import { authorPosition, PrintingShader } from "./shader/printing_shader.ts";
import { fileOf, readShader } from "./shader/read_shader.ts";
import { PrintfRing, type RingOptions, type RingShader } from "./ring/printf_ring.ts";
import { type BindingPlace, ringBinding, type RingPlace } from "./ring_place.ts";

/** A shader whose `printf` prints. */
export interface PrintfModule extends BindingPlace {
  /**
   * The text for `createShaderModule`. It begins with the lines of the author's text; columns move where
   * something prints, and behind a parameter list or `{` of an entry point.
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
  readonly authorPosition: (position: Position) => Position;
}

/**
 * Lets an ordinary shader print: rewrites each `printf("x = %f\n", x)` to append to a ring in a storage
 * buffer, which is read after the shader has run. Compute and fragment stages and the functions they
 * call may print; `core/gpu/printf/README.md` describes the formats.
 *
 * @param options where to bind the ring; after the author's groups when absent
 * @throws {PrintfError} at the line and column of an invalid `printf` or `assert`, and of what is no WGSL
 * @throws {TypeError} when it is no text, or an option is unknown
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
  if (typeof written !== "string") {
    throw new TypeError(`Cannot print as it must be a text of WGSL: current value is ${written}`);
  }
  const read = readShader(written);
  if (!(read instanceof PrintingShader)) throw read instanceof PrintfError ? read : read.error;
  const place = placeIn(read, written, options);
  // Where the ring shares a group, the author binds it, and knows of one buffer only.
  const printed = read.ringText({ ...place, hasDispatch: !place.isGroupShared });
  const shader = ringShader(read, place, fileOf(written) ?? "shader");
  return {
    group: place.group,
    binding: place.binding,
    source: printed.text,
    attach: (device, ring = {}) => new PrintfRing(device, shader, ring),
    compile: async (device) => {
      const result = await compileWgsl(device, printed.text);
      if (result instanceof GPUShaderModule) return result;
      throw compileError(read, printed, { fault: result, text: new WrittenText(written) });
    },
    authorPosition: (position) => authorPosition(read.module, printed, position),
  };
}

function placeIn(
  { module }: PrintingShader,
  written: string,
  options: Partial<BindingPlace>,
): RingPlace {
  try {
    return ringBinding(module, options);
  } catch (error) {
    throw error instanceof TextFault ? new WrittenText(written).errorOf(error) : error;
  }
}

function ringShader(
  { calls, printing }: PrintingShader,
  place: RingPlace,
  file: string,
): RingShader {
  const isInFragment = printing.some(({ stage }) => stage === "fragment");
  const visibility = GPUShaderStage.COMPUTE | (isInFragment ? GPUShaderStage.FRAGMENT : 0);
  return { ...place, formats: calls, visibility, file };
}

function compileError(
  { module, calls }: PrintingShader,
  printed: Printer,
  { fault: { position: found, reason }, text }: {
    readonly fault: Fault;
    readonly text: WrittenText;
  },
): PrintfError {
  if (found.line < 1 || found.line > module.lineCount) {
    const generated = `what is generated around the text does not fit: ${reason}`;
    return new PrintfError(generated, text, { line: 1, column: 1 });
  }
  const index = printed.origin(found) ?? 0;
  const call = calls.find(({ call }) => index >= call.start && index < call.end);
  const types = call?.parameters.map(({ type }) => typeText(type)).join(", ");
  const taken = call ? `; this ${call.call.text} takes ${types || "nothing"}` : "";
  return new PrintfError(reason + taken, text, module.positionAt(index));
}
