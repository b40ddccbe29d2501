import type { ChannelPlan } from "../model/channel_plan.ts";
import type { PlantedFault } from "../model/planted/session_faults.ts";

/** A fault that is planted in the one page, and how the smallest plan in which it shows is not one call. */
interface PlantedPageFault
  extends PlantedFault, Partial<Pick<ChannelPlan, "clients" | "pages" | "serverCount">> {}

const PORT = "toggle/one_page.ts Port";
const TWO_CASTS = [["cast"], ["cast"]] as const;

export const PLANTED_PAGE_FAULTS: readonly PlantedPageFault[] = [
  {
    name: "a packet is given away before it is filled",
    place: `${PORT}.send`,
    from: "fill(this.#packet); this.#give();",
    to: "this.#give(); fill(this.#packet);",
  },
  {
    name: "a client does not look again after it took the lock",
    clients: TWO_CASTS,
    place: `${PORT}.tryTake`,
    from: "if (!this.#owns())",
    to: "if (!this.#my.isClient && !this.#owns())",
  },
  {
    name: "a server does not look again after it took the lock",
    serverCount: 2,
    place: `${PORT}.tryTake`,
    from: "if (!this.#owns())",
    to: "if (this.#my.isClient && !this.#owns())",
  },
  {
    name: "a lock is taken by a look and a store",
    clients: TWO_CASTS,
    place: `${PORT}.tryTake`,
    from: "if (words.compareExchange(lockWord + index, 0, id) !== 0) return false;",
    to: "if (words.load(lockWord + index) !== 0) return false; words.store(lockWord + index, id);",
  },
  {
    name: "a port that another side owns stays locked",
    clients: TWO_CASTS,
    place: `${PORT}.tryTake`,
    from: "this.#drop(); return false;",
    to: "return false;",
  },
  {
    name: "a server drops the lock before it flips",
    serverCount: 2,
    place: `${PORT}.close`,
    from: 'if (!this.#my.isClient && this.#packetIs !== "away") this.#give(); this.#drop();',
    to: 'this.#drop(); if (!this.#my.isClient && this.#packetIs !== "away") this.#give();',
  },
  {
    name: "a server keeps a packet that it has read",
    clients: [["cast"]],
    place: `${PORT}.close`,
    from: 'if (!this.#my.isClient && this.#packetIs !== "away") this.#give();',
  },
  {
    name: "a turn is not written",
    place: `${PORT}.#give`,
    from: "words.plain[turnWord + this.index] = turn;",
  },
  {
    name: "a turn is written behind the flip",
    clients: TWO_CASTS,
    place: `${PORT}.#give`,
    from: "words.plain[turnWord + this.index] = turn; words.store(this.#outboxWord, turn);",
    to: "words.store(this.#outboxWord, turn); words.plain[turnWord + this.index] = turn;",
  },
  {
    name: "the flip of the other side is seen without order",
    place: `${PORT}.#owns`,
    from: "this.#my.words.load(this.#inboxWord)",
    to: "this.#my.words.peek(this.#inboxWord)",
  },
  {
    name: "a second receive in a row does not give the packet back",
    clients: [["srr"]],
    place: `${PORT}.recv`,
    from: 'if (this.#packetIs === "read") this.#give();',
  },
  {
    name: "a server stops before it has served what was sent",
    clients: [["cast"]],
    place: "toggle/one_page.ts Server.run",
    from: "isOver = this.#channel.state !== ChannelState.running; while (this.runAll(answer) > 0);",
    to: "while (this.runAll(answer) > 0); isOver = this.#channel.state !== ChannelState.running;",
  },
  {
    name: "a client does not say that a call goes on",
    pages: ["client"],
    clients: [["srs"]],
    place: `${PORT}.#give`,
    from: 'if (isClient && this.#packetIs !== "first") headers.markContinued(this.index);',
  },
  {
    name: "the library's server is told of a call before the flip",
    pages: ["client"],
    place: `${PORT}.#give`,
    from: "words.store(this.#outboxWord, turn); sleepers.wakeAfterFlip(this.index);",
    to: "sleepers.wakeAfterFlip(this.index); words.store(this.#outboxWord, turn);",
  },
  {
    name: "the library's client is not woken by the answer",
    pages: ["server"],
    place: "toggle/lock/sleepers.ts Sleepers.wakeAfterFlip",
    from: "if (this.#words.load(word) !== 0) wakeParked(this.#words, word, this.#freeBellWord);",
  },
  {
    name: "the library's client is not woken by a port that is free",
    pages: ["first client", "server"],
    clients: [["call"], ["call"]],
    place: `${PORT}.#drop`,
    from: "if (held !== id) sleepers.wakeAfterDrop(this.index, held);",
  },
];
