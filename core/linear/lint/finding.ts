import type { FlowEvent } from "./flow/graph.ts";
import { Bit, checkName, kindName, type PortState, type RuleName } from "./flow/port_state.ts";
import type { SyntaxNode } from "./syntax/syntax.ts";
import { isLinear, type LinearKind } from "./syntax/vocabulary.ts";

/** One thing to report. */
export interface Finding {
  readonly rule: RuleName;
  readonly node: SyntaxNode;
  readonly message: string;
  readonly hint: string;
}

const HINTS: Readonly<Record<RuleName, string>> = {
  "use-after-move": "Use the port that the last operation returned.",
  "double-move": "A port is consumed exactly once: go on with the port that was returned.",
  "unconsumed-port": "Close it, send it on, return it, or declare it with `using`.",
  "unchecked-maybe": "Branch on the check first: the value may not be there.",
};

/** The words for an event that breaks a rule. */
export function findingOf(
  rule: RuleName,
  event: FlowEvent,
  context: { readonly state: PortState; readonly lineOf: (offset: number) => number },
): Finding {
  const { binding } = event;
  const kind: LinearKind = binding.kind && isLinear(binding.kind) ? binding.kind : "port";
  const subject = `${kindName(kind)} '${binding.name}'`;
  const isLoss = rule === "unconsumed-port" || isForgotten(rule, event);
  return {
    rule,
    node: isLoss ? binding.node : event.node,
    message: messageOf(rule, event, { ...context, subject, kind }),
    hint: HINTS[rule],
  };
}

/** The words for a value that no name ever held. */
export function droppedFinding(node: SyntaxNode, kind: LinearKind): Finding {
  const rule = "unconsumed-port";
  const message = `${kindName(kind)} is dropped: nobody can consume it any more`;
  return { rule, node, message, hint: HINTS[rule] };
}

/** The words for `value` read straight from the call that returned a `Maybe` or `Either`. */
export function hastyFinding(node: SyntaxNode, kind: LinearKind): Finding {
  const rule = "unchecked-maybe";
  const message = `${kindName(kind)} is opened before '${checkName(kind)}' was looked at`;
  return { rule, node, message, hint: HINTS[rule] };
}

function isForgotten(rule: RuleName, event: FlowEvent): boolean {
  return rule === "unchecked-maybe" && !event.inside;
}

interface Details {
  readonly subject: string;
  readonly kind: LinearKind;
  readonly state: PortState;
  readonly lineOf: (offset: number) => number;
}

function messageOf(rule: RuleName, event: FlowEvent, details: Details): string {
  const { subject, kind, state, lineOf } = details;
  const line = lineOf(event.node.range[0]);
  const may = state.bits === Bit.moved ? "is" : "may be";
  switch (rule) {
    case "use-after-move":
      return `${subject} ${may} used after ${moverOf(state, lineOf)}`;
    case "double-move":
      return `${subject} ${may} consumed by ${event.by} after ${moverOf(state, lineOf)}`;
    case "unconsumed-port":
      return event.act === "leave"
        ? `${subject} is not consumed on the path that leaves at line ${line}`
        : `${subject} is overwritten at line ${line} before it was consumed`;
    case "unchecked-maybe":
      return isForgotten(rule, event)
        ? `${subject} is never looked at on the path that leaves at line ${line}`
        : `${subject} is opened before '${checkName(kind)}' was looked at`;
  }
}

function moverOf(state: PortState, lineOf: (offset: number) => number): string {
  if (!state.movedAt) return "it was moved";
  return `${state.movedBy} consumed it at line ${lineOf(state.movedAt.range[0])}`;
}
