import type { ChannelPlan } from "../channel_plan.ts";
import type { PlantedFault } from "./session_faults.ts";

/** A planted fault, and the smallest plan in which it shows; on one port, with one server if it does not say how many. */
export interface PlantedChannelFault
  extends PlantedFault, Pick<ChannelPlan, "clients" | "waiter" | "disturbance"> {
  readonly serverCount?: number;
}

/** Faults of sleeping and waking: somebody sleeps for ever. */
export const PLANTED_SLEEP_FAULTS: readonly PlantedChannelFault[] = [
  {
    name: "a bell rings without changing its value",
    clients: [["call", "call"]],
    place: "wait/doorbell.ts Doorbell.wakeAll",
    from: "this.#words.add(this.#bellWord, 1);",
  },
  {
    name: "a server sleeps without a look after it armed",
    clients: [["call", "call"]],
    place: "toggle/server/work_search.ts WorkSearch.#canSleep",
    from: "if (this.#finder.findLast() !== NO_PORT) return false;",
  },
  {
    name: "a server sleeps without a look at the channel's state",
    clients: [["call", "call"]],
    place: "toggle/server/work_search.ts WorkSearch.#canSleep",
    from: "return this.#side.channel.stateWord === seenState;",
    to: "return seenState >= 0;",
  },
  {
    name: "a server sleeps with the hints still set",
    clients: [["call", "call"]],
    place: "toggle/server/work_finder.ts HintFinder.findLast",
    from: "this.#hints.clearAll();",
  },
  {
    name: "a waiter looks before it announces that it parks",
    clients: [["call", "call"]],
    place: "wait/inbox_waiter.ts InboxWaiter.#announce",
    from:
      "const before = this.#words.or(this.#parkedWord + index, PARKED); guard.check(); return this.#inbox(index) === foreign ? before | PARKED : AWAKE;",
    to:
      "guard.check(); const isForeign = this.#inbox(index) === foreign; const before = this.#words.or(this.#parkedWord + index, PARKED); return isForeign ? before | PARKED : AWAKE;",
  },
  {
    name: "a server looks for a sleeping client before it flips",
    clients: [["call", "call"]],
    place: "toggle/port_side.ts PortSide.#stepsOfDesign",
    from: "mailboxes.toggle(index); mailboxes.wakePeer(index);",
    to: "mailboxes.wakePeer(index); mailboxes.toggle(index);",
  },
  {
    name: "a client marks a lock that it waits for, though it was dropped meanwhile",
    clients: [["call"], ["call"]],
    place: "toggle/lock/owner_locks.ts OwnerLocks.#mark",
    from: "if (this.words.compareExchange(word, held, held | mark) === held) return true;",
    to: "return this.words.store(word, held | mark), true;",
  },
  {
    name: "whoever drops a lock wakes nobody",
    clients: [["sr"], ["sr"]],
    place: "toggle/lock/owner_locks.ts OwnerLocks.unlock",
    from: "if (held > OWNER_MASK) this.wakeAfterUnlock(index, held);",
  },
  {
    name:
      "a server looks for the last send of a client before it looks whether the client has left",
    clients: [["ss"]],
    place: "toggle/server/server_side.ts ServerSide.checkClient",
    from:
      "const isClientThere = !this.#seesClients || this.locks.watchPeer(index) && this.isClientThere(index); if (this.mailboxes.owns(index)) return;",
    to:
      "if (this.mailboxes.owns(index)) return; const isClientThere = !this.#seesClients || this.locks.watchPeer(index) && this.isClientThere(index);",
  },
  {
    name: "a waiter sleeps without a second look",
    clients: [["call"]],
    place: "wait/inbox_waiter.ts InboxWaiter.#announce",
    from: "return this.#inbox(index) === foreign ? before | PARKED : AWAKE;",
    to: "return before | PARKED;",
  },
  {
    name: "a bell of free ports rings without changing its value",
    clients: [["call"], ["call"]],
    place: "toggle/lock/port_locks.ts ringFree",
    from: "words.add(freeBellWord, 1);",
  },
  {
    name: "a receiver of parts says so after it gave the packet back",
    clients: [["p"]],
    waiter: "spin-pause",
    place: "toggle/port.ts Port.recvParts",
    from: "parts.accept(this.index); steps.giveAway();",
    to: "steps.giveAway(); parts.accept(this.index);",
  },
  {
    name: "a sender waits on for a place when the other side has gone",
    clients: [["p"]],
    waiter: "spin-pause",
    disturbance: "server dies",
    place: "toggle/stream/port_parts.ts PortParts.produce",
    from: "if (taken <= before || taken > part) return;",
    to: "if (taken > part) return; if (taken === before) part--;",
  },
  {
    name: "whoever has filled or taken a part wakes nobody",
    clients: [["p"]],
    place: "toggle/stream/port_parts.ts PortParts.#step",
    from: "this.#words.store(this.#ownWord + index, next); this.#mailboxes.wakePeer(index);",
    to: "this.#words.store(this.#ownWord + index, next);",
  },
];

/** Accesses that order nothing, where threads sleep. */
export const PLANTED_SLEEP_RACES: readonly PlantedChannelFault[] = [
  {
    name: "a waiter looks for the flip without order",
    clients: [["call"]],
    place: "wait/inbox_waiter.ts InboxWaiter.wait",
    from: "if ((this.#words.load(word) >>> shift",
    to: "if ((this.#words.peek(word) >>> shift",
  },
  {
    name: "the channel's state is looked at without order",
    clients: [["call"]],
    place: "toggle/channel.ts Channel.stateWord",
    from: "return this.words.load(this.#stateIndex);",
    to: "return this.words.peek(this.#stateIndex);",
  },
  {
    name: "a sender that breaks off keeps the packet, and others get the port",
    clients: [["p"], ["s"]],
    waiter: "spin-pause",
    disturbance: "time passes",
    place: "toggle/port.ts Port.sendParts",
    from: "steps.breakOff(); throw error;",
    to: "throw error;",
  },
  {
    name: "the packet of a dead sender is not given to the server that takes its parts",
    clients: [["p"], ["s"]],
    waiter: "spin-pause",
    disturbance: "client dies",
    place: "toggle/reclaim.ts reclaimClient",
    from: "client.toggle(index);",
    to: "return;",
  },
  {
    name: "a sender counts a part before it has filled it",
    clients: [["p"]],
    waiter: "spin-pause",
    place: "toggle/stream/port_parts.ts PortParts.produce",
    from: "fill(part); this.#step(index, begin + part + 1 | 0);",
    to: "this.#step(index, begin + part + 1 | 0); fill(part);",
  },
  {
    name: "a receiver counts a part before it has taken it",
    clients: [["sq"]],
    waiter: "spin-pause",
    place: "toggle/stream/port_parts.ts PortParts.drain",
    from: "take(part); this.#step(index, begin + part + 1 | 0);",
    to: "this.#step(index, begin + part + 1 | 0); take(part);",
  },
];
