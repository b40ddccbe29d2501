import type { LockPlace } from "../../../toggle/design/atomics_needed.ts";
import { type ChannelDesign, designFault } from "../../../toggle/design/channel_design.ts";
import { type ChannelLayout, ControlWord } from "../../../toggle/layout.ts";

/** What follows the drop of a lock that has no room for marks: whether somebody had marked the port. */
const MARKS = `
// Mirrors AnonymousLocks.wakeMarked(); after the drop. Sync: a store, although others set marks by or: one
// that it wipes out was set before the ring that follows, which wakes its owner to set it again.
fn side_take_marks(index: u32) -> bool {
  let is_marked = atomicLoad(&channel[MARKS_WORD + index]) != 0u;
  if is_marked { atomicStore(&channel[MARKS_WORD + index], 0u); }
  return is_marked;
}
`;

/** Whether the port looks taken, where a lock has a word, or a bit. */
const WORD_LOOK = `
fn side_looks_locked(index: u32) -> bool { return atomicLoad(&channel[LOCK_WORD + index]) != 0u; }
`;
const BIT_LOOK = `
fn side_looks_locked(index: u32) -> bool {
  return ((atomicLoad(&channel[LOCK_WORD + (index >> 5u)]) >> (index & 31u)) & 1u) != 0u;
}
`;

/**
 * Locks by their names: `side_take_lock` takes that of a port that looks free, if it is; `side_unlock` drops it, and
 * returns whether somebody asked to be woken then; `side_looks_locked` is a glance.
 *
 * Sync: who takes a lock sees what its last holder did with the port, and a flip comes before its drop.
 */
const LOCKS: Readonly<Partial<Record<ChannelDesign["portLock"], string>>> = {
  owner: `${WORD_LOOK}
// Mirrors OwnerLocks.
fn side_take_lock(index: u32) -> bool {
  return atomicCompareExchangeWeak(&channel[LOCK_WORD + index], 0u, owner_id).exchanged;
}
fn side_unlock(index: u32) -> bool {
  return atomicExchange(&channel[LOCK_WORD + index], 0u) != owner_id;
}
`,
  exchange: `${MARKS}${WORD_LOOK}
// Mirrors ExchangeLocks.
fn side_take_lock(index: u32) -> bool { return atomicExchange(&channel[LOCK_WORD + index], 1u) == 0u; }
fn side_unlock(index: u32) -> bool {
  atomicExchange(&channel[LOCK_WORD + index], 0u);
  return side_take_marks(index);
}
`,
  "fetch-add": `${MARKS}${WORD_LOOK}
// Mirrors CountLocks. Who takes back an addition unlocks, too: somebody may have taken it for the holder.
fn side_take_lock(index: u32) -> bool {
  let is_taken = atomicAdd(&channel[LOCK_WORD + index], 1u) == 0u;
  if !is_taken { if side_unlock(index) { ring(); } }
  return is_taken;
}
fn side_unlock(index: u32) -> bool {
  atomicSub(&channel[LOCK_WORD + index], 1u);
  return side_take_marks(index);
}
`,
  "fetch-or": `${MARKS}${BIT_LOOK}
// Mirrors OrLocks.
fn side_take_lock(index: u32) -> bool {
  let bit = 1u << (index & 31u);
  return (atomicOr(&channel[LOCK_WORD + (index >> 5u)], bit) & bit) == 0u;
}
fn side_unlock(index: u32) -> bool {
  atomicAnd(&channel[LOCK_WORD + (index >> 5u)], ~(1u << (index & 31u)));
  return side_take_marks(index);
}
`,
  cas: `${MARKS}${BIT_LOOK}
// Mirrors CasLocks.
fn side_take_lock(index: u32) -> bool {
  let bit = 1u << (index & 31u);
  let word = LOCK_WORD + (index >> 5u);
  var seen = atomicLoad(&channel[word]);
  var is_taken = false;
  while !is_taken && (seen & bit) == 0u {
    let result = atomicCompareExchangeWeak(&channel[word], seen, seen | bit);
    is_taken = result.exchanged;
    seen = result.old_value;
  }
  return is_taken;
}
fn side_unlock(index: u32) -> bool {
  let word = LOCK_WORD + (index >> 5u);
  var seen = atomicLoad(&channel[word]);
  var is_dropped = false;
  while !is_dropped {
    let result = atomicCompareExchangeWeak(&channel[word], seen, seen & ~(1u << (index & 31u)));
    is_dropped = result.exchanged;
    seen = result.old_value;
  }
  return side_take_marks(index);
}
`,
};

/** Takes a lock if it looks free. Nothing returns early: that is a loop once it is inlined. */
const TRIES = `
fn side_try_lock(index: u32) -> bool {
  var locks = !side_looks_locked(index);
  if locks { locks = side_take_lock(index); }
  return locks;
}
`;

/** As {@linkcode LOCKS}, in a buffer of the device. */
function deviceLockText(binding: number): string {
  return `
@group(0) @binding(${binding}) var<storage, read_write> device_locks: array<atomic<u32>>;

// The lock is a word of the device. That of the channel tells the host who holds the port: a server that waits
// for the rest of a call looks there. What the host marks there is wiped out: it is woken by the run, which
// looks for who sleeps.
fn side_looks_locked(index: u32) -> bool { return atomicLoad(&device_locks[index]) != 0u; }
fn side_take_lock(index: u32) -> bool {
  let is_taken = atomicCompareExchangeWeak(&device_locks[index], 0u, owner_id).exchanged;
  if is_taken { atomicStore(&channel[LOCK_WORD + index], owner_id); }
  return is_taken;
}
fn side_unlock(index: u32) -> bool {
  atomicStore(&channel[LOCK_WORD + index], 0u);
  atomicStore(&device_locks[index], 0u);
  return false;
}
`;
}

/** Ways to publish a flip, as statements on `word` and the `turn` that it is to hold; `turn` is 0 or 1. */
const FLIPS: Readonly<Record<ChannelDesign["mailboxUpdate"], string>> = {
  store: "atomicStore(&channel[word], turn);",
  exchange: "_ = atomicExchange(&channel[word], turn);",
  // 0xffffffff takes 1 away.
  "fetch-add": "atomicAdd(&channel[word], 2u * turn - 1u);",
  "fetch-xor": "atomicXor(&channel[word], 1u);",
  cas: `var is_flipped = false;
  while !is_flipped { is_flipped = atomicCompareExchangeWeak(&channel[word], turn ^ 1u, turn).exchanged; }`,
};

/** What a side does to its mailbox, and sees of the other's. */
function mailboxText({ mailboxUpdate, discovery }: ChannelDesign): string {
  const place = "index * MAILBOX_STRIDE";
  // Sync: where the hint is looked at next, a store could still be on its way then, and a server that clears
  // the hint in between would see neither.
  const isMarked = mailboxUpdate === "store" && discovery === "hint";
  const update = isMarked ? "exchange" : mailboxUpdate;
  return `
// Sync: an inbox that shows the other side's flip shows its packet.
fn side_inbox(index: u32) -> u32 { return atomicLoad(&channel[INBOX_WORD + ${place}]); }
// The same by an update, which no compiler merges with another.
fn side_newest(index: u32) -> u32 { return atomicAdd(&channel[INBOX_WORD + ${place}], 0u); }

// The own turn is plain for who holds the lock, as nobody else writes it then.
fn side_turn(index: u32) -> u32 { return payload[TURN_WORD + index]; }

// Mirrors Mailboxes.owns(); with the lock held.
fn side_owns(index: u32) -> bool { return side_inbox(index) == side_turn(index); }

// The same without the lock: a yes may be over at once.
fn side_looks_owned(index: u32) -> bool {
  return side_inbox(index) == atomicLoad(&channel[TURN_WORD + index]);
}

// Mirrors Mailboxes.toggle(): turn, then flip; returns the turn. Sync: releases what was written to the packet.
fn side_give(index: u32) -> u32 {
  let turn = side_turn(index) ^ 1u;
  payload[TURN_WORD + index] = turn;
  let word = OUTBOX_WORD + ${place};
  ${FLIPS[update]}
  return turn;
}
`;
}

/** What a client does behind its flip: marks the hint, as `Hints.mark()`, and has sleeping servers woken. */
const MARKS_HINT = `
fn side_mark(index: u32, looks_first: bool) {
  let place = index >> HINT_SHIFT;
  let word = HINT_WORD + (place >> 5u);
  let bit = 1u << (place & 31u);
  var is_clear = true;
  if looks_first { is_clear = (atomicLoad(&channel[word]) & bit) == 0u; }
  if is_clear {
    is_clear = (atomicOr(&channel[word], bit) & bit) == 0u;
    if is_clear { if atomicLoad(&channel[SLEEPERS_WORD]) != 0u { ring(); } }
  }
}
`;
const MARKS_NOTHING = `
fn side_mark(index: u32, looks_first: bool) {
  if atomicLoad(&channel[SLEEPERS_WORD]) != 0u { ring(); }
}
`;

/**
 * Says why no wave of a live kernel can use a channel of a design; `undefined` where one can. For sweeps,
 * which skip such points with the reason.
 *
 * @example
 * ```ts
 * import { liveDesignFault } from "./side_text.ts";
 * if (liveDesignFault({ portLock: "fetch-add" }) !== undefined) throw new Error("a sweep of locks");
 * ```
 */
export function liveDesignFault(design: Partial<ChannelDesign>): string | undefined {
  const fault = designFault(design);
  if (fault !== undefined) return fault;
  const { portLock = "owner", mailboxWidth, mailboxRead, discovery, start } = design;
  const must = (name: string, values: string, value: string) =>
    `${name} must be ${values}: current value is ${value}`;
  if (!LOCKS[portLock]) return must("portLock", Object.keys(LOCKS).join(", "), portLock);
  if (mailboxWidth === "bit") return must("mailboxWidth", "word, padded or beside", mailboxWidth);
  if (mailboxRead === "outbox") return must("mailboxRead", "turn", mailboxRead);
  if (discovery === "bitmap") return must("discovery", "hint or scan", discovery);
  if (start !== undefined && start !== "last-used") return must("start", "last-used", start);
  return undefined;
}

/**
 * @throws {RangeError} when no wave of a live kernel can use the channel: see {@linkcode liveDesignFault}; or its
 * locks are to be the device's, and those of the channel could not say who holds a port
 */
export function checkLiveDesign(layout: ChannelLayout, locks: LockPlace): void {
  const fault = liveDesignFault(layout);
  if (fault !== undefined) throw new RangeError(`Cannot use the channel on a GPU as ${fault}`);
  if (locks === "channel" || layout.portLock === "owner") return;
  throw new RangeError(
    `Cannot lock ports in the device's memory as portLock must be owner: current value is ${layout.portLock}`,
  );
}

/**
 * The functions of WGSL by which waves are clients of a channel, of its design: `side_take_lock`,
 * `side_unlock`, `side_owns`, `side_give` and so on. They use `channel`, `payload`, `owner_id`, `ring()` and the
 * constants of {@linkcode sideConstants}.
 *
 * @param locks where its locks are; those of the device are bound at `locksBinding` of the first group
 */
export function sideText(
  design: ChannelDesign,
  { locks, locksBinding }: { readonly locks: LockPlace; readonly locksBinding: number },
): string {
  const lockText = locks === "device" ? deviceLockText(locksBinding) : LOCKS[design.portLock]!;
  const mark = design.discovery === "hint" ? MARKS_HINT : MARKS_NOTHING;
  return mailboxText(design) + lockText + TRIES + mark;
}

/** The numbers that {@linkcode sideText} needs, by their WGSL names. */
export function sideConstants(layout: ChannelLayout): Readonly<Record<string, number>> {
  const { controlWord } = layout;
  return {
    LOCK_WORD: layout.clientLockWord,
    MARKS_WORD: layout.clientMarksWord,
    OUTBOX_WORD: layout.clientOutboxWord,
    INBOX_WORD: layout.serverOutboxWord,
    TURN_WORD: layout.clientTurnWord,
    STATE_WORD: controlWord + ControlWord.state,
    SLEEPERS_WORD: controlWord + ControlWord.sleepers,
  };
}
