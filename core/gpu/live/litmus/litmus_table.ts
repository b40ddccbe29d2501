/** Steps that read and write in one. */
export const UPDATES = [
  ...["add", "or", "and", "xor", "max", "min", "exchange", "compareExchange"] as const,
];
/** One of {@linkcode UPDATES}. */
export type UpdateKind = typeof UPDATES[number];

/** One access of one side to one of the two places that both have. */
export interface LitmusStep {
  readonly kind: "write" | "read" | UpdateKind;
  readonly place: "x" | "y";
  /** What it writes, or updates with; 0 for a read. */
  readonly value: number;
  /** What `compareExchange` compares with. */
  readonly expected?: number;
  /** Whether it is no atomic access, as those to a packet. */
  readonly isPlain?: boolean;
  /** A mutant: an update that is a load and a store. */
  readonly isTorn?: boolean;
}

/** What one side does; what its reads and updates return are its results. */
export type LitmusProgram = readonly LitmusStep[];

/** A litmus test: two programs that run at once, on two words that are 0 before or `initial`. */
export interface LitmusCase {
  readonly name: string;
  /** What a failure would be to a call. */
  readonly text: string;
  readonly programs: readonly [first: LitmusProgram, second: LitmusProgram];
  /** What `x` holds before; 0 when absent. */
  readonly initial?: number;
  /** Whether `x` is a word for each lane, which the lanes of a wave write or read at once. */
  readonly isVector?: boolean;
  /** What a result means that no sequence of whole steps gives, where an order allows it. */
  readonly weakText: string;
}

/** How the wave's accesses are ordered; the host's are always those of JavaScript's `Atomics`. */
export const ORDERS = ["relaxed", "release", "exchange"] as const;
/**
 * - `relaxed`: as WGSL has them.
 * - `release`: atomic reads acquire and writes release, as `liveSpirv` has it.
 * - `exchange`: and atomic writes are exchanges, as flips are.
 */
export type LitmusOrder = typeof ORDERS[number];

/** A test as it is run: what all verdicts follow from. */
export interface LitmusSetting {
  readonly test: LitmusCase;
  readonly order: LitmusOrder;
  /** Which program the wave runs. */
  readonly wave: "first" | "second";
  /** A mutant: lanes do not wait for each other between two steps. */
  readonly dropsBarriers?: boolean;
}

function step(kind: LitmusStep["kind"], place: "x" | "y", value = 0): LitmusStep {
  return { kind, place, value };
}

function plain(step: LitmusStep): LitmusStep {
  return { ...step, isPlain: true };
}

const [WRITE_X, WRITE_Y] = [step("write", "x", 1), step("write", "y", 1)];
const [READ_X, READ_Y] = [step("read", "x"), step("read", "y")];
const PASSING = [[plain(WRITE_X), WRITE_Y], [READ_Y, plain(READ_X)]] as const;
const NEVER = "Never: one word has one order for all";

/** Two updates of each side on one word, so that each of their orders has results of its own. */
function atomicity(
  kind: UpdateKind,
  values: readonly number[],
  { initial = 0, expected }: Pick<LitmusCase, "initial"> & {
    readonly expected?: readonly number[];
  } = {},
): LitmusCase {
  const steps = values.map((value, at) => ({
    ...step(kind, "x", value),
    ...expected && { expected: expected[at]! },
  }));
  return {
    name: kind === "compareExchange" ? "compare_exchange" : kind,
    text: "An update is lost: two hold one lock, or a bit of the hints is gone",
    programs: [steps.slice(0, 2), steps.slice(2)],
    initial,
    weakText: NEVER,
  };
}

/** The tests, in the order of the questions that a call asks. */
export const LITMUS_CASES: readonly LitmusCase[] = [
  {
    name: "message_passing",
    text: "A flip is seen before the packet: whoever owns it reads the last call",
    programs: PASSING,
    weakText: "The flag was seen before what it tells of",
  },
  {
    name: "vector",
    text: "A flip is seen before the words of other lanes",
    programs: PASSING,
    isVector: true,
    weakText: "The flag was seen before the words of all lanes",
  },
  {
    name: "store_buffering",
    text: "A server clears the hint and sees no flip, and the client sees the hint still set",
    programs: [[WRITE_X, READ_Y], [WRITE_Y, READ_X]],
    weakText: "Each side looked before its own write was to be seen",
  },
  {
    name: "load_buffering",
    text: "A packet is given back before it was read",
    programs: [[READ_X, WRITE_Y], [READ_Y, WRITE_X]],
    weakText: "Each side saw what the other wrote after it looked",
  },
  {
    name: "coherence_reads",
    text: "A mailbox that was seen flipped is seen as it was before",
    programs: [[WRITE_X], [READ_X, READ_X]],
    weakText: NEVER,
  },
  {
    name: "coherence_writes",
    text: "The last of two flips is not the one that stays",
    programs: [[WRITE_X, step("write", "x", 2)], [READ_X, READ_X]],
    weakText: NEVER,
  },
  atomicity("add", [1, 2, 4, 8]),
  atomicity("or", [1, 2, 4, 8]),
  atomicity("and", [~1, ~2, ~4, ~8], { initial: 15 }),
  atomicity("xor", [1, 2, 4, 8]),
  atomicity("max", [1, 3, 2, 4]),
  atomicity("min", [8, 2, 4, 1], { initial: 15 }),
  atomicity("exchange", [1, 2, 4, 8]),
  atomicity("compareExchange", [1, 2, 4, 8], { expected: [0, 4, 0, 1] }),
];

/** The test of a name. */
export function caseOf(name: string): LitmusCase {
  return LITMUS_CASES.find((one) => one.name === name)!;
}

/** A test with a mistake in the wave's program, which the right program's outcomes are to show. */
export interface LitmusMutant {
  readonly name: string;
  /** What is wrong with it. */
  readonly text: string;
  /** The right one: its outcomes are those that are allowed. */
  readonly setting: LitmusSetting;
  /** The wrong one, that is run. */
  readonly run: LitmusSetting;
}

/** A test whose wave has another program. */
function changed(
  setting: LitmusSetting,
  change: (program: LitmusProgram) => LitmusProgram,
): LitmusSetting {
  const { test, wave } = setting;
  const [first, second] = test.programs;
  const programs = wave === "first"
    ? [change(first), second] as const
    : [first, change(second)] as const;
  return { ...setting, test: { ...test, programs } };
}

/** In the right program. */
function right(
  name: string,
  wave: LitmusSetting["wave"] = "first",
  order: LitmusOrder = "release",
): LitmusSetting {
  return { test: caseOf(name), order, wave };
}

const [PASSES, TAKES] = [right("message_passing"), right("message_passing", "second")];
const RELAXED = "neither acquire nor release: only a device that reorders them shows it";

/** Each mistake that an author of a protocol, or of a translator, may make: name, text, the right one, the change. */
const MISTAKES: readonly (readonly [
  string,
  string,
  LitmusSetting,
  Partial<LitmusSetting> | ((program: LitmusProgram) => LitmusProgram),
])[] = [
  ["flag_first", "the wave flips before it writes the packet", PASSES, turned],
  ["packet_first", "the wave reads the packet before it looks at the flip", TAKES, turned],
  [
    "barrier_dropped",
    "the first lane flips without a barrier behind the other lanes' words",
    right("vector"),
    { dropsBarriers: true },
  ],
  [
    "exchange_by_store",
    "the wave flips by a store and looks at the hint",
    right("store_buffering", "first", "exchange"),
    { order: "release" },
  ],
  ["relaxed_writes", `the wave's writes ${RELAXED}`, PASSES, { order: "relaxed" }],
  ["relaxed_reads", `the wave's reads ${RELAXED}`, TAKES, { order: "relaxed" }],
  [
    "relaxed_buffers",
    `the wave's read and write ${RELAXED}`,
    right("load_buffering"),
    { order: "relaxed" },
  ],
  ...LITMUS_CASES.slice(-UPDATES.length).map(({ name }) =>
    [
      `torn_${name}`,
      `the wave's ${name.replace("_", "-")} is a load and a store`,
      right(name),
      torn,
    ] as const
  ),
];

function turned(program: LitmusProgram): LitmusProgram {
  return program.toReversed();
}

function torn(program: LitmusProgram): LitmusProgram {
  return program.map((one) => ({ ...one, isTorn: true }));
}

/** {@linkcode MISTAKES}, as they are run. */
export const LITMUS_MUTANTS: readonly LitmusMutant[] = MISTAKES.map(
  ([name, text, setting, change]) => {
    const run = typeof change === "function" ? changed(setting, change) : { ...setting, ...change };
    return { name, text, setting, run };
  },
);

/** What a word holds after a step that found `held`. */
export function valueAfter(
  { kind, value, expected }: Pick<LitmusStep, "kind" | "value" | "expected">,
  held: number,
): number {
  switch (kind) {
    case "read":
      return held;
    case "write":
    case "exchange":
      return value;
    case "add":
      return (held + value) | 0;
    case "or":
      return held | value;
    case "and":
      return held & value;
    case "xor":
      return held ^ value;
    // As unsigned numbers: a kernel's words are.
    case "max":
      return Math.max(held >>> 0, value >>> 0) | 0;
    case "min":
      return Math.min(held >>> 0, value >>> 0) | 0;
    case "compareExchange":
      return held === expected ? value : held;
  }
}

/** Whether a step has a result. */
export function hasResult({ kind }: LitmusStep): boolean {
  return kind !== "write";
}

/** What a side of a test does. */
export function programOf({ test, wave }: LitmusSetting, side: "wave" | "host"): LitmusProgram {
  return test.programs[(wave === "first") === (side === "wave") ? 0 : 1];
}
