/** What a wave can do wrong; numbers are written by the device. */
export const KernelErrorCode = {
  none: 0,
  /** The lanes of an open port asked for different things. */
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
  /** A lane used an address that does not lie in the kernel's heap, or is not aligned. */
  badAddress: 8,
  /** A lane went to a step that is not there. */
  noSuchStep: 9,
} as const;
/** A number of {@linkcode KernelErrorCode}. */
export type KernelErrorCode = typeof KernelErrorCode[keyof typeof KernelErrorCode];

/** What the device says of a wave that broke a rule; checked by nobody. */
export interface KernelErrorReport {
  /** Which wave it was. */
  readonly waveIndex: number;
  /** A number of {@linkcode KernelErrorCode}. */
  readonly code: number;
  /** Which step of the author broke the rule; `undefined` when no single step did, or one from 1022 on. */
  readonly step: number | undefined;
  /** Where that step is in the author's text. */
  readonly place?: string;
  /** The step that is not there, where the wave went to one; beyond 65534 that. */
  readonly target?: number;
  /** How many steps there are. */
  readonly stepCount?: number;
}

/** The report, with where in the author's text that was, if it is known. */
export function placedError(
  error: KernelErrorReport,
  stepPlaces: readonly string[],
): KernelErrorReport {
  const place = error.step === undefined ? undefined : stepPlaces[error.step];
  return { ...error, stepCount: stepPlaces.length, ...place !== undefined && { place } };
}

/** How a device writes an error into one word: code, step plus 1, and wave, from the high bits down. */
export const ErrorWord = {
  codeShift: 26,
  stepShift: 16,
  /** Written for this step and all later ones. */
  stepMax: 0x3ff,
} as const;

/**
 * Reads the word in which a device reports an error; `undefined` when there is none.
 *
 * @param targetWord a step that is not there, and the wave that went to it, in the low half
 */
export function readKernelError(word: number, targetWord: number): KernelErrorReport | undefined {
  if (word === 0) return undefined;
  const step = (word >>> ErrorWord.stepShift) & ErrorWord.stepMax;
  const waveIndex = word & 0xffff;
  const code = word >>> ErrorWord.codeShift;
  // Of several waves, the two words may be of different ones.
  const hasTarget = code === KernelErrorCode.noSuchStep && (targetWord & 0xffff) === waveIndex;
  return {
    waveIndex,
    code,
    step: step === 0 || step === ErrorWord.stepMax ? undefined : step - 1,
    ...hasTarget && { target: targetWord >>> 16 },
  };
}

/** A wave broke a rule of the kernel's form; the others have finished. */
export class KernelError extends Error {
  /** For what catches errors of several kinds. */
  override readonly name = "KernelError";
  /** Which wave it was. */
  readonly waveIndex: number;
  /** A number of {@linkcode KernelErrorCode}, unless the kernel has written over the report. */
  readonly code: number;
  /** Which step of the author broke the rule; `undefined` when no single step did, or one from 1022 on. */
  readonly step: number | undefined;

  /** Made by a run, of what the device has reported. */
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
    "a lane set a word beyond the last of its packet: give the channel more laneBytes, or a live program more wordCount",
  [KernelErrorCode.secondRequest]: "the step made two requests: one goes into the next step",
  [KernelErrorCode.opcodeTooLarge]: "it asked for an opcode beyond 65535",
  [KernelErrorCode.badAddress]:
    "a lane used an address that does not lie in the heap (null, or beyond heapBytes), or is no multiple of 4 where one has to be",
};
