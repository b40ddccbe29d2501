import { RUN } from "../../run/run_options.ts";
import type {
  BoundBuffer,
  CompiledKernel,
  CompileOptions,
  KernelRuntime,
} from "../../run/kernel_runtime.ts";
import { keywordAt } from "../../syntax/declarations.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { refuseAt } from "../../wgsl/kernel_compile.ts";
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
    const kernel = stack.use(
      await LiveKernel.create(this.#device, {
        ...more,
        ...heapBytes !== undefined && { heapBytes },
        source: onStorage(source),
        memory,
        buffers: bound,
        translate: this.#translate,
      }),
    );
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
 * A text whose buffers are storage buffers, all of them: `uniform` says less, and has as many letters.
 *
 * @throws {KernelCompileError} where it enables an extension
 */
function onStorage(source: string): string {
  const text = new WgslText(source);
  const { tokens } = text;
  const enable = tokens.find(({ kind, text }, at) =>
    kind === "name" && text === "enable" && (at === 0 || tokens[at - 1]!.text === ";")
  );
  if (enable) refuseAt(text, enable.index, "a live kernel has no extensions of WGSL: use openGpu");
  const uniforms = text.declarations.variables.filter(({ space }) => space === "uniform");
  return text.edited(uniforms.map((variable) => {
    const { index } = tokens[keywordAt(tokens, variable) + 2]!;
    return { index, end: index + "uniform".length, text: "storage" };
  }));
}
