import type { LiveDevice } from "../device/live_device.ts";
import type { WgslToSpirv } from "../kernel/live_compile.ts";
import { judgeLitmus, Litmus, type LitmusVerdict } from "./litmus.ts";
import { caseOf, type LitmusSetting } from "./litmus_table.ts";

/** What a device showed in a moment of what running kernels rest on. */
export interface OrderReport {
  /** Instances of each test. */
  readonly instanceCount: number;
  /** How often a flag was seen before what it tells of, either way: it must be 0. */
  readonly messageFaultCount: number;
  /** How often both sides looked before the other's write was to be seen, flipped by stores. */
  readonly storeBufferingCount: number;
  /** The same, flipped by exchanges, as kernels flip: a hint may then be late. */
  readonly exchangeBufferingCount: number;
  /** How often an update of one side was lost: it must be 0. */
  readonly lostUpdateCount: number;
}

/** Updates of which calls are made. */
const UPDATES_OF_CALLS = ["or", "exchange", "compare_exchange"];

/**
 * Plays a few thousand instances of the litmus tests that calls of running kernels rest on. What it does
 * not see may still be. Blocks this thread, for some 0.3 s with 2 rounds where the device is a processor.
 *
 * @param options `roundCount` is how often 1024 instances of each test are played; 2 when absent.
 * `startTimeoutSeconds` is how long waves may take to come to a start, 5 s when absent: more on a busy machine
 * @throws {DOMException} `TimeoutError` when waves do not come to a start; `NotSupportedError` when the
 * adapter leaves their loops early, or has no memory that both sides reach
 *
 * @example
 * ```ts
 * import { type LiveDevice, probeOrder } from "../mod.ts";
 * import { translate } from "naga-wasm";
 * function check(device: LiveDevice) {
 *   const report = probeOrder(device, {
 *     translate: (source) => translate({ from: "wgsl", to: "spirv", source }) as Uint32Array,
 *   });
 *   return report.messageFaultCount + report.lostUpdateCount === 0;
 * }
 * void check; // with the device of requestLiveDevice()
 * ```
 */
export function probeOrder(
  device: LiveDevice,
  options: {
    readonly translate: WgslToSpirv;
    readonly roundCount?: number;
    readonly startTimeoutSeconds?: number;
  },
): OrderReport {
  const { roundCount = 2, ...others } = options;
  const play = (name: string, order: LitmusSetting["order"], wave: LitmusSetting["wave"]) => {
    const setting = { test: caseOf(name), order, wave };
    using litmus = new Litmus(device, setting, others);
    litmus.run(roundCount);
    // An exchange forbids what a store allows: either way it is counted.
    return judgeLitmus(litmus.counts, { ...setting, order: "exchange" });
  };
  const faults = (verdicts: readonly LitmusVerdict[]) =>
    verdicts.reduce((sum, { forbiddenCount }) => sum + forbiddenCount, 0);
  const stored = play("store_buffering", "release", "first");
  return {
    instanceCount: stored.instanceCount,
    messageFaultCount: faults([
      play("message_passing", "release", "first"),
      play("message_passing", "release", "second"),
    ]),
    storeBufferingCount: stored.forbiddenCount,
    exchangeBufferingCount: faults([play("store_buffering", "exchange", "first")]),
    lostUpdateCount: faults(UPDATES_OF_CALLS.map((name) => play(name, "release", "first"))),
  };
}
