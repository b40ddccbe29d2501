import type { PlantedChannelFault } from "./sleep_faults.ts";

const SPINNING = { clients: [["call"]], waiter: "spin-pause" } as const;

/** Faults that show when something happens to the channel: a deadline, an end, a leave, a death. */
export const PLANTED_DISTURBED_FAULTS: readonly PlantedChannelFault[] = [
  {
    name: "a waiter that does not sleep never looks whether it may go on",
    ...SPINNING,
    disturbance: "stopped",
    place: "wait/inbox_waiter.ts InboxWaiter.#waitLong",
    from: "if (poll % POLLS === 0) guard.check();",
  },
  {
    name: "a waiter sleeps without a look whether it may go on",
    clients: [["call"]],
    disturbance: "stopped",
    place: "wait/inbox_waiter.ts InboxWaiter.#announce",
    from: "guard.check();",
  },
  {
    name: "a deadline does not limit a sleep",
    clients: [["call"]],
    serverCount: 0,
    disturbance: "time passes",
    place: "wait/inbox_waiter.ts InboxWaiter.#park",
    from: "this.#words.wait(word, announced, guard.leftMilliseconds);",
    to: "this.#words.wait(word, announced, Infinity);",
  },
  {
    name: "an answer that has come is not looked for when the channel has stopped",
    ...SPINNING,
    disturbance: "shut down",
    place: "toggle/client/client_side.ts ClientSide.checkReply",
    from: "if (this.#isServerOver(index) && !this.mailboxes.owns(index)) {",
    to: "if (this.#isServerOver(index)) {",
  },
  {
    name: "sleepers are woken before the channel has stopped",
    clients: [["call"]],
    serverCount: 0,
    disturbance: "stopped",
    place: "toggle/channel.ts Channel.stop",
    from: "this.words.or(this.#control(ControlWord.state), ChannelState.stopped); this.wakeAll();",
    to: "this.wakeAll(); this.words.or(this.#control(ControlWord.state), ChannelState.stopped);",
  },
  {
    name: "the end of a channel wakes no client",
    clients: [["call"]],
    disturbance: "stopped",
    place: "toggle/channel.ts Channel.wakeAll",
    from: "this.#wakeParked(clientParkedWord + index);",
  },
  {
    name: "a dead server's port is dropped before its call is answered",
    ...SPINNING,
    disturbance: "server dies",
    place: "toggle/reclaim.ts releaseLocks",
    from: "settle(index); words.store(word, 0);",
    to: "words.store(word, 0); settle(index);",
  },
  ...(["client", "server"] as const).map((side) => ({
    name: `a ${side}'s turn stays as it was when the ${side} died before its flip`,
    ...SPINNING,
    disturbance: `${side} dies` as const,
    place: `toggle/reclaim.ts ${side === "client" ? "reclaimClient" : "releaseServer"}`,
    from: `${side}.settle(index);`,
  })),
  {
    name: "nobody wakes those whom a dead worker was about to wake",
    clients: [["call"]],
    disturbance: "server dies",
    place: "toggle/channel.ts Channel.#wakeParked",
    from: "this.words.store(word, 0); this.words.notify(word);",
    to: "if (this.words.exchange(word, 0) & 1) this.words.notify(word);",
  },
  {
    name: "a side leaves while it holds a port",
    ...SPINNING,
    disturbance: "client asked",
    place: "toggle/port_side.ts PortSide.#leaveIfFree",
    from: "this.#hasLeft || this.#heldCount > 0",
    to: "this.#hasLeft",
  },
  {
    name: "a server that has left goes on",
    ...SPINNING,
    disturbance: "server asked",
    place: "toggle/port_side.ts PortSide.mayStay",
    from: "return !this.#isAsked;",
    to: "return !this.#isAsked || this.#hasLeft;",
  },
];
