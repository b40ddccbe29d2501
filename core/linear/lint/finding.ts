import type { Remedy } from "./fix.ts";
import { Look, Port } from "./path/value.ts";
import { ts } from "./program/compiler.ts";
import { CHECKS } from "./syntax/vocabulary.ts";

/** The rules of the plugin. */
export type RuleName = "use-after-move" | "double-move" | "unconsumed-port" | "unchecked-maybe";

/** One thing to report. */
export interface Finding {
  readonly rule: RuleName;
  readonly node: ts.Node;
  readonly message: string;
  readonly hint: string;
  /** How an editor may mend it, where the code around allows it. */
  readonly remedy?: Remedy | undefined;
}

/** What is wrong, with what, and where. */
export interface Fault {
  readonly rule: RuleName;
  readonly subject: Port | Look;
  readonly node: ts.Node;
  /** What consumes it, in words. */
  readonly by?: string;
  /** Whether nobody has looked yet. */
  readonly isHasty?: boolean;
  /** What closes it although somebody keeps it. */
  readonly isKept?: "using" | "call";
  /** Whether nothing was decided on the way there. */
  readonly isCertain: boolean;
}

const HINTS: Readonly<Record<RuleName, string>> = {
  "use-after-move": "Use the port that the last operation returned.",
  "double-move": "A port is consumed exactly once: go on with the port that was returned.",
  "unconsumed-port": "Close it, send it on, return it, or declare it with `using`.",
  "unchecked-maybe": "Branch on the check first: the value may not be there.",
};

const KINDS = { maybe: "Maybe", either: "Either" } as const;

function kindOf(subject: Port | Look): string {
  return subject instanceof Port ? "Port" : KINDS[subject.kind];
}

function textOf(subject: Port | Look): string {
  return kindOf(subject) + (subject.name ? ` '${subject.name.text}'` : "");
}

/** A line in words, with its file where that is another one than what is told of. */
function lineOf(node: ts.Node, told: ts.Node, offset: number = node.getStart()): string {
  const source = node.getSourceFile();
  const line = `line ${source.getLineAndCharacterOfPosition(offset).line + 1}`;
  const isHere = source === told.getSourceFile();
  return isHere ? line : `${line} of ${source.fileName.replace(/.*\//, "")}`;
}

/** The words for something that was done with a port, or a `Maybe`, and should not have been. */
export function findingOf(fault: Fault): Finding {
  const { rule, subject, node, isKept } = fault;
  if (isKept) return keptFinding(fault);
  const may = fault.isCertain ? "is" : "may be";
  const text = textOf(subject);
  const message = rule === "use-after-move"
    ? `${text} ${may} used after ${moverOf(subject, node)}`
    : rule === "double-move"
    ? `${text} ${may} consumed by ${fault.by} after ${moverOf(subject, node)}`
    : `${text} is opened ${hasteOf(fault)}`;
  return { rule, node, message, hint: HINTS[rule] };
}

function moverOf(subject: Port | Look, told: ts.Node): string {
  const end = subject instanceof Port ? subject.end : undefined;
  return end ? `${end.by} consumed it at ${lineOf(end.node, told)}` : "it was moved";
}

function hasteOf({ subject, isHasty }: Fault): string {
  const check = `'${subject instanceof Look ? CHECKS[subject.kind] : ""}'`;
  return isHasty ? `before ${check} was looked at` : `where ${check} is false`;
}

/** The words for a port that somebody keeps who will have a closed one. */
function keptFinding({ rule, subject, node, isKept }: Fault): Finding {
  const isUsing = isKept === "using";
  const closes = isUsing ? "its `using` closes it when the block ends" : "the call is over";
  const name = subject.name?.text ?? "port";
  return {
    rule,
    node,
    message: `${textOf(subject)} is kept here, and ${closes}`,
    hint: isUsing
      ? `Say that it moves on, \`move(${name})\`, or declare it with \`const\`.`
      : "Reply before the handler returns, and keep what the packet holds instead of the port.",
    remedy: isUsing ? "move" : undefined,
  };
}

/** The words for what nobody can consume any more. */
export function lossOf(subject: Port | Look, node: ts.Node): Finding {
  const { left, name } = subject;
  const isForgotten = subject instanceof Look && name !== undefined;
  const rule = isForgotten ? "unchecked-maybe" : "unconsumed-port";
  if (!left || !name) {
    const message = `${kindOf(subject)} is dropped: nobody can consume it any more`;
    const remedy = subject instanceof Port ? "close" : undefined;
    return { rule, node, message, hint: hintFor(rule, subject), remedy };
  }
  const deed = isForgotten ? "looked at" : "consumed";
  const given = subject.keptAt ?? subject.givenAt;
  if (given && !left.isOverwritten) {
    return {
      rule,
      node,
      message:
        `${textOf(subject)} of ${lineOf(node, node)} is handed over at ${lineOf(given, node)}, ` +
        `and not ${deed} there`,
      hint: hintFor(rule, subject),
    };
  }
  const way = left.isOverwritten
    ? `is overwritten at ${lineOf(left.node, node)} before it was ${deed}`
    : `is not ${deed} on the path that leaves at ${leavesAt(left.node, node)}`;
  return {
    rule,
    node,
    message: `${textOf(subject)} of ${lineOf(node, node)} ${way}`,
    hint: hintFor(rule, subject),
    remedy: left.isOverwritten ? undefined : "using",
  };
}

/** A `Maybe` and an `Either` cannot be closed themselves. */
function hintFor(rule: RuleName, subject: Port | Look): string {
  if (subject instanceof Port || rule !== "unconsumed-port") return HINTS[rule];
  const isEither = subject.kind === "either" ? "in both cases" : "if it is there";
  return `Look at '${CHECKS[subject.kind]}', and consume the port in 'value' ${isEither}.`;
}

/** A jump leaves where it stands; a block, a function or a loop leaves at its end. */
function leavesAt(node: ts.Node, told: ts.Node): string {
  const isJump = ts.isReturnStatement(node) || ts.isThrowStatement(node) ||
    ts.isBreakOrContinueStatement(node);
  return isJump ? lineOf(node, told) : lineOf(node, told, node.end);
}

/** The words for a module that ports may come from, and that cannot be read. */
export function unknownFinding(specifier: string): Omit<Finding, "node"> {
  return {
    rule: "unconsumed-port",
    message: `Ports from '${specifier}' are not followed: the module is not on this machine`,
    hint: "Run `deno cache` on this file first, or check the program with core/linear/check.ts.",
  };
}

/** The words for a function, or a module, that was not followed. */
export function unfollowedFinding(node: ts.Node): Finding {
  return {
    rule: "unconsumed-port",
    node: ts.isSourceFile(node) ? node.statements[0] ?? node : node,
    message: "Ports are not followed here: the code is nested too deeply",
    hint: "Move a part of it into a function of its own.",
  };
}
