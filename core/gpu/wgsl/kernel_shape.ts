import { checkChoice } from "../../text/nearest.ts";
import { LENGTH_BYTES } from "../../call/stream_packets.ts";
import type { ChannelLayout } from "../../toggle/layout.ts";

/**
 * How a wave locks a port among its neighbours on the device, by the atomic operation that does it.
 *
 * | name | WGSL |
 * | --- | --- |
 * | `fetch-or` | `atomicOr` |
 * | `cas` | `atomicCompareExchangeWeak` |
 * | `fetch-add` | `atomicAdd`, taken back when the port was locked already |
 */
export const LOCK_NAMES = ["fetch-or", "cas", "fetch-add"] as const;
/** One of {@linkcode LOCK_NAMES}. */
export type LockName = typeof LOCK_NAMES[number];

/** Options that are compiled into a kernel. */
export interface KernelShape {
  /** How ports are locked; `cas` when absent, the fastest where many waves want few ports. */
  readonly lock?: LockName;
  /**
   * How many waves share a workgroup, 1 to 1024; 1 with workgroup memory, which is a wave's own. When absent 1,
   * or up to 64 for waves of one lane.
   */
  readonly wavesPerGroup?: number;
  /**
   * Bytes per lane for `put`, `print`, `printf` and the stream functions, 0 to 65536; when absent 256, or as
   * many as the longest `printf` needs.
   */
  readonly streamBytes?: number;
  /** How many ports a wave tries in one epoch, 1 to 16384; 32 when absent. */
  readonly searchAttempts?: number;
  /** How many waves are in a row of the grid of `wave_xy()`, 1 to 65535; all when absent. */
  readonly wavesAcross?: number;
  /** The most requests of a wave in one epoch, 1 to 65536; 256 when absent. */
  readonly turnsMax?: number;
}

/**
 * Waves of one lane do not wait for each other, so many can share a workgroup. Smaller workgroups would
 * leave most of a large device idle. On a software adapter, lanes without a wave cost as much as the others.
 */
const SINGLE_LANE_WAVES_PER_GROUP = 64;
/** The most waves of a kernel. */
const WAVES_MAX = 65535;
/** The most bytes of all spares: twice the longest stream of the most lanes. */
const SPARES_BYTES_MAX = 1 << 23;
/** Steps that a lane runs without a request before the wave takes its next turn. */
const STEPS_MAX = 1024;

/**
 * Fills in the defaults of a kernel's options.
 *
 * @param steps the smallest default of `streamBytes`, and whether a workgroup has one wave only
 *
 * @throws {RangeError} when an option is out of bounds
 * @throws {TypeError} when there is no lock of that name
 */
export function completeShape(
  { waveCount = Infinity, ...shape }: KernelShape & { readonly waveCount?: number },
  laneCount: number,
  steps: { readonly printfBytes: number; readonly sharesMemory: boolean } = {
    printfBytes: 0,
    sharesMemory: false,
  },
): Required<KernelShape> {
  const groupMax = laneCount === 1 && !steps.sharesMemory ? SINGLE_LANE_WAVES_PER_GROUP : 1;
  const complete = {
    lock: shape.lock ?? "cas",
    wavesPerGroup: shape.wavesPerGroup ??
      (waveCount < groupMax ? Math.max(1, Math.ceil(waveCount)) : groupMax),
    streamBytes: shape.streamBytes ?? Math.max(256, steps.printfBytes),
    searchAttempts: shape.searchAttempts ?? 32,
    wavesAcross: shape.wavesAcross ?? WAVES_MAX,
    turnsMax: shape.turnsMax ?? 256,
  };
  checkLockName(complete.lock);
  if (steps.sharesMemory && complete.wavesPerGroup !== 1) {
    throw new RangeError(
      `Cannot make a kernel as the workgroup memory of its text is each wave's own: current value of wavesPerGroup is ${complete.wavesPerGroup}: leave it out`,
    );
  }
  checkIntegers("make a kernel", {
    wavesPerGroup: [complete.wavesPerGroup, 1, 1024],
    streamBytes: [complete.streamBytes, 0, 65536],
    searchAttempts: [complete.searchAttempts, 1, 16384],
    wavesAcross: [complete.wavesAcross, 1, WAVES_MAX],
    turnsMax: [complete.turnsMax, 1, 65536],
  });
  return complete;
}

/**
 * How many spares there are, packets for what follows the first of a stream: enough for a stream on each
 * port, up to 8 MiB.
 */
export function spareCountOf(streamBytes: number, layout: ChannelLayout): number {
  const { laneBytes, packetWords, portCount } = layout;
  const sparesPerStream = Math.ceil((streamBytes + LENGTH_BYTES) / laneBytes) - 1;
  const spareCountMax = Math.floor(SPARES_BYTES_MAX / (packetWords * 4));
  return Math.min(portCount * sparesPerStream, spareCountMax);
}

/** The options as constants of a shader. */
export function shapeConstants(
  shape: Required<KernelShape>,
  layout: ChannelLayout,
): Record<string, number> {
  return {
    WAVES_PER_GROUP: shape.wavesPerGroup,
    STREAM_BYTES: shape.streamBytes,
    SEARCH_ATTEMPTS: Math.min(shape.searchAttempts, layout.portCount),
    WAVES_ACROSS: shape.wavesAcross,
    TURNS_MAX: shape.turnsMax,
    STEPS_MAX,
    ...lockConstants(shape.lock),
  };
}

/** The kind of lock as constants of a shader. */
export function lockConstants(lock: LockName): Record<string, number> {
  return {
    LOCK_KIND: LOCK_NAMES.indexOf(lock),
    LOCK_FETCH_OR: LOCK_NAMES.indexOf("fetch-or"),
    LOCK_CAS: LOCK_NAMES.indexOf("cas"),
    LOCK_FETCH_ADD: LOCK_NAMES.indexOf("fetch-add"),
  };
}

/** @throws {TypeError} when there is no lock of that name */
export function checkLockName(lock: string): void {
  checkChoice("make a kernel", { lock }, LOCK_NAMES);
}

/**
 * Checks options that are integers within bounds, both included.
 *
 * @param what cannot be done otherwise, as "make a kernel"
 * @throws {RangeError} that names the option, its bounds and its value
 */
export function checkIntegers(
  what: string,
  options: Readonly<Record<string, readonly [value: number, min: number, max: number]>>,
): void {
  for (const [name, [value, min, max]] of Object.entries(options)) {
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    throw new RangeError(
      `Cannot ${what} as ${name} must be an integer from ${min} to ${max}: current value is ${value}`,
    );
  }
}
