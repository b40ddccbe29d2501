import { checkChoice } from "../../text/choice.ts";
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

/** The choices that are compiled into a kernel. */
export interface KernelShape {
  /** How ports are locked; `cas` when absent, the fastest where many waves want few ports. */
  readonly lock?: LockName;
  /** Waves that share a workgroup, 1 to 1024. When absent 1; for waves of one lane up to 64. */
  readonly wavesPerGroup?: number;
  /** Bytes that `put`, `print` and the stream functions have for each lane, 0 to 65536; 256 when absent. */
  readonly streamBytes?: number;
  /** Ports that a wave tries in one epoch before it waits for the next, 1 to 16384; 32 when absent. */
  readonly searchAttempts?: number;
  /** Waves in a row of the grid that `wave_xy()` counts in, 1 to 65535; all in one row when absent. */
  readonly wavesAcross?: number;
  /** Requests that a wave makes in one epoch at most, 1 to 65536; 256 when absent. */
  readonly turnsMax?: number;
}

/**
 * Waves of one lane do not wait for each other, so that many may share a workgroup; a small
 * workgroup would leave most of a large machine idle.
 */
const SINGLE_LANE_WAVES_PER_GROUP = 64;
/** The most waves of a kernel. */
const WAVES_MAX = 65535;
/** Steps that a lane runs in a row without asking, before the wave takes its next turn. */
const STEPS_MAX = 1024;

/**
 * All choices of a kernel, those that were left open included.
 *
 * @param streamBytesMin what a stream has to hold at least, when that is left open
 *
 * @throws {RangeError} when a choice is out of its bounds
 * @throws {TypeError} when there is no lock of that name
 */
export function completeShape(
  shape: KernelShape,
  laneCount: number,
  streamBytesMin = 0,
): Required<KernelShape> {
  const complete = {
    lock: shape.lock ?? "cas",
    wavesPerGroup: shape.wavesPerGroup ?? (laneCount === 1 ? SINGLE_LANE_WAVES_PER_GROUP : 1),
    streamBytes: shape.streamBytes ?? Math.max(256, streamBytesMin),
    searchAttempts: shape.searchAttempts ?? 32,
    wavesAcross: shape.wavesAcross ?? WAVES_MAX,
    turnsMax: shape.turnsMax ?? 256,
  };
  checkLockName(complete.lock);
  checkNumber("wavesPerGroup", complete.wavesPerGroup, { min: 1, max: 1024 });
  checkNumber("streamBytes", complete.streamBytes, { min: 0, max: 65536 });
  checkNumber("searchAttempts", complete.searchAttempts, { min: 1, max: 16384 });
  checkNumber("wavesAcross", complete.wavesAcross, { min: 1, max: WAVES_MAX });
  checkNumber("turnsMax", complete.turnsMax, { min: 1, max: 65536 });
  return complete;
}

/** The choices as constants of a shader. */
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

/** The choice of a lock as constants of a shader. */
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

function checkNumber(
  name: string,
  value: number,
  bounds: { readonly min: number; readonly max: number },
) {
  const { min, max } = bounds;
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(
    `Cannot make a kernel as ${name} must be an integer from ${min} to ${max}: current value is ${value}`,
  );
}
