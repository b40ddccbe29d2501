import { WasmCode } from "../../memory/wasm_code.ts";
import type { Side } from "../side.ts";
import type { ChannelLayout } from "../layout.ts";
import { STEPS_BYTES } from "./steps_bytes.ts";

/**
 * The steps of a call in one piece each: for channels of the default design, wherever its mailboxes are, and of LLVM's wire, WebAssembly
 * made from `steps.wat`, where an access to shared memory is an instruction, and not a call of a function; for others what
 * `Mailboxes` and locks do.
 */
export interface Steps {
  /**
   * Locks a port if it is free and this side owns its buffer; returns its index, -1 where another worker has it,
   * and `FOREIGN_FOUND - index` where it is locked but not owned.
   */
  readonly claim: (index: number) => number;
  /** Drops the lock of a port; returns marks of those who are to be woken. */
  readonly release: (index: number) => number;
  /** Gives a port's buffer to the server and waits a burst for the answer: one of {@linkcode Answered}. */
  readonly call: (index: number, polls: number) => number;
  /** Claims a port with work; returns as `claim`. Absent where a `WorkFinder` does it. */
  readonly find?: (start: number, last: number, glances: number) => number;
  /** Gives a port's buffer to the client and drops the lock; returns marks as `release`, or -1 when the client sleeps and the lock is still held. */
  readonly handBack: (index: number) => number;
}

/** From `handBack`: the client sleeps, and the lock is still held. */
export const ASLEEP = -1;
/** From `claim` and `find`: less the index, a port that is locked but not owned. */
export const FOREIGN_FOUND = -2;
/** What became of a call that was given away. */
export const Answered = { good: 0, bad: 1, notYet: 2, unhinted: 3 } as const;

/** Numbers that the steps are made for. */
export type StepConstants = Readonly<Record<string, number>>;
/** Makes steps over a memory. */
export type StepMaker = (constants: StepConstants) => Steps | undefined;

/** Whether the steps are for channels of this design; the others are served by `Mailboxes` and locks as they are. */
export function areStepsFor(layout: ChannelLayout): boolean {
  const { portLock, mailboxWidth, mailboxUpdate, mailboxRead, discovery } = layout;
  return portLock === "owner" && mailboxWidth !== "bit" && mailboxUpdate === "store" &&
    mailboxRead === "turn" && discovery !== "bitmap";
}

/** The numbers of one side of a channel. */
export function stepConstants(layout: ChannelLayout, side: Side, ownerId: number): StepConstants {
  const isClient = side === "client";
  return {
    ownerId,
    ownedXor: isClient ? 0 : 1,
    portCount: layout.portCount,
    hintWordCount: layout.discovery === "hint" ? layout.hintWordCount : 0,
    hintShift: layout.hintShift,
    // Where the regions begin, in bytes; the names are short, as every page loads them.
    lock: 4 * (isClient ? layout.clientLockWord : layout.serverLockWord),
    inbox: 4 * (isClient ? layout.serverOutboxWord : layout.clientOutboxWord),
    outbox: 4 * (isClient ? layout.clientOutboxWord : layout.serverOutboxWord),
    turn: 4 * (isClient ? layout.clientTurnWord : layout.serverTurnWord),
    parked: 4 * (isClient ? layout.serverParkedWord : layout.clientParkedWord),
    hint: 4 * layout.hintWord,
    status: 4 * (layout.headersWord + 3),
    mailStride: 4 * layout.mailboxStride,
    headStride: 4 * layout.headerStride,
  };
}

const CODE = new WasmCode<Steps>(STEPS_BYTES);

/** The steps over a memory; nothing where WebAssembly is refused. */
export function makeSteps(
  memory: WebAssembly.Memory,
  constants: StepConstants,
): Steps | undefined {
  return CODE.over({ c: { memory, ...constants } });
}
