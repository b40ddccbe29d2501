import { assert } from "../../../memory/assert.ts";
import { PORT_PLACES } from "../../../memory/regions.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import type { ApartSide } from "../../../toggle/design/atomics_needed.ts";
import {
  type ChannelDesign,
  designFault,
  otherChoice,
} from "../../../toggle/design/channel_design.ts";
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
// Sync: releases what was written to the packet.
fn side_flip(index: u32, turn: u32) {
  let word = OUTBOX_WORD + side_place(index);
  ${FLIPS[update]}
}

// Mirrors Mailboxes.toggle(): turn, then flip.
fn side_give(index: u32) {
  let turn = payload[TURN_WORD + side_place(index)] ^ 1u;
  payload[TURN_WORD + side_place(index)] = turn;
  side_flip(index, turn);
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

/**
 * @throws {RangeError} when no wave of a live kernel can use the channel: see {@linkcode liveDesignFault}; or its
 * locks are to be the device's, and those of the channel could not say who holds a port
 */
export function checkLiveDesign(layout: ChannelLayout, locks: ApartSide["locks"]): void {
  const fault = liveDesignFault(layout);
  if (fault !== undefined) throw new RangeError(`Cannot use the channel on a GPU as ${fault}`);
  if (locks === "channel" || layout.portLock === "owner") return;
  throw new RangeError(
    `Cannot lock ports in the device's memory as portLock must be owner: current value is ${layout.portLock}`,
  );
}

/**
 * The functions of WGSL by which waves take part on one side of a channel, of its design: `side_try_lock`,
 * `side_unlock`, `side_owns`, `side_flip`
 * and `side_give`. They use `channel`, `payload`, `owner_id`, `ring()`,
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

/** What a client of a design without hints does instead of marking one. */
const NO_HINTS = `fn port_mark(index: u32, looks_first: bool) {
  if atomicLoad(&channel[SLEEPERS_WORD]) != 0u { port_ring(); }
}`;

/** Functions of `live_port.wgsl` that depend on the design, as another design has them. */
const CLIENT_FUNCTIONS: Readonly<Record<string, string>> = {
  port_owns: "fn port_owns(index: u32) -> bool { return side_owns(index); }",
  port_try_lock: "fn port_try_lock(index: u32) -> bool { return side_try_lock(index); }",
  port_unlock: "fn port_unlock(index: u32) { if side_unlock(index) { port_ring(); } }",
};

/** Accesses of the others to mailboxes. */
const CLIENT_ACCESSES: readonly (readonly [found: string, text: string])[] = [
  ["_ = atomicExchange(&channel[CLIENT_OUTBOX_WORD + index], mine);", "side_flip(index, mine);"],
  ["[CLIENT_TURN_WORD + index]", "[CLIENT_TURN_WORD + side_place(index)]"],
  ["[SERVER_OUTBOX_WORD + index]", "[SERVER_OUTBOX_WORD + side_place(index)]"],
];

const RING = "fn ring() { port_ring(); }\n";

/**
 * The client's ports of a channel's design: `live_port.wgsl`, which has the default, with other functions in
 * place of those that differ. The default's text is as it is written, which is the quickest.
 */
export function clientPortText(
  portText: string,
  layout: ChannelLayout,
  locks: ApartSide["locks"],
): string {
  if (locks === "channel" && otherChoice(layout) === undefined) return portText;
  const functions = {
    ...CLIENT_FUNCTIONS,
    ...layout.discovery === "scan" && { port_mark: NO_HINTS },
  };
  const text = new WgslText(portText);
  const edits = Object.entries(functions).map(([name, written]) => {
    const found = text.declarations.functions.find((one) => one.name.text === name);
    assert(found !== undefined, `live_port.wgsl has a function ${name}`);
    const last = text.tokens[found.whole.end - 1]!;
    const end = last.index + last.text.length;
    return { index: text.tokens[found.whole.start]!.index, end, text: written };
  });
  let edited = text.edited(edits);
  for (const [found, written] of CLIENT_ACCESSES) {
    assert(edited.includes(found), `live_port.wgsl has an access ${found}`);
    edited = edited.replaceAll(found, written);
  }
  const buffer = locks === "device" ? deviceLocksText(CLIENT_LOCKS_BINDING) : "";
  return edited + buffer + RING + sideText(layout, { side: "client", locks });
}

/** Where a live kernel has its locks, where these are the device's. */
export const CLIENT_LOCKS_BINDING = 4;

/** Declares the locks of the device. */
export function deviceLocksText(binding: number): string {
  return `
@group(0) @binding(${binding}) var<storage, read_write> device_locks: array<atomic<u32>>;
`;
}
