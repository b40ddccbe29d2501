import callsSource from "./wgsl/live_calls.wgsl" with { type: "text" };
import exchangesSource from "./wgsl/live_exchanges.wgsl" with { type: "text" };
import groupSource from "./wgsl/live_group.wgsl" with { type: "text" };
import livePortSource from "./wgsl/live_port.wgsl" with { type: "text" };
import liveSingleLaneSource from "./wgsl/live_single_lane.wgsl" with { type: "text" };
import liveSubgroupSource from "./wgsl/live_subgroup.wgsl" with { type: "text" };
import liveWaveSource from "./wgsl/live_wave.wgsl" with { type: "text" };
import roundsSource from "../rounds/live_rounds.wgsl" with { type: "text" };
import wholeSource from "../rounds/live_whole.wgsl" with { type: "text" };
import type { LockPlace } from "../../../toggle/design/atomics_needed.ts";
import { type ChannelLayout, ChannelState } from "../../../toggle/layout.ts";
import type { KernelText } from "../../kernel/kernel_text.ts";
import { inText, refuseHandles } from "../../wgsl/kernel_compile.ts";
import { checkIntegers, type KernelShape } from "../../wgsl/kernel_shape.ts";
import {
  type KernelSource,
  kernelSource,
  kernelText,
  type RuntimeText,
} from "../../wgsl/kernel_source.ts";
import { checkLiveDesign, sideConstants, sideText } from "../design/side_text.ts";
import { FAILURE_WORDS } from "../../wgsl/kernel_error.ts";
import { withAffixes } from "../../wgsl/layout_constants.ts";
import { countingRounds, ROUNDS_PAUSE, roundsText } from "../rounds/round_limit.ts";
import { directCode } from "./live_direct.ts";
import type { LiveWave } from "./live_options.ts";

/** Words by which the host and a kernel that runs talk about the run, apart from the channel. */
export const LiveWord = {
  /** The host writes these before the run, and `leave` meanwhile: a {@linkcode LiveEnd}, not 0, ends the waves. */
  leave: 0,
  /** The client's id, which the lock words of all waves hold. */
  ownerId: 1,
  /** How many rounds a wave waits for a port, or a reply, at most. */
  roundsMax: 2,
  /** Changes when somebody may sleep whom a wave should have woken. */
  ring: 32,
  /** The error of a wave, 0 for none: see `readKernelError`. */
  error: 64,
  /** The last missing step that a lane went to, and its wave, in 16 bits each. */
  badStep: 65,
  /** Why the first of the waves that did not finish ended: a {@linkcode LiveEnd}; and its opcode, 16 bits each. */
  ended: 66,
  /** How many waves ended like that. */
  left: 67,
  /** How many waves have begun, and how many of them have ended, either way. */
  started: 68,
  finished: 69,
  /** How many packets the waves have given away; counted when a wave ends. */
  sent: 70,
  /** How many calls came back with a status that is not `ok`, and of the first its status and opcode, 16 bits each. */
  refused: 71,
  refusal: 72,
  /** Not 0 when a wave waited for another that had not begun. */
  waits: 73,
  /** How many waves are paused, until another dispatch. */
  paused: 80,
  /** How the first lane failed, and where the first refused call came from: see `readFailure`. */
  failure: 96,
  refusalPlace: 96 + FAILURE_WORDS,
  /** From here on a {@linkcode WaveState} for each wave. */
  states: 160,
} as const;
/** All of them but the states, each group on lines of its own. */
export const LIVE_WORDS = LiveWord.states;

/**
 * How far a wave is. Above `waits` is, in the low bits of its word, the wave that it waits for; the other
 * bits count how often it has looked, as a wave says nothing when it goes on.
 */
export const WaveState = { notBegun: 0, runs: 1, ended: 2, waits: 3 } as const;
/** The low bits of the word. */
export const WAVE_STATE_BITS = 17;

/** Why waves end before they have finished. */
export const LiveEnd = {
  none: 0,
  /** The adapter leaves loops after a number of rounds, whatever their condition. */
  cutOff: 1,
  /** The channel was shut down or stopped. */
  stopped: 2,
  /** A wave has waited for `roundsMax` rounds. */
  late: 3,
  /** The host told the waves to leave. */
  left: 4,
  /** The lanes of a wave, which was to be a subgroup, are several. */
  split: 5,
  /** It goes on in another dispatch: no end of a run. */
  paused: 6,
} as const;
/** One of the numbers of {@linkcode LiveEnd}. */
export type LiveEnd = typeof LiveEnd[keyof typeof LiveEnd];

/** The buffers that waves share with the host while they run: the channel, twice, and words of the run. */
export const SHARED_BUFFERS = [0, 1, 2].map((binding) => ({ group: 0, binding }));

/** The numbers of a live kernel's channel and run, by their WGSL names. */
export function liveConstants(layout: ChannelLayout): Readonly<Record<string, number>> {
  return {
    // The plain words are the whole channel, as the atomic ones are.
    PAYLOAD_WORD: 0,
    ...sideConstants(layout),
    STATE_STOPPED: ChannelState.stopped,
    REPORT_ERROR_WORD: LiveWord.error,
    REPORT_BAD_STEP_WORD: LiveWord.badStep,
    REPORT_FAILURE_WORD: LiveWord.failure,
    REPORT_REFUSAL_WORD: LiveWord.refusalPlace,
    ...withAffixes(LiveWord, { prefix: "LIVE_", suffix: "_WORD", base: 0 }),
    ...withAffixes(LiveEnd, { prefix: "END_", suffix: "", base: 0 }),
    ...withAffixes(WaveState, { prefix: "WAVE_", suffix: "", base: 0 }),
    WAVE_STATE_BITS,
    ROUNDS_PAUSE,
    LANE_STATES_BINDING,
  };
}

/** Where a live kernel has its locks, where these are the device's. */
export const CLIENT_LOCKS_BINDING = 4;
/** Where waves that pause keep themselves. */
export const LANE_STATES_BINDING = 7;

/** The client's side of a port. */
export function clientPortText(layout: ChannelLayout, locks: LockPlace): string {
  return livePortSource + sideText(layout, { locks, locksBinding: CLIENT_LOCKS_BINDING });
}

interface LiveShape {
  readonly wave?: LiveWave;
  readonly locks?: LockPlace;
  /** Whether the device leaves loops early: see `leavesLoops`; false when absent. */
  readonly leavesLoops?: boolean;
}

/** A wave that waits spins. */
function liveRuntime(
  layout: ChannelLayout,
  { wave = "workgroup", locks = "channel" }: LiveShape,
  pauses: boolean,
): RuntimeText {
  const { laneCount } = layout;
  const isSubgroup = wave === "subgroup" && laneCount > 1;
  return {
    texts: ({ USES_SESSIONS, USES_STREAMS }) => [
      roundsText(pauses),
      clientPortText(layout, locks),
      liveWaveSource,
      pauses ? roundsSource : wholeSource,
      USES_SESSIONS || USES_STREAMS ? exchangesSource : callsSource,
      ...laneCount === 1 ? [liveSingleLaneSource] : [],
    ],
    constants: liveConstants,
    group: isSubgroup ? liveSubgroupSource : groupSource,
    isSubgroup,
    spins: true,
  };
}

/** A kernel for a device, with what that asks of who compiles and runs it. */
export interface LiveSource extends KernelSource {
  /** What runs in place of a text that compiles; absent where waves never pause. */
  readonly edited?: ((code: string) => string) | undefined;
  /** What runs in place of the text if it compiles; absent where waves have to take steps. */
  readonly direct?: string | undefined;
  /** What the lanes of a wave keep while it is paused. */
  readonly pausedBytes: number;
}

/** Bytes of `SavedLane` in `live_rounds.wgsl` before the frame, and what aligns its end. */
const LANE_HEAD_BYTES = 80;
const LANE_ALIGNMENT_BYTES = 16;

/**
 * Generates the module of a kernel that runs in one dispatch, while the host serves it. The text is that
 * of a `Kernel`. Where the device leaves loops early, its waves pause before, and go on in another dispatch; but
 * not those whose lanes share memory, as that ends with a dispatch.
 *
 * @throws {RangeError} when an option is out of bounds, or no wave can be a client of the channel
 * @throws {KernelCompileError} at what `fn kernel()` does not support, and at a texture or sampler
 * @throws {PrintfError} at an invalid `printf`
 * @throws {TypeError} when there is no step, a number is missing, or a string is malformed
 */
export function liveSource(
  given: string | KernelText,
  options: KernelShape & LiveShape & {
    readonly layout: ChannelLayout;
    readonly heapBytes?: number;
  },
): LiveSource {
  const { wavesPerGroup = 1, layout, wave } = options;
  const { laneCount } = layout;
  checkLiveDesign(layout, options.locks ?? "channel");
  // Lanes of a workgroup may run in turn: one that waits for a port would keep the holder from running.
  checkIntegers("make a live kernel", { wavesPerGroup: [wavesPerGroup, 1, 1] });
  const text = kernelText(given);
  inText(text.module, () => refuseHandles(text.module));
  const pauses = options.leavesLoops === true &&
    !text.module.variables.some(({ space }) => space === "workgroup");
  const runtime = liveRuntime(layout, options, pauses);
  const source = kernelSource(text, { ...options, wavesPerGroup, runtime });
  const agrees = laneCount > 1 && wave !== "subgroup";
  const direct = pauses || agrees ? undefined : directCode(source);
  const bytes = LANE_HEAD_BYTES + source.frameBytes + LANE_ALIGNMENT_BYTES - 1;
  return {
    ...source,
    direct,
    edited: pauses ? countingRounds : undefined,
    pausedBytes: (bytes - bytes % LANE_ALIGNMENT_BYTES) * laneCount,
  };
}
