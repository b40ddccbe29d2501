import type { Remedy } from "./fix.ts";
import {
  Bit,
  checkName,
  kindName,
  type NameEvent,
  type PortState,
  type RuleName,
} from "./flow/graph.ts";
import { ts } from "./program/compiler.ts";
import type { Binding } from "./syntax/binding.ts";
import type { LinearKind } from "./syntax/vocabulary.ts";

/** One thing to report. */
export interface Finding {
  readonly rule: RuleName;
  readonly node: ts.Node;
  readonly message: string;
  readonly hint: string;
  /** How an editor may mend it, where the code around allows it. */
  readonly remedy?: Remedy | undefined;
}

const HINTS: Readonly<Record<RuleName, string>> = {
  "use-after-move": "Use the port that the last operation returned.",
  "double-move": "A port is consumed exactly once: go on with the port that was returned.",
  "unconsumed-port": "Close it, send it on, return it, or declare it with `using`.",
  "unchecked-maybe": "Branch on the check first: the value may not be there.",
};

/** What a message is made of, beside the event. */
export interface FindingContext {
  readonly kind: LinearKind;
  readonly state: PortState;
  readonly lineOf: (offset: number) => number;
}

/** The words for an event that breaks a rule. */
export function findingOf(rule: RuleName, event: NameEvent, context: FindingContext): Finding {
  const { binding, node } = event;
  const { name } = binding;
  const subject = name === "" ? kindName(context.kind) : `${kindName(context.kind)} '${name}'`;
  const isLoss = rule === "unconsumed-port" || isForgotten(rule, event);
  return {
    rule,
    node: isLoss ? context.state.madeAt ?? binding.node : node,
    message: messageOf(rule, event, { ...context, subject }),
    hint: hintFor(rule, context.kind),
    remedy: isLoss && event.act === "leave" ? "using" : undefined,
  };
}

/** The words for a value that no name ever held. */
export function droppedFinding(node: ts.Node, kind: LinearKind): Finding {
  const rule = "unconsumed-port";
  const message = `${kindName(kind)} is dropped: nobody can consume it any more`;
  const remedy = kind === "port" ? "close" : undefined;
  return { rule, node, message, hint: hintFor(rule, kind), remedy };
}

/** A `Maybe` and an `Either` cannot be closed themselves. */
function hintFor(rule: RuleName, kind: LinearKind): string {
  if (rule !== "unconsumed-port" || kind === "port") return HINTS[rule];
  const isEither = kind === "either" ? "in both cases" : "if it is there";
  return `Look at '${checkName(kind)}', and consume the port in 'value' ${isEither}.`;
}

/** The words for `value` read straight from the call that returned a `Maybe` or `Either`. */
export function hastyFinding(node: ts.Node, kind: LinearKind): Finding {
  const rule = "unchecked-maybe";
  const message = `${kindName(kind)} is opened before '${checkName(kind)}' was looked at`;
  return { rule, node, message, hint: HINTS[rule] };
}

/** The words for a part of a file that was not followed. */
export function unfollowedFinding(node: ts.Node): Finding {
  return {
    rule: "unconsumed-port",
    node,
    message: "Ports are not followed from here on: the code is nested or joined too deeply",
    hint: "Move a part of it into a function of its own.",
  };
}

/** The words for a port that somebody keeps who will have a closed one. */
export function keptFinding(
  node: ts.Node,
  { name }: Binding,
  end: "using" | "call",
): Finding {
  const closes = end === "using" ? "its `using` closes it when the block ends" : "the call is over";
  return {
    rule: "use-after-move",
    node,
    message: `Port '${name}' is kept here, and ${closes}`,
    hint: end === "using"
      ? `Say that it moves on, \`move(${name})\`, or declare it with \`const\`.`
      : "Reply before the handler returns, and keep what the packet holds instead of the port.",
    remedy: end === "using" ? "move" : undefined,
  };
}

/** The words for a port that a function consumes although whoever called it with the port does. */
export function lentFinding(node: ts.Node, { name }: Binding, by: string): Finding {
  return {
    rule: "double-move",
    node,
    message: `Port '${name}' is consumed by ${by}, and who lends it to this function consumes it`,
    hint: "Leave the port where it is: it is its caller's.",
  };
}

/** The words for a module that ports may come from, and that cannot be read. */
export function unknownFinding(specifier: string): Omit<Finding, "node"> {
  return {
    rule: "unconsumed-port",
    message: `Ports from '${specifier}' are not followed: the module is not on this machine`,
    hint: "Run `deno cache` on this file first, or check the program with core/linear/check.ts.",
  };
}

function isForgotten(rule: RuleName, event: NameEvent): boolean {
  return rule === "unchecked-maybe" && !event.inside;
}

function messageOf(
  rule: RuleName,
  event: NameEvent,
  { subject, kind, state, lineOf }: FindingContext & { readonly subject: string },
): string {
  const may = state.bits === Bit.moved ? "is" : "may be";
  switch (rule) {
    case "use-after-move":
      if (event.act === "move") {
        const line = state.movedAt ? ` of line ${lineOf(state.movedAt.getStart())}` : "";
        return `${subject} is consumed by ${event.by}, and the function${line} uses it later`;
      }
      return `${subject} ${may} used after ${moverOf(state, lineOf)}`;
    case "double-move":
      return `${subject} ${may} consumed by ${event.by} after ${moverOf(state, lineOf)}`;
    case "unconsumed-port":
      return `${madeAt(subject, event, { state, lineOf })} ${lossOf("consumed", event, lineOf)}`;
    case "unchecked-maybe":
      return isForgotten(rule, event)
        ? `${madeAt(subject, event, { state, lineOf })} ${lossOf("looked at", event, lineOf)}`
        : `${subject} is opened ${hasteOf(kind, state)}`;
  }
}

function hasteOf(kind: LinearKind, { bits }: PortState): string {
  const check = `'${checkName(kind)}'`;
  return bits === Bit.none ? `where ${check} is false` : `before ${check} was looked at`;
}

function madeAt(
  subject: string,
  { binding }: NameEvent,
  { state, lineOf }: Pick<FindingContext, "state" | "lineOf">,
): string {
  return `${subject} of line ${lineOf((state.madeAt ?? binding.node).getStart())}`;
}

/** What was not done with a port on the way to where its name ends. */
function lossOf(deed: string, event: NameEvent, lineOf: FindingContext["lineOf"]): string {
  const { act, node } = event;
  if (act !== "leave") {
    return `is overwritten at line ${lineOf(node.getStart())} before it was ${deed}`;
  }
  return `is not ${deed} on the path that leaves at line ${lineOf(leavesAt(node))}`;
}

/** A jump leaves where it stands; a block, a function or a loop leaves at its end. */
function leavesAt(node: ts.Node): number {
  const isJump = ts.isReturnStatement(node) || ts.isThrowStatement(node) ||
    ts.isBreakOrContinueStatement(node);
  return isJump ? node.getStart() : node.end - 1;
}

function moverOf(state: PortState, lineOf: (offset: number) => number): string {
  if (!state.movedAt) return "it was moved";
  return `${state.movedBy} consumed it at line ${lineOf(state.movedAt.getStart())}`;
}
