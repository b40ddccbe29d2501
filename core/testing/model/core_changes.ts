import type { SourceChange } from "../explorer/changed_core.ts";

/** Makes every search tidy the hints, which is otherwise once in a thousand. */
export const TIDY_ALWAYS: SourceChange = {
  file: "toggle/server/work_search.ts",
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

/** Deadlines look at the model's clock, which `ScheduledWords` has. */
const MODEL_CLOCK: readonly SourceChange[] = [
  {
    file: "wait/deadline.ts",
    from: "  return performance.now();",
    to: "  return (globalThis as unknown as { portlabModelClock(): number }).portlabModelClock();",
  },
  // Whether the event loop has had its turn makes no difference to a model, which has none.
  {
    file: "wait/loop_turns.ts",
    from: "    if (++this.#lookCount % CLOCK_LOOKS !== 0) return false;",
    to: "    if (this.#lookCount >= 0) return false;",
  },
];

const says = (words: string, loop: string) =>
  `(${words} as unknown as { turn(loop: string): void }).turn("${loop}")`;

/** The loops that wait say where a turn begins: see `ScheduledWords.turn`. */
const TURNS: readonly SourceChange[] = [
  {
    file: "wait/inbox_waiter.ts",
    from: "for (let poll = 0; this.#words.load(word) === foreign; poll++) {",
    to: `for (let poll = 0; ${
      says("this.#words", "wait")
    }, this.#words.load(word) === foreign; poll++) {`,
  },
  {
    file: "wait/inbox_waiter.ts",
    from: "while (this.#words.load(this.#inboxWord + index) === foreign) {",
    to: `while (${
      says("this.#words", "waitAsync")
    }, this.#words.load(this.#inboxWord + index) === foreign) {`,
  },
  {
    file: "toggle/client/port_claim.ts",
    from: "for (let pass = 0;; pass++) {",
    to: `for (let pass = 0;; pass++) {\n      ${says("this.#side.channel.words", "claim")};`,
  },
  {
    file: "toggle/client/port_claim.ts",
    from: "while (index === NO_PORT) {",
    to: `while (index === NO_PORT) {\n      ${says("this.#side.channel.words", "claimAsync")};`,
  },
  {
    file: "toggle/server/server.ts",
    from: "while (isWanted && channel.stateGlance === seen) {",
    to: `while (${says("channel.words", "serve")}, isWanted && channel.stateGlance === seen) {`,
  },
  {
    file: "toggle/server/server.ts",
    from: "while (channel.stateWord === seen && channel.looksRunning && this.#side.mayStay()) {",
    to: `while (${
      says("channel.words", "serveAsync")
    }, channel.stateWord === seen && channel.looksRunning && this.#side.mayStay()) {`,
  },
];

/** What the channel model needs of the core; the protocol stays as it is. */
export const FOR_CHANNEL_MODEL: readonly SourceChange[] = [...ONCE, ...MODEL_CLOCK, ...TURNS];
