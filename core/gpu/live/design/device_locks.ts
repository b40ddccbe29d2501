import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";
import type { LivePipeline } from "../device/live_pipeline.ts";
import { translated, type WgslToSpirv } from "../kernel/live_compile.ts";

const GROUP_SIZE = 64;
const CLEAR_SECONDS = 5;
const CLEAR = `
  @group(0) @binding(0) var<storage, read_write> words: array<u32>;
  @compute @workgroup_size(${GROUP_SIZE}) fn main(@builtin(global_invocation_id) at: vec3u) {
    if at.x < arrayLength(&words) { words[at.x] = 0u; }
  }`;

/** Locks of a channel's ports in memory of a device, for waves that alone are their side. */
export class DeviceLocks implements Disposable {
  /** A word for each port. */
  readonly buffer: LiveBuffer;
  readonly #pipeline: LivePipeline;
  readonly #groupCount: number;
  readonly #stack: DisposableStack;

  constructor(device: LiveDevice, portCount: number, translate: WgslToSpirv) {
    using stack = new DisposableStack();
    this.buffer = stack.use(device.createBuffer(4 * portCount, "device"));
    const code = translated(CLEAR, translate);
    this.#pipeline = stack.use(device.createPipeline({ code, groups: [[this.buffer]] }));
    this.#groupCount = Math.ceil(portCount / GROUP_SIZE);
    this.#stack = stack.move();
  }

  /** Frees all ports; while no wave runs. Blocks for some microseconds. */
  clear(): void {
    using run = this.#pipeline.dispatch({ groupCount: [this.#groupCount] });
    run.wait(CLEAR_SECONDS);
  }

  /** Frees the memory. */
  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}
