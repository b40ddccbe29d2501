import type { ChannelPlan } from "../channel_plan.ts";
import type { StepFault } from "../../explorer/traced_steps.ts";

/** A fault of `steps.wat`, and the smallest setting in which it shows. */
export interface PlantedStepFault extends StepFault, Pick<ChannelPlan, "clients" | "waiter"> {
  readonly name: string;
  /** 1 when absent. */
  readonly serverCount?: number;
}

const LOCK_WORD = "(call $word (global.get $lockByte) (local.get $index))";
const OUTBOX_WORD = "(call $mail (global.get $outboxByte) (local.get $index))";
const PARKED_WORD = "(call $word (global.get $peerParkedByte) (local.get $index))";
const STORE_TURN = "(i32.store (local.get $byte) (local.get $turn))";
const FLIP = `(i32.atomic.store ${OUTBOX_WORD} (local.get $turn))`;
const GIVE =
  "(local.set $turn (call $give (local.get $index))) (if (i32.eqz (global.get $hintWordCount)) (then (return (i32.const 3))))";
const HINT =
  "(local.set $group (i32.shr_u (local.get $index) (global.get $hintShift))) (if (i32.eqz (i32.and (i32.atomic.load (call $word (global.get $hintByte) (i32.shr_u (local.get $group) (i32.const 5)))) (i32.shl (i32.const 1) (local.get $group)))) (then (return (i32.const 3))))";
const RELEASE = `(i32.xor (i32.atomic.rmw.xchg ${LOCK_WORD} (i32.const 0)) (global.get $ownerId))`;
const IF_PARKED = `(if (i32.atomic.load ${PARKED_WORD}) (then (return (i32.const -1))))`;

const TWO = { clients: [["call"], ["cast"]], waiter: "spin-pause" } as const;
const ASLEEP = { clients: [["call"]], waiter: "park" } as const;
const BOTH_ASLEEP = { clients: [["call"], ["call"]], waiter: "park" } as const;

export const PLANTED_STEP_FAULTS: readonly PlantedStepFault[] = [
  {
    name: "a claim does not look again after it took the lock",
    ...TWO,
    from:
      "(if (call $owns (local.get $index)) (then (return (local.get $index)))) (i32.sub (i32.const -2) (local.get $index))",
    to: "(local.get $index)",
  },
  {
    name: "a lock is looked at, and then taken",
    ...TWO,
    from:
      `(if (i32.atomic.rmw.cmpxchg ${LOCK_WORD} (i32.const 0) (global.get $ownerId)) (then (return (i32.const -1))))`,
    to:
      `(if (i32.atomic.load ${LOCK_WORD}) (then (return (i32.const -1)))) (i32.atomic.store ${LOCK_WORD} (global.get $ownerId))`,
  },
  {
    name: "a lock is dropped without a look at the marks",
    ...BOTH_ASLEEP,
    from: RELEASE,
    to: `(drop ${RELEASE}) (i32.const 0)`,
  },
  {
    name: "a turn is written behind its flip",
    clients: [["call", "call"]],
    waiter: "park",
    from: `${STORE_TURN} ${FLIP}`,
    to: `${FLIP} ${STORE_TURN}`,
  },
  { name: "a turn is not written", ...TWO, from: STORE_TURN, to: "" },
  {
    name: "a flip is a plain store",
    ...ASLEEP,
    from: FLIP,
    to: FLIP.replace("atomic.", ""),
  },
  {
    name: "an inbox is looked at without order",
    ...ASLEEP,
    from: "(i32.atomic.load (call $mail (global.get $inboxByte) (local.get $index)))",
    to: "(i32.load (call $mail (global.get $inboxByte) (local.get $index)))",
  },
  {
    name: "a client looks at the hint before it flips",
    clients: [["call", "call"]],
    waiter: "park",
    from: `${GIVE} ${HINT}`,
    to: `${HINT} ${GIVE}`,
  },
  {
    name: "a client takes its own flip for the answer",
    clients: [["call"]],
    waiter: "adaptive",
    from: "(local.set $byte (call $mail (global.get $inboxByte) (local.get $index)))",
    to: "(local.set $byte (call $mail (global.get $outboxByte) (local.get $index)))",
  },
  {
    name: "a server drops the lock before it flips",
    clients: [["call"], ["call"]],
    waiter: "spin-pause",
    from: `(drop (call $give (local.get $index))) ${IF_PARKED} (call $release (local.get $index))`,
    to:
      `(drop (call $release (local.get $index))) (drop (call $give (local.get $index))) ${IF_PARKED} (i32.const 0)`,
  },
  {
    name: "a server looks whether the client sleeps before it flips",
    ...ASLEEP,
    from: `(drop (call $give (local.get $index))) ${IF_PARKED}`,
    to: `${IF_PARKED} (drop (call $give (local.get $index)))`,
  },
  {
    name: "a server does not look whether the client sleeps",
    ...ASLEEP,
    from: IF_PARKED,
    to: "",
  },
  {
    name: "a server serves a port that another served before it took the lock",
    clients: [["call"]],
    waiter: "spin-pause",
    serverCount: 2,
    from: "(then (return (call $claim (local.get $index))))",
    to: "(then (drop (call $claim (local.get $index))) (return (local.get $index)))",
  },
];
