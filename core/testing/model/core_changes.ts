import type { CoreChanges, Look, Tuned } from "../explorer/changed_core.ts";

/** Every search tidies the hints, which is otherwise once in a thousand. */
export const TIDY_ALWAYS: CoreChanges = { tuning: { TIDY_SEARCHES: 1 } };

/** What is done many times for speed is done once, so that every step is one that matters. */
const ONCE: Tuned = {
  STEP_POLLS: 1,
  STEP_GLANCES: 1,
  WATCH_GLANCES: 1,
  BURST_POLLS: 1,
  GUARD_POLLS: 1,
  CLAIM_PASSES: 0,
  GLANCE_POLLS: 1,
  // Whether the event loop has had its turn makes no difference to a model, which has none.
  CLOCK_LOOKS: Infinity,
};

const WAITER = "wait/inbox_waiter.ts";
const PARTS = "toggle/stream/port_parts.ts";
const CLAIM = "toggle/client/port_claim.ts";
const SERVER = "toggle/server/server.ts";
const BATCH = "toggle/client/call_batch.ts CallBatch";
const HELD = "toggle/lock/held_locks.ts";
const PAGE = "toggle/one_page.ts";

/** A wait for a mailbox or for a count of parts. */
const WAIT = "turn(`wait ${this.#inboxWord} ${index} ${foreign}`)";

/** A wait for any of many calls. */
const MANY = "turn(`many ${this.#sent} ${this.#callAt} ${this.#sentCount} ${this.#endedCount}`)";

/** The loops that wait say where a turn begins. */
const TURNS: readonly Look[] = [
  { place: `${WAITER} InboxWaiter.#waitLong`, at: "if (parks) this.#park(", call: WAIT },
  {
    place: `${WAITER} InboxWaiter.waitAsync`,
    at: "const announced = this.#announce(",
    call: WAIT,
  },
  {
    place: `${PARTS} PortParts.produce`,
    at: "fill(part);",
    call: "turn(`fill ${index} ${part} ${taken} ${begin}`)",
  },
  {
    place: `${PARTS} PortParts.drain`,
    at: "take(part);",
    call: "turn(`take ${index} ${part} ${filled} ${begin}`)",
  },
  { place: `${CLAIM} PortClaim.#claimWaiting`, at: "guard.check();", call: "turn(`claim`)" },
  {
    place: `${CLAIM} PortClaim.claimAsync`,
    at: "await this.#side.awaitFreeAsync(",
    call: "turn(`claim`)",
  },
  { place: `${BATCH}.#awaitLong`, at: "if (parks)", call: MANY },
  { place: `${BATCH}.runAsync`, at: "await this.#awaitAsync(", call: MANY },
  { place: `${SERVER} Server.#serveBlocking`, at: "const hasServed =", call: "turn(`serve`)" },
  { place: `${SERVER} Server.#serveOnLoop`, at: "const hasServed =", call: "turn(`serve`)" },
  { place: `${PAGE} Port.#await`, at: "if (looks ===", call: "turn(`wait ${this.index}`)" },
  { place: `${PAGE} Client.open`, at: "for (const port", call: "turn(`open`)" },
  { place: `${PAGE} Server.run`, at: "isOver = this", call: "turn(`serve`)" },
];

/** What the objects of a client or server keep from one call to the next, if it decides anything. */
const MEMORIES: readonly Look[] = [
  ...["#seenState", "#isAsked", "beginState", "#hasLeft"]
    .map((field) => ({ field: `toggle/port_side.ts PortSide.${field}` })),
  { field: `${HELD} HeldLocks.#isSole` },
  { field: `${HELD} HeldLocks.#kept` },
  { field: "toggle/server/server_side.ts ServerSide.#isServing" },
  { field: `${PARTS} PartGuard.#hasBegun` },
  { field: "toggle/server/work_search.ts WorkSearch.#lastIndex" },
  ...["#claimed", "#served"].map((field) => ({
    field: `toggle/server/word_batch.ts WordBatch.${field}`,
  })),
  { field: "toggle/server/server_side.ts ServerSide.#isHurried" },
  { field: `${CLAIM} PortClaim.#home` },
  { field: "wait/deadline.ts Deadline.#endMilliseconds" },
  ...["Server.#serveBlocking", "Server.#serveOnLoop"].map((place) => ({
    place: `${SERVER} ${place}`,
    at: "const seen =",
    call: 'remember("seen", seen)',
    isBehind: true,
  })),
];

/** What the channel model needs of the core; the protocol stays as it is. */
export const FOR_CHANNEL_MODEL: CoreChanges = { tuning: ONCE, looks: [...TURNS, ...MEMORIES] };
