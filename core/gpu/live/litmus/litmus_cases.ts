/** Steps that read and write in one. */
export const UPDATES = [
  "add",
  "or",
  "and",
  "xor",
  "max",
  "min",
  "exchange",
  "compareExchange",
] as const;
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

function write(place: "x" | "y", value = 1): LitmusStep {
  return { kind: "write", place, value };
}

function read(place: "x" | "y"): LitmusStep {
  return { kind: "read", place, value: 0 };
}

function plain(step: LitmusStep): LitmusStep {
  return { ...step, isPlain: true };
}

const NEVER = "Never: one word has one order for all";

/** Two updates of each side on one word, so that each of their orders has results of its own. */
function atomicity(
  kind: UpdateKind,
  values: readonly [number, number, number, number],
  options: Pick<LitmusCase, "initial"> & { readonly expected?: readonly number[] } = {},
): LitmusCase {
  const { initial = 0, expected } = options;
  const steps = values.map((value, at): LitmusStep => {
    const compared = expected && { expected: expected[at]! };
    return { kind, place: "x", value, ...compared };
  });
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
    programs: [[plain(write("x")), write("y")], [read("y"), plain(read("x"))]],
    weakText: "The flag was seen before what it tells of",
  },
  {
    name: "vector",
    text: "A flip is seen before the words of other lanes",
    programs: [[plain(write("x")), write("y")], [read("y"), plain(read("x"))]],
    isVector: true,
    weakText: "The flag was seen before the words of all lanes",
  },
  {
    name: "store_buffering",
    text: "A server clears the hint and sees no flip, and the client sees the hint still set",
    programs: [[write("x"), read("y")], [write("y"), read("x")]],
    weakText: "Each side looked before its own write was to be seen",
  },
  {
    name: "load_buffering",
    text: "A packet is given back before it was read",
    programs: [[read("x"), write("y")], [read("y"), write("x")]],
    weakText: "Each side saw what the other wrote after it looked",
  },
  {
    name: "coherence_reads",
    text: "A mailbox that was seen flipped is seen as it was before",
    programs: [[write("x")], [read("x"), read("x")]],
    weakText: NEVER,
  },
  {
    name: "coherence_writes",
    text: "The last of two flips is not the one that stays",
    programs: [[write("x", 1), write("x", 2)], [read("x"), read("x")]],
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
