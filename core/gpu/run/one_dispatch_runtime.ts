import { withoutHeap } from "../heap/device_heap.ts";
import { OneDispatch } from "../one_dispatch/one_dispatch.ts";
import { writtenIn } from "../kernel/kernel_text.ts";
import { boundBuffers, WebGpuRuntime } from "./epoch_runtime.ts";
import type { CompiledKernel, CompileOptions, KernelRuntime } from "./kernel_runtime.ts";
import { checkOutcome } from "./run_report.ts";

const SERVED = "the server's text serves this run, and the host takes no part";
const ONE = "the run is one dispatch, which nothing ends";

/** Runs kernels whose functions are the device's, too: client and server in one dispatch of WebGPU. */
export class OneDispatchRuntime extends WebGpuRuntime implements KernelRuntime {
  readonly refused = {
    ...{ functions: SERVED, libraries: SERVED, heapBytes: SERVED, print: SERVED, refusals: SERVED },
    ...{ epochsMax: ONE, signal: ONE, roundsMax: ONE, turnsMax: ONE },
    ...{ streamBytes: ONE, searchAttempts: ONE, wavesPerGroup: ONE, wavesAcross: ONE },
  };

  async compile(options: CompileOptions): Promise<CompiledKernel> {
    const { source, server, channel, waveCount, buffers, lock, laneBytes } = options;
    using stack = new DisposableStack();
    const { bound, ...io } = boundBuffers(this.gpu, buffers, stack);
    const { portCount, laneCount, laneBytes: packetBytes } = channel.layout;
    const program = await OneDispatch.create(this.gpu, {
      ...{ portCount, laneCount, laneBytes: packetBytes, clientCount: waveCount, buffers: bound },
      ...{ source: writtenIn(source), server: server! },
      ...lock !== undefined && { lock },
      ...laneBytes !== undefined && { wordCount: laneBytes / 4 - 1 },
    }, source);
    stack.defer(() => program.destroy());
    const kept = stack.move();
    return {
      ...io,
      get heap(): never {
        throw withoutHeap();
      },
      frameBytes: 0, // a wave that waits stays where it is
      async runAsync() {
        const { callCount, madeProgress, detail, dispatchSeconds } = await program.runAsync(0);
        const reason = `${detail}: run fewer waves at a time, or by epochs`;
        const unfinished = madeProgress
          ? undefined
          : new DOMException(`Cannot finish the kernel: ${reason}`, "NotSupportedError");
        const outcome = { refusal: undefined, refusedCount: 0, broken: undefined, unfinished };
        checkOutcome(outcome, { refusals: "reject" });
        return {
          ...{ epochCount: 1, packetCount: callCount, starvedEpochCount: 0 },
          ...{ refusedCallCount: 0, badMailboxCount: 0 },
          ...options.timed && dispatchSeconds !== undefined && { kernelSeconds: dispatchSeconds },
        };
      },
      destroy: () => kept.dispose(),
    };
  }
}
