import { PORT_PLACES } from "../../../memory/regions.ts";
import type { ApartSide } from "../../../toggle/design/atomics_needed.ts";
import { type ChannelDesign, designFault } from "../../../toggle/design/channel_design.ts";
import { type ChannelLayout, ControlWord } from "../../../toggle/layout.ts";
import type { Side } from "../../../toggle/side.ts";

/** What follows the drop of a lock that has no room for marks: whether somebody had marked the port. */
const MARKS = `
// Mirrors AnonymousLocks.wakeMarked(); after the drop. Sync: a store, although others set marks by or: one
// that it wipes out was set before the ring that follows, which wakes its owner to set it again.
fn side_take_marks(index: u32) -> bool {
  if atomicLoad(&channel[MARKS_WORD + index]) == 0u { return false; }
  atomicStore(&channel[MARKS_WORD + index], 0u);
  return true;
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
 * Locks by their names: `side_try_lock` takes that of a port if it is free; `side_unlock` drops it, and
 * returns whether somebody asked to be woken then; `side_looks_locked` is a glance.
 *
 * Sync: who takes a lock sees what its last holder did with the port, and a flip comes before its drop.
 */
const LOCKS: Readonly<Partial<Record<ChannelDesign["portLock"], string>>> = {
  owner: `
// Mirrors OwnerLocks.
${WORD_LOOK}fn side_try_lock(index: u32) -> bool {
  if side_looks_locked(index) { return false; }
  return atomicCompareExchangeWeak(&channel[LOCK_WORD + index], 0u, owner_id).exchanged;
}
fn side_unlock(index: u32) -> bool {
  return atomicExchange(&channel[LOCK_WORD + index], 0u) != owner_id;
}
`,
  exchange: `${MARKS}
// Mirrors ExchangeLocks.
${WORD_LOOK}fn side_try_lock(index: u32) -> bool {
  if side_looks_locked(index) { return false; }
  return atomicExchange(&channel[LOCK_WORD + index], 1u) == 0u;
}
fn side_unlock(index: u32) -> bool {
  atomicExchange(&channel[LOCK_WORD + index], 0u);
  return side_take_marks(index);
}
`,
  "fetch-add": `${MARKS}
// Mirrors CountLocks. Who takes back an addition unlocks, too: somebody may have taken it for the holder.
${WORD_LOOK}fn side_try_lock(index: u32) -> bool {
  if side_looks_locked(index) { return false; }
  if atomicAdd(&channel[LOCK_WORD + index], 1u) == 0u { return true; }
  if side_unlock(index) { ring(); }
  return false;
}
fn side_unlock(index: u32) -> bool {
  atomicSub(&channel[LOCK_WORD + index], 1u);
  return side_take_marks(index);
}
`,
  "fetch-or": `${MARKS}
// Mirrors OrLocks.
${BIT_LOOK}fn side_try_lock(index: u32) -> bool {
  let bit = 1u << (index & 31u);
  let word = LOCK_WORD + (index >> 5u);
  if side_looks_locked(index) { return false; }
  return (atomicOr(&channel[word], bit) & bit) == 0u;
}
fn side_unlock(index: u32) -> bool {
  atomicAnd(&channel[LOCK_WORD + (index >> 5u)], ~(1u << (index & 31u)));
  return side_take_marks(index);
}
`,
  cas: `${MARKS}
// Mirrors CasLocks.
${BIT_LOOK}fn side_try_lock(index: u32) -> bool {
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

/** As {@linkcode LOCKS}, in a buffer of the device. */
const DEVICE_LOCK = `
// The lock is a word of the device. That of the channel tells the host who holds the port: a server that waits
// for the rest of a call looks there. What the host marks there is wiped out: it is woken by the run, which
// looks for who sleeps.
fn side_looks_locked(index: u32) -> bool { return atomicLoad(&device_locks[index]) != 0u; }
fn side_try_lock(index: u32) -> bool {
  if side_looks_locked(index) { return false; }
  if !atomicCompareExchangeWeak(&device_locks[index], 0u, owner_id).exchanged { return false; }
  atomicStore(&channel[LOCK_WORD + index], owner_id);
  return true;
}
fn side_unlock(index: u32) -> bool {
  atomicStore(&channel[LOCK_WORD + index], 0u);
  atomicStore(&device_locks[index], 0u);
  return false;
}
`;

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

function flipText({ mailboxUpdate, discovery }: ChannelDesign, side: Side): string {
  // Sync: where the hint is looked at next, a store could still be on its way then, and a server that clears
  // the hint in between would see neither.
  const isMarked = side === "client" && discovery === "hint";
  const update = mailboxUpdate === "store" && isMarked ? "exchange" : mailboxUpdate;
  return `
// Mirrors Mailboxes.toggle(): turn, then flip. Sync: the flip releases what was written to the packet.
fn side_give(index: u32) {
  let turn = payload[TURN_WORD + side_place(index)] ^ 1u;
  payload[TURN_WORD + side_place(index)] = turn;
  let word = OUTBOX_WORD + side_place(index);
  ${FLIPS[update]}
}
`;
}

const MAILBOXES = `
fn side_place(index: u32) -> u32 { return index << PLACE_SHIFT; }

// Mirrors Mailboxes.owns(). Sync: an inbox that shows the other side's flip shows its packet; the own turn is
// written under the lock. Without the lock a yes may be over at once.
fn side_owns(index: u32) -> bool {
  let inbox = atomicLoad(&channel[INBOX_WORD + side_place(index)]);
  return (inbox ^ atomicLoad(&channel[TURN_WORD + side_place(index)])) == OWNED_XOR;
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
  if (mailboxWidth === "bit") return must("mailboxWidth", "word or padded", mailboxWidth);
  if (mailboxRead === "outbox") return must("mailboxRead", "turn", mailboxRead);
  if (discovery === "bitmap") return must("discovery", "hint or scan", discovery);
  if (start !== undefined && start !== "last-used") return must("start", "last-used", start);
  return undefined;
}

/** @throws {RangeError} when no wave of a live kernel can use the channel: see {@linkcode liveDesignFault} */
export function checkLiveDesign(layout: ChannelLayout): void {
  const fault = liveDesignFault(layout);
  if (fault !== undefined) throw new RangeError(`Cannot use the channel on a GPU as ${fault}`);
}

/**
 * The functions of WGSL by which waves take part on one side of a channel, of its design: `side_try_lock`,
 * `side_unlock`, `side_owns` and `side_give`. They use `channel`, `payload`, `owner_id`, `ring()`,
 * the constants of {@linkcode sideConstants}, and `device_locks` where the locks are the device's.
 */
export function sideText(design: ChannelDesign, { side, locks }: ApartSide): string {
  const lockText = locks === "device" ? DEVICE_LOCK : LOCKS[design.portLock]!;
  return MAILBOXES + lockText + flipText(design, side);
}

/** The numbers that {@linkcode sideText} needs, by their WGSL names. */
export function sideConstants(layout: ChannelLayout, side: Side): Readonly<Record<string, number>> {
  const isClient = side === "client";
  const { controlWord } = layout;
  return {
    LOCK_WORD: isClient ? layout.clientLockWord : layout.serverLockWord,
    MARKS_WORD: isClient ? layout.clientMarksWord : layout.serverMarksWord,
    OUTBOX_WORD: isClient ? layout.clientOutboxWord : layout.serverOutboxWord,
    INBOX_WORD: isClient ? layout.serverOutboxWord : layout.clientOutboxWord,
    TURN_WORD: isClient ? layout.clientTurnWord : layout.serverTurnWord,
    OWNED_XOR: isClient ? 0 : 1,
    PLACE_SHIFT: PORT_PLACES[layout.mailboxWidth].up,
    STATE_WORD: controlWord + ControlWord.state,
    SLEEPERS_WORD: controlWord + ControlWord.sleepers,
  };
}
