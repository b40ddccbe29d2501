/** A condition on the memory that a thread waits for without polling. */
export interface Condition {
  /** For the schedule. */
  readonly text: string;
  /** The words that it reads. */
  readonly words: readonly number[];
  /** Whether whoever waits loads the words, and so sees what was written before they were. */
  readonly isLoad?: boolean;
  /** 0 while it does not hold, else what `until` returns. */
  readonly outcome: (memory: Int32Array) => number;
}

/** One access of a thread to the memory: atomic, but for `peek` and the plain `read` and `write`. */
export interface Operation {
  readonly kind:
    | "load"
    | "peek"
    | "read"
    | "store"
    | "write"
    | "exchange"
    | "compareExchange"
    | "add"
    | "or"
    | "and"
    | "xor"
    | "wait"
    | "notify"
    | "until"
    | "end";
  /** -1 for `until`; for `end`, the thread that it ends. */
  readonly word: number;
  readonly value: number;
  /** What `compareExchange` compares with. */
  readonly expected: number;
  /** Whether it comes before the first step of every thread. */
  readonly isSetup: boolean;
  /** What `until` waits for. */
  readonly condition: Condition | undefined;
  /** When a `wait` ends by itself, in seconds of the model's clock. */
  readonly endSeconds: number;
  /** The function that does it, where an access without order must say so: `Class.method`. */
  readonly site: string | undefined;
}

/** Whether the operation writes its word, be it the same value, when the word holds `held`. */
export function writesTo({ kind, expected }: Operation, held: number): boolean {
  switch (kind) {
    case "load":
    case "peek":
    case "read":
    case "wait":
    case "notify":
    case "until":
    case "end":
      return false;
    case "compareExchange":
      return held === expected;
    default:
      return true;
  }
}

/** What the word of the operation holds afterwards. */
export function valueAfter({ kind, value, expected }: Operation, held: number): number {
  switch (kind) {
    case "store":
    case "write":
    case "exchange":
      return value;
    case "compareExchange":
      return held === expected ? value : held;
    case "add":
      return (held + value) | 0;
    case "or":
      return held | value;
    case "and":
      return held & value;
    case "xor":
      return held ^ value;
    default:
      return held;
  }
}

/** What the thread learns from the operation: 0 when nothing. */
export function resultOf({ kind }: Operation, held: number): number {
  switch (kind) {
    case "store":
    case "write":
    case "wait":
    case "notify":
    case "until":
    case "end":
      return 0;
    default:
      return held;
  }
}

/** The operation in one line of a schedule. */
export function operationText(operation: Operation): string {
  const { kind, word, value, expected, condition, endSeconds } = operation;
  if (condition) return `until ${condition.text}`;
  switch (kind) {
    case "load":
    case "peek":
    case "read":
    case "notify":
    case "end":
      return `${kind} ${word}`;
    case "compareExchange":
      return `${kind} ${word} ${expected} ${value}`;
    case "wait":
      return `${kind} ${word} ${value}${endSeconds === Infinity ? "" : ` to ${endSeconds} s`}`;
    default:
      return `${kind} ${word} ${value}`;
  }
}
