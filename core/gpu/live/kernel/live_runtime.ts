import { RUN } from "../../run/run_options.ts";
import type { KernelText } from "../../kernel/kernel_text.ts";
import type {
  BoundBuffer,
  CompiledKernel,
  CompileOptions,
  KernelRuntime,
} from "../../run/kernel_runtime.ts";
import { refuse } from "../../text/lines.ts";
import { inText } from "../../wgsl/kernel_compile.ts";
import { kernelText } from "../../wgsl/kernel_source.ts";
import { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";
import type { WgslToSpirv } from "./live_compile.ts";
import { LiveKernel } from "./live_kernel.ts";

/** Runs kernels live: this thread serves them while they run. */
export class LiveRuntime implements KernelRuntime {
  readonly refused = {
    epochsMax: "a live kernel has no epochs: use signal or roundsMax",
    timed:
      "a live kernel waits in its dispatch, so that the device's clock would time the host, too",
    server: "the host serves: use openGpu, or GpuServer beside it",
    lock: "waves share their locks with Workers, which lock by compare-exchange",
    searchAttempts: "a wave looks for a port until it has one",
    turnsMax: "a wave goes on until it has finished",
    wavesPerGroup: "each wave is a workgroup, as lanes of one may run in turn",
  };
  readonly storageBuffersMax = Infinity;
  readonly #device: LiveDevice;
  readonly #translate: WgslToSpirv;

  constructor(device: LiveDevice, translate: WgslToSpirv) {
    this.#device = device;
    this.#translate = translate;
  }

  isBuffer(value: unknown): boolean {
    return value instanceof LiveBuffer;
  }

  /** A device that is lost says so when a kernel is sent to it. */
  checkAlive(): void {}

  async compile(options: CompileOptions): Promise<CompiledKernel> {
    const { buffers, heapBytes, timed, source, ...more } = options;
    // Programs have it as an option, too.
    if (timed) throw new TypeError(`Cannot ${RUN} with its time: ${this.refused.timed}`);
    using stack = new DisposableStack();
    const memory = stack.use(this.#device.importBuffer(options.channel.handle.buffer));
    const bound = buffers.map((buffer) => this.#bound(buffer, stack));
    const text = onStorage(source);
    const given = {
      ...more,
      ...heapBytes !== undefined && { heapBytes },
      source: text.module.source,
      memory,
      buffers: bound,
      translate: this.#translate,
    };
    const kernel = stack.use(await LiveKernel.create(this.#device, given, text));
    const wordsOf = (binding: number) => new Uint8Array(bound[binding]!.words as ArrayBuffer);
    const kept = stack.move();
    return {
      get heap() {
        return kernel.heap;
      },
      frameBytes: kernel.frameBytes,
      write: (binding, bytes) => wordsOf(binding).set(bytesOf(bytes)),
      read: (binding) => Promise.resolve(wordsOf(binding).slice().buffer),
      runAsync: (server, options) => kernel.runAsync(server, options),
      // What runs on is the device's, which tells it to leave once more at its own end.
      destroy: () => kernel.isRunning || kept.dispose(),
    };
  }

  #bound({ given }: BoundBuffer, stack: DisposableStack): LiveBuffer {
    if (typeof given !== "number") return given as LiveBuffer;
    const buffer = stack.use(this.#device.createBuffer(given, "host"));
    new Uint8Array(buffer.words as ArrayBuffer).fill(0);
    return buffer;
  }
}

function bytesOf(value: ArrayBufferView<ArrayBuffer> | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}

/**
 * A text whose buffers are storage buffers, all of them.
 *
 * @throws {KernelCompileError} where it enables an extension
 */
function onStorage(given: string | KernelText): KernelText {
  const text = kernelText(given);
  const { module } = text;
  const enable = module.globals.find((one) => one.kind === "directive" && one.text === "enable");
  if (enable) {
    const reason = "a live kernel has no extensions of WGSL: use openGpu";
    inText(module, () => refuse(enable, reason));
  }
  for (const variable of module.variables) {
    if (variable.space !== "uniform") continue;
    text.replaced.set(variable, [module.textOf(variable).replace("uniform", "storage")]);
  }
  return text;
}
