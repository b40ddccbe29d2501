import { checkChoice } from "../../../text/nearest.ts";
import type { Channel } from "../../../toggle/channel.ts";
import type { KernelShape } from "../../wgsl/kernel_shape.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDeviceInfo } from "../device/physical_device.ts";
import type { WgslToSpirv } from "./live_compile.ts";

/** What a wave is on the device. */
export type LiveWave = "workgroup" | "subgroup";
const LIVE_WAVES: readonly LiveWave[] = ["workgroup", "subgroup"];

/** Options of {@linkcode LiveKernel.create}. */
export interface LiveKernelOptions extends KernelShape {
  /** The author's kernel in WGSL, as for `Kernel`: `fn kernel()`, or steps. */
  readonly source: string;
  /** The channel that the waves are clients of, beside others. */
  readonly channel: Channel;
  /** The channel's memory, imported before anybody else used it. */
  readonly memory: LiveBuffer;
  /** How many waves of `laneCount` lanes run, 1 to 65535. */
  readonly waveCount: number;
  /**
   * What a wave is on the device; `workgroup` when absent. The lanes of a subgroup agree without barriers:
   * that is quicker, and takes a device with ballots and a `laneCount` no larger than its subgroups.
   */
  readonly wave?: LiveWave;
  /** Storage buffers that the kernel uses, as `@group(1)`; none when absent. */
  readonly buffers?: readonly LiveBuffer[];
  /** Bytes of heap, as of {@linkcode KernelOptions}; no heap when absent. */
  readonly heapBytes?: number;
  /**
   * Where clients lock ports: in the channel, beside Workers; or in memory of the device, if these waves are the
   * only clients and it lacks atomics towards the host. In the channel when absent.
   */
  readonly locks?: "channel" | "device";
  /** Translates the kernel's module. */
  readonly translate: WgslToSpirv;
}

/** Options of one run. */
export interface LiveRunOptions {
  /** Ends the run with the signal's reason. */
  readonly signal?: AbortSignal;
  /** As of `RunOptions`; `reject` when absent. */
  readonly refusals?: "reject" | "count";
  /**
   * How often a wave that waits looks before it gives up, 256 to 4 294 967 040; that when absent. On a
   * software adapter a look takes some nanoseconds. For runs whose host may die: others have `signal`.
   */
  readonly roundsMax?: number;
}

/** The outcome of a run. */
export interface LiveReport {
  /** Packets that waves have sent to servers. */
  readonly packetCount: number;
  /** Calls that a server rejected, or whose handler failed. */
  readonly refusedCallCount: number;
}

/** Operations of subgroups by which lanes agree, as Vulkan names them. */
const SUBGROUP_OPERATIONS = ["basic", "ballot", "arithmetic"];

/**
 * Checks that a device can run such waves.
 *
 * @throws {TypeError} when there is no such choice of `wave`
 * @throws {RangeError} when a subgroup has fewer lanes
 * @throws {DOMException} `NotSupportedError` when the device lacks operations of subgroups
 */
export function checkWave(
  { name, subgroupLaneCount, subgroupOperations }: LiveDeviceInfo,
  { wave = "workgroup", laneCount }: {
    readonly wave?: LiveWave;
    readonly laneCount: number;
  },
): void {
  checkChoice("make a live kernel", { wave }, LIVE_WAVES);
  if (wave === "workgroup") return;
  const absent = SUBGROUP_OPERATIONS.filter((one) => !subgroupOperations.includes(one));
  if (absent.length > 0) {
    throw new DOMException(
      `Cannot make a live kernel whose waves are subgroups as ${name} lacks their operations ${
        absent.join(" and ")
      }: leave out wave: "subgroup"`,
      "NotSupportedError",
    );
  }
  if (laneCount <= subgroupLaneCount) return;
  throw new RangeError(
    `Cannot make a live kernel whose waves are subgroups as laneCount must be at most the ${subgroupLaneCount} lanes of one on ${name}: current value is ${laneCount}`,
  );
}
