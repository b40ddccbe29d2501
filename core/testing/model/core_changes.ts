import type { SourceChange } from "../explorer/changed_core.ts";

/** Makes every search tidy the hints, which is otherwise once in a thousand. */
export const TIDY_ALWAYS: SourceChange = {
  file: "toggle/server/work_finder.ts",
  from: "const TIDY_SEARCHES = 1 << 10;",
  to: "const TIDY_SEARCHES = 1;",
};

const WATCH_ONCE: SourceChange = {
  file: "toggle/server/work_search.ts",
  from: "const WATCH_GLANCES = 48;",
  to: "const WATCH_GLANCES = 1;",
};

/** What is done many times for speed is done once, so that every step is one that matters. */
const ONCE: readonly SourceChange[] = [
  WATCH_ONCE,
  { file: "wait/strategy.ts", from: "const BURST_POLLS = 2_000;", to: "const BURST_POLLS = 1;" },
  {
    file: "wait/inbox_waiter.ts",
    from: "const GUARD_POLLS = 256;",
    to: "const GUARD_POLLS = 1;",
  },
  { file: "toggle/client/port_claim.ts", from: "const PASSES = 64;", to: "const PASSES = 0;" },
];

/** Deadlines look at the model's clock. */
const MODEL_CLOCK: readonly SourceChange[] = [
  {
    file: "wait/deadline.ts",
    from: "  return performance.now();",
    to: "  return globalThis.portlabModel.milliseconds();",
  },
  {
    file: "toggle/lock/held_locks.ts",
    from: "    setTimeout(() => this.#takeTurn(), 0);",
    to: "    globalThis.portlabModel.atTurn(() => this.#takeTurn());",
  },
  // Whether the event loop has had its turn makes no difference to a model, which has none.
  {
    file: "wait/loop_turns.ts",
    from: "    if (++this.#lookCount % CLOCK_LOOKS !== 0) return false;",
    to: "    if (this.#lookCount >= 0) return false;",
  },
];

/** A wait for a mailbox or for a count of parts. */
const WAIT = "wait ${this.#inboxWord} ${index} ${foreign}";

/** The loops that wait say where a turn begins. */
const TURNS: readonly SourceChange[] = [
  before("wait/inbox_waiter.ts", "      if (parks) this.#park(", says(WAIT)),
  before("wait/inbox_waiter.ts", "        const announced = this.#announce(", says(WAIT)),
  before(
    "toggle/stream/port_parts.ts",
    "      fill(part);",
    says("fill ${index} ${part} ${taken} ${begin}"),
  ),
  before(
    "toggle/stream/port_parts.ts",
    "        take(part);",
    says("take ${index} ${part} ${filled} ${begin}"),
  ),
  before("toggle/client/port_claim.ts", "      guard.check();\n      const index", says("claim")),
  before("toggle/client/port_claim.ts", "      await this.#side.awaitFreeAsync(", says("claim")),
  before(
    "toggle/server/server.ts",
    "      const hasServed = this.#serveNext() || this.#serveLast()",
    says("serve"),
  ),
  before("toggle/server/server.ts", "      const hasServed = this.serveOnce()", says("serve")),
];

const HELD = "toggle/lock/held_locks.ts";
const SERVER_SIDE = "toggle/server/server_side.ts";

/** What the objects of a client or server keep from one call to the next, if it decides anything. */
const MEMORIES: readonly SourceChange[] = [
  before(
    "toggle/port_side.ts",
    "    if (this.#isAsked) this.#leaveIfFree();\n  }\n\n  /** Answers",
    keeps("side", "[this.#seenState, this.#isAsked, this.#mayBegin]"),
  ),
  before("toggle/port_side.ts", "    this.#hasLeft = true;", keeps("has left", "true")),
  before(HELD, "    if (!this.#isSole) this.release();", keeps("sole", "this.#isSole")),
  before(HELD, "    this.#kept = NONE;\n    return true;", keeps("kept", "NONE")),
  before(HELD, "    this.#kept = NONE;\n    if (index", keeps("kept", "NONE")),
  before(HELD, "    this.#kept = index;", keeps("kept", "index")),
  before(SERVER_SIDE, "    if (isEnding) this.#isHurried", keeps("hurried", "isEnding")),
  before(SERVER_SIDE, "    this.#isServing = true;", keeps("serving", "true")),
  before(SERVER_SIDE, "    this.#isServing = false;\n  }\n}", keeps("serving", "false")),
  before(
    "toggle/stream/port_parts.ts",
    "    this.#hasBegun = false;",
    keeps("part's time", "false"),
  ),
  before("toggle/stream/port_parts.ts", "    this.#hasBegun = true;", keeps("part's time", "true")),
  before("toggle/server/work_search.ts", "    this.#lastIndex = index;", keeps("last", "index")),
  before("toggle/server/server.ts", "    const idler = new", keeps("seen", "seen")),
  before("toggle/server/server.ts", "    const turns = new", keeps("seen", "seen")),
  before(
    "toggle/client/port_claim.ts",
    "    this.#home = next === this.#portCount ? 0 : next;",
    keeps("home", "next"),
  ),
  {
    file: "wait/deadline.ts",
    from: "now() + timeoutSeconds * 1000;",
    to:
      'now() + timeoutSeconds * 1000;\nglobalThis.portlabModel.remember("end", this.#endMilliseconds);',
  },
];

/** What the channel model needs of the core; the protocol stays as it is. */
export const FOR_CHANNEL_MODEL: readonly SourceChange[] = [
  ...ONCE,
  ...MODEL_CLOCK,
  ...TURNS,
  ...MEMORIES,
];

/** A call of the words of the program that runs, put before some text. */
function before(file: string, from: string, call: string): SourceChange {
  return { file, from, to: `globalThis.portlabModel.${call};\n${from}` };
}

function says(loop: string): string {
  return `turn(\`${loop}\`)`;
}

function keeps(what: string, value: string): string {
  return `remember("${what}", ${value})`;
}
