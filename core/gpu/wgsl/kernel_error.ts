/** Rules that a wave can break. The device writes these numbers. */
export const KernelErrorCode = {
  none: 0,
  /** The lanes of an open port made different requests. */
  divergedInPort: 1,
  /** `begin` or a call while the lane's wave had a port open. */
  portAlreadyOpen: 2,
  /** `send`, `recv` or `close` without an open port. */
  noPortOpen: 3,
  /** A lane put more bytes into its stream than it holds. */
  streamFull: 4,
  /** A lane set a word beyond the last of its packet. */
  wordBeyondPacket: 5,
  /** A step made two requests. */
  secondRequest: 6,
  /** A step asked for an opcode beyond 65535. */
  opcodeTooLarge: 7,
  /** A lane used an address that is outside the kernel's heap or not aligned. */
  badAddress: 8,
  /** A lane went to a missing step. */
  noSuchStep: 9,
} as const;
/** A number of {@linkcode KernelErrorCode}. */
export type KernelErrorCode = typeof KernelErrorCode[keyof typeof KernelErrorCode];

/** The device's unchecked report of a wave that broke a rule. */
export interface KernelErrorReport {
  /** The wave that broke the rule. */
  readonly waveIndex: number;
  /** A number of {@linkcode KernelErrorCode}. */
  readonly code: number;
  /** The step that broke the rule; `undefined` for several steps, or one from 1022 on. */
  readonly step: number | undefined;
  /** The place of that step in the author's text. */
  readonly place?: string;
  /** The missing step that the wave went to, if any; at most 65534. */
  readonly target?: number;
  /** The number of steps. */
  readonly stepCount?: number;
}

/** Adds the place in the author's text to a report, if it is known. */
export function placedError(
  error: KernelErrorReport,
  stepPlaces: readonly string[],
): KernelErrorReport {
  const place = error.step === undefined ? undefined : stepPlaces[error.step];
  return { ...error, stepCount: stepPlaces.length, ...place !== undefined && { place } };
}

/** How a device packs an error into a word: code, step + 1 and wave, from the high bits down. */
export const ErrorWord = {
  codeShift: 26,
  stepShift: 16,
  /** Stands for this step and all later ones. */
  stepMax: 0x3ff,
} as const;

/**
 * Reads the word in which a device reports an error; `undefined` when there is none.
 *
 * @param targetWord a missing step, and in the low half the wave that went to it
 */
export function readKernelError(word: number, targetWord: number): KernelErrorReport | undefined {
  if (word === 0) return undefined;
  const step = (word >>> ErrorWord.stepShift) & ErrorWord.stepMax;
  const waveIndex = word & 0xffff;
  const code = word >>> ErrorWord.codeShift;
  // If several waves failed, the two words may be of different ones.
  const hasTarget = code === KernelErrorCode.noSuchStep && (targetWord & 0xffff) === waveIndex;
  return {
    waveIndex,
    code,
    step: step === 0 || step === ErrorWord.stepMax ? undefined : step - 1,
    ...hasTarget && { target: targetWord >>> 16 },
  };
}

/** A wave broke a rule for kernels; the others have finished. */
export class KernelError extends Error {
  /** The name of the class. */
  override readonly name = "KernelError";
  /** The wave that broke the rule. */
  readonly waveIndex: number;
  /** A number of {@linkcode KernelErrorCode}, unless the kernel has overwritten the report. */
  readonly code: number;
  /** The step that broke the rule; `undefined` for several steps, or one from 1022 on. */
  readonly step: number | undefined;

  /** Creates the error from the device's report. */
  constructor(report: KernelErrorReport) {
    const { waveIndex, code, step, place } = report;
    const where = step === undefined ? "" : ` ${place ?? `after step_${step}`}`;
    const reason = code === KernelErrorCode.noSuchStep
      ? noSuchStep(report)
      : REASONS[code] ?? `of an unknown error ${code}`;
    super(`Cannot finish wave ${waveIndex}${where} as ${reason}`);
    this.waveIndex = waveIndex;
    this.code = code;
    this.step = step;
  }
}

function noSuchStep({ target, stepCount }: KernelErrorReport): string {
  const steps = stepCount === undefined ? "" : `: there are ${stepCount}, and the first is 0`;
  const which = target === undefined ? "a step" : `step ${target}`;
  return `it went to ${which}, which is not there${steps}`;
}

const REASONS: Readonly<Record<number, string>> = {
  [KernelErrorCode.divergedInPort]:
    "its lanes asked for different things while they had a port open",
  [KernelErrorCode.portAlreadyOpen]:
    "it asked for a call while it had a port open: close() comes first",
  [KernelErrorCode.noPortOpen]:
    "it asked to send, receive or close without a port: begin() comes first",
  [KernelErrorCode.streamFull]: "a lane used more of its stream than streamBytes allows",
  [KernelErrorCode.wordBeyondPacket]:
    "a lane set a word beyond the last of its packet: give the channel more laneBytes, or a one-dispatch program more wordCount",
  [KernelErrorCode.secondRequest]: "the step made two requests: one goes into the next step",
  [KernelErrorCode.opcodeTooLarge]: "it asked for an opcode beyond 65535",
  [KernelErrorCode.badAddress]:
    "a lane used an address that does not lie in the heap (null, or beyond heapBytes), or is no multiple of 4 where one has to be",
};
