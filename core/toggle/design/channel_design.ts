import { PORT_PLACES, type PortPlaces } from "../../memory/regions.ts";

/**
 * What can be chosen for a channel, with the values of each choice; the first value is the default,
 * unless the table says otherwise; `beside` is that of channels of short packets, see `channelLayout`. A
 * channel stores the index of each value, so the lists are wire format: append only.
 *
 * | axis | value | what it is | of |
 * | --- | --- | --- | --- |
 * | `portLock` | `owner` | a word for each port with its holder's id, by compare-exchange | here |
 * | | `fetch-or` | a bit for each port, set by `or`, cleared by `and` | LLVM libc, hostrpc |
 * | | `cas` | a bit for each port, by compare-exchange of the whole word | hostrpc in 2020 |
 * | | `fetch-add` | a count for each port: taken at 0, else the addition is undone | here: hostrpc adds to mailboxes only |
 * | | `exchange` | a word for each port: exchanged for 1, and taken if it was 0 | the spin lock of textbooks |
 * | | `held` | like `owner`; the only client or server keeps a port between calls | here |
 * | `mailboxWidth` | `word` | a word for each port | LLVM libc |
 * | | `padded` | a cache line of 64 bytes for each port | here |
 * | | `bit` | a bit for each port, 32 in a word | hostrpc |
 * | | `beside` | both mailboxes of a port in front of its header and packet, in one block of lines | here |
 * | `mailboxUpdate` | `store` | a store: its side is the only writer of the word | LLVM libc |
 * | | `exchange` | an exchange, whose result is ignored | here |
 * | | `fetch-add` | adds the bit, or takes it away: exact, as the writer knows it | hostrpc from 2022 |
 * | | `fetch-xor` | turns the bit over | here |
 * | | `cas` | compare-exchange of the whole word, until it succeeds | hostrpc in 2020 |
 * | `discovery` | `hint` | clients mark a bitmap, of which servers look at the marked ports | here |
 * | | `scan` | servers look at every port | LLVM libc |
 * | | `bitmap` | servers look at 32 mailboxes a word | hostrpc |
 * | `start` | `last-used` | a client looks first at the port that it used last | here |
 * | | `first` | at port 0 | LLVM libc |
 * | | `hashed` | at a port that follows from its id | LLVM libc 18: the cluster's number |
 * | | `rotating` | at the port behind the one that it used last | here |
 * | `mailboxRead` | `turn` | a side knows its outboxes by words of its own, written before the flip | here |
 * | | `outbox` | by the outboxes, which the other side polls; the only value, and the default, with `bit` | LLVM libc, hostrpc |
 */
export const DESIGN_AXES = {
  portLock: ["owner", "fetch-or", "cas", "fetch-add", "exchange", "held"],
  mailboxWidth: ["word", "padded", "bit", "beside"],
  mailboxUpdate: ["store", "exchange", "fetch-add", "fetch-xor", "cas"],
  discovery: ["hint", "scan", "bitmap"],
  start: ["last-used", "first", "hashed", "rotating"],
  mailboxRead: ["turn", "outbox"],
} as const;

/** One of {@linkcode DESIGN_AXES}. */
export type DesignAxis = keyof typeof DESIGN_AXES;

/** The design of a channel: one value of each axis. */
export interface ChannelDesign {
  /** How workers of one side claim a port. */
  readonly portLock: typeof DESIGN_AXES.portLock[number];
  /** How much memory a mailbox has, and beside what. */
  readonly mailboxWidth: typeof DESIGN_AXES.mailboxWidth[number];
  /** By which access a side flips its mailbox. */
  readonly mailboxUpdate: typeof DESIGN_AXES.mailboxUpdate[number];
  /** How a server finds work. */
  readonly discovery: typeof DESIGN_AXES.discovery[number];
  /** Where a client looks first for a free port. */
  readonly start: typeof DESIGN_AXES.start[number];
  /** Where a side looks for what its own outboxes hold. */
  readonly mailboxRead: typeof DESIGN_AXES.mailboxRead[number];
}

const AXES = Object.keys(DESIGN_AXES) as DesignAxis[];
/** Bits of one axis in the word of a design. */
const AXIS_BITS = 4;

/** The design of a channel for which nothing else was chosen. */
export const DEFAULT_DESIGN: ChannelDesign = Object.freeze(completed({}));

/**
 * Says why no channel can have a design; `undefined` when one can. For sweeps, which skip such points
 * with the reason.
 *
 * @example
 * ```ts
 * import { designFault } from "./channel_design.ts";
 * const fault = designFault({ mailboxWidth: "bit", mailboxUpdate: "store" });
 * if (!fault?.includes("31 other ports")) throw new Error("a store writes whole words");
 * ```
 */
export function designFault(options: Partial<ChannelDesign>): string | undefined {
  const design = completed(options);
  for (const axis of AXES) {
    const values: readonly string[] = DESIGN_AXES[axis];
    if (values.includes(design[axis])) continue;
    return `${axis} must be one of ${values.join(", ")}: current value is ${design[axis]}`;
  }
  const { mailboxWidth, mailboxUpdate, discovery, mailboxRead } = design;
  if (mailboxWidth === "bit" && (mailboxUpdate === "store" || mailboxUpdate === "exchange")) {
    return `mailboxUpdate ${mailboxUpdate} writes a whole word, which with mailboxWidth bit holds the mailboxes of 31 other ports`;
  }
  if (mailboxWidth !== "bit" && discovery === "bitmap") {
    return `discovery bitmap looks at 32 mailboxes in a word, which with mailboxWidth ${mailboxWidth} holds one`;
  }
  if (mailboxWidth === "bit" && mailboxRead === "turn") {
    return `mailboxRead turn writes a whole word before the flip, which with mailboxWidth bit would be that of 31 other ports`;
  }
  return undefined;
}

/**
 * Completes a design with the defaults.
 *
 * @throws {RangeError} when no channel can have the design
 */
export function channelDesign(options: Partial<ChannelDesign>): ChannelDesign {
  const fault = designFault(options);
  if (fault !== undefined) throw new RangeError(`Cannot lay out a channel as ${fault}`);
  return completed(options);
}

function completed(options: Partial<ChannelDesign>): ChannelDesign {
  const choices = AXES.map((axis) => {
    const wanted: string | undefined = options[axis];
    return [axis, wanted === undefined ? defaultOf(axis, options) : wanted];
  });
  return Object.fromEntries(choices);
}

function defaultOf(axis: DesignAxis, { mailboxWidth }: Partial<ChannelDesign>): string {
  return axis === "mailboxRead" && mailboxWidth === "bit" ? "outbox" : DESIGN_AXES[axis][0];
}

/** The values of `portLock` whose locks do not name the holder of a port. */
export type AnonymousLockName = Exclude<ChannelDesign["portLock"], "owner" | "held">;

/** Whether locks of this kind do not name the holder of a port. */
export function isAnonymous(name: ChannelDesign["portLock"]): name is AnonymousLockName {
  return name !== "owner" && name !== "held";
}

/**
 * Rejects an operation that has to know who holds which port.
 *
 * @param what cannot be done: what follows "Cannot" in the message
 * @throws {TypeError} when the channel's locks do not name their holders
 */
export function checkNamesHolders({ portLock }: ChannelDesign, what: string): void {
  if (!isAnonymous(portLock)) return;
  throw new TypeError(`Cannot ${what} as portLock ${portLock} does not say who holds a port`);
}

export function lockPlaces(name: ChannelDesign["portLock"]): PortPlaces {
  return name === "fetch-or" || name === "cas" ? PORT_PLACES.bit : PORT_PLACES.word;
}

/** The design as one word, for the memory of the channel: 0 for the default. */
export function designWord(design: ChannelDesign): number {
  return AXES.reduce((word, axis, place) => {
    const values: readonly string[] = DESIGN_AXES[axis];
    return word | values.indexOf(design[axis]) << (place * AXIS_BITS);
  }, 0);
}

/**
 * The design that a word stands for, whoever wrote it.
 *
 * @throws {RangeError} when it stands for none
 */
export function designOfWord(word: number): ChannelDesign {
  const unknown = word >>> AXES.length * AXIS_BITS;
  if (unknown !== 0) {
    throw new RangeError(
      `Cannot read the design of a channel as bits ${
        AXES.length * AXIS_BITS
      } to 31 of its word must be 0: current value is 0x${unknown.toString(16)}`,
    );
  }
  const choices = AXES.map((axis, place) => {
    const values: readonly string[] = DESIGN_AXES[axis];
    return [axis, values[word >>> (place * AXIS_BITS) & (1 << AXIS_BITS) - 1] ?? "unknown"];
  });
  return channelDesign(Object.fromEntries(choices));
}

/**
 * Says which choice is not a default, for code that knows only those; `undefined` when all are. Two of
 * `mailboxWidth` are: see `channelLayout`.
 */
export function otherChoice(design: ChannelDesign): string | undefined {
  const axis = AXES.find((one) =>
    design[one] !== DEFAULT_DESIGN[one] && !(one === "mailboxWidth" && design[one] === "beside")
  );
  return axis && `${axis} must be ${DEFAULT_DESIGN[axis]}: current value is ${design[axis]}`;
}
