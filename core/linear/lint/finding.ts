import type { ts } from "./program/compiler.ts";

/** A rule of the plug-in, without its prefix `linear/`. */
export type RuleName = "use-after-move" | "double-move" | "unconsumed-port" | "unchecked-maybe";

const GO_ON = "Go on with the port that the last operation returned.";
const SEE_TO_IT = "Close it, send it on, return it, or declare it with `using`.";
const LOOK = "Branch on `present` or `arrived`, and consume the port in `value`.";

/**
 * What can go wrong with a port, by rule: what is said of the port, and what to write instead. `$` is
 * the line of the other place: where the port was consumed, where it came from, where a path leaves.
 */
const WAYS = {
  "double-move": {
    again: ["may be consumed again here: it was consumed$", GO_ON],
    spent: [
      "still has the ports that were consumed$, and gives them away again",
      "Empty it, or put a new list in its place.",
    ],
    often: [
      "is consumed in a function that runs more than once",
      "Consume it outside, or open a port for each run.",
    ],
    staleList: [
      "of a field is gone through with consumption, and the next method finds its ports again",
      "Take them out, by `splice(0)` or `clear()`, or name the method `close`.",
    ],
    staleField: [
      "is consumed here, and the next method finds it in its field",
      "Put the next port there, or `undefined`, or name the method `close`.",
    ],
  },
  "use-after-move": {
    after: ["may be used here: it was consumed$", GO_ON],
    held: ["is consumed here, and by the stack that took it$", "Leave it to the stack."],
    usedLater: [
      "is consumed here, and a closure uses it later that was written$",
      "Consume it in that closure, or when it is over.",
    ],
    kept: [
      "is kept here, and its `using`$ closes it when the block ends",
      "Say that it moves on, `move(port)`, or declare it with `const`.",
    ],
    served: [
      "of a handler is kept here, and its call ends with the handler",
      "Reply before the handler returns.",
    ],
    lent: [
      "is lent, and kept here",
      "Keep what you read from the packet, or take the port: declare it without `Lent`.",
    ],
    ownCallback: ["is used in its own callback", "Use the packet that the callback gets."],
  },
  "unchecked-maybe": {
    unseen: ["is taken out before anybody has looked whether it is there", LOOK],
    unlooked: ["is not looked at before the path ends$", LOOK],
  },
  "unconsumed-port": {
    lost: ["is not consumed on the path that ends$", SEE_TO_IT],
    dropped: ["is dropped: nobody can consume it any more", SEE_TO_IT],
    droppedLook: ["is dropped with the Maybe or Either that holds it", LOOK],
    unnamed: ["gets no name here: nobody can consume it", "Name each of the ports."],
    race: [
      "of a promise that loses the race is lost",
      "Give the promise a name, and close its port when it comes.",
    ],
    overwritten: ["is overwritten$ before it was consumed", "Close it first, or keep both."],
    notLent: [
      "is taken over by this parameter and never consumed",
      "Declare the parameter as `Lent<…>` if the caller keeps the port, or consume it.",
    ],
    neverEnded: [
      "is in a private field that nothing in the class consumes",
      "Close it in a method, for example `[Symbol.dispose]`.",
    ],
  },
} as const satisfies Record<RuleName, Record<string, readonly [string, string]>>;

/** A way in which something can go wrong with a port. */
export type Way = { [Rule in RuleName]: keyof typeof WAYS[Rule] }[RuleName];

/** What there is to say of each way, whichever rule it breaks. */
const SAYINGS = new Map(
  Object.entries(WAYS).flatMap(([rule, ways]) =>
    Object.entries(ways).map(([way, [what, hint]]) =>
      [way, { rule: rule as RuleName, what, hint }] as const
    )
  ),
);

/** What else a finding says: the name of the port, and the line of the other place. */
export interface FindingDetails {
  readonly name?: string | undefined;
  readonly line?: number | undefined;
}

/** Notes what is wrong with a port, and where. */
export type Tell = (way: Way, node: ts.Node, details?: FindingDetails) => void;

/** One thing to report. */
export interface Finding {
  readonly rule: RuleName;
  readonly node: ts.Node;
  readonly message: string;
  readonly hint: string;
}

/** Says in words what is wrong. */
export function findingOf(way: Way, node: ts.Node, { name, line }: FindingDetails = {}): Finding {
  const { rule, what, hint } = SAYINGS.get(way)!;
  const there = line === undefined ? "" : ` at line ${line}`;
  return {
    rule,
    node,
    message: `Port ${name ? `'${name}' ` : ""}${what.replace("$", there)}`,
    hint,
  };
}

/** The line on which something begins; lines count from 1. */
export function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/** The line on which something ends. */
export function lastLineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.end).line + 1;
}
