import { give } from "../expression/assignment.ts";
import { awaited } from "../expression/awaiting.ts";
import { iterate } from "../library/iteration.ts";
import { isTrue } from "../path/condition.ts";
import { lengthOf } from "../path/making.ts";
import { Run, type Steps } from "../path/run.ts";
import { Abandoned, Thrown } from "../path/thrown.ts";
import { Scope } from "../path/scope.ts";
import { Item, Unknown, type Value } from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import { within } from "./block.ts";
import { declare, declareOne } from "./declaration.ts";
import { type Outcome } from "./statement.ts";

/** How often a loop turns that decides something each time, and one that does not. */
const OPEN_ROUNDS_MAX = 3;
const ROUNDS_MAX = 40;
const DECIDING_ROUNDS_MAX = 8;

/** Counts the rounds of a loop, so that it ends. */
class Rounds {
  readonly #run: Run;
  #decided: number;
  #count = 0;
  #openCount = 0;

  constructor(run: Run) {
    this.#run = run;
    this.#decided = run.decisions.length;
  }

  next(): void {
    const isOpen = this.#run.decisions.length > this.#decided;
    this.#decided = this.#run.decisions.length;
    if (isOpen) this.#openCount++;
    this.#count++;
  }

  /**
   * Whether one more round is one too many.
   *
   * @throws {Abandoned} where the condition says that there is another, and others were decided on
   */
  isOver(condition: Value): boolean {
    if (condition instanceof Unknown) {
      return this.#openCount > OPEN_ROUNDS_MAX || this.#count > ROUNDS_MAX;
    }
    if (!condition || (this.#count <= ROUNDS_MAX && this.#openCount <= DECIDING_ROUNDS_MAX)) {
      return false;
    }
    if (this.#openCount > 0) throw new Abandoned(false);
    return true;
  }
}

/** What a round makes of its outcome: whether the loop ends, and how. */
export function roundOf(
  outcome: Outcome,
  node: ts.Node,
): { readonly ends: boolean; readonly outcome: Outcome } {
  if (!outcome) return { ends: false, outcome };
  const isOwn = outcome.kind !== "return" &&
    (outcome.label === "" || labelsOf(node).includes(outcome.label));
  if (!isOwn) return { ends: true, outcome };
  return { ends: outcome.kind === "break", outcome: undefined };
}

function labelsOf(node: ts.Node): readonly string[] {
  const { parent } = node;
  return ts.isLabeledStatement(parent) ? [parent.label.text, ...labelsOf(parent)] : [];
}

export function* ofWhile(
  run: Run,
  node: ts.WhileStatement | ts.DoStatement,
  scope: Scope,
): Steps<Outcome> {
  const rounds = new Rounds(run);
  let isFirst = ts.isDoStatement(node);
  for (;; rounds.next()) {
    if (!isFirst) {
      const truth = yield* run.interpreter.evaluate(run, node.expression, scope);
      if (rounds.isOver(truth)) {
        if (truth === true) throw new Abandoned(false);
        return undefined;
      }
      if (!isTrue(run, truth)) return undefined;
    }
    isFirst = false;
    const { ends, outcome } = roundOf(
      yield* run.interpreter.execute(run, node.statement, scope),
      node,
    );
    if (ends) return outcome;
  }
}

export function ofFor(run: Run, node: ts.ForStatement, scope: Scope): Steps<Outcome> {
  return within(node, scope, (inner) => roundsOfFor(run, node, inner));
}

function* roundsOfFor(run: Run, node: ts.ForStatement, scope: Scope): Steps<Outcome> {
  const { initializer, condition, incrementor, statement } = node;
  if (initializer && ts.isVariableDeclarationList(initializer)) {
    yield* declare(run, initializer, scope);
  } else if (initializer) yield* run.interpreter.evaluate(run, initializer, scope);
  const rounds = new Rounds(run);
  let round = copyOf(scope);
  for (;; rounds.next()) {
    const truth = condition ? yield* run.interpreter.evaluate(run, condition, round) : true;
    const isOver = rounds.isOver(truth);
    if (!condition && isOver) throw new Abandoned(false);
    const isNext = !isOver && isTrue(run, truth);
    const end = isNext
      ? roundOf(yield* run.interpreter.execute(run, statement, round), node)
      : undefined;
    if (!end || end.ends) {
      for (const [name, variable] of round.variables) scope.variables.set(name, variable);
      return end?.outcome;
    }
    round = copyOf(round); // closures of a round keep its own variables
    if (incrementor) yield* run.interpreter.evaluate(run, incrementor, round);
  }
}

function copyOf({ variables, around, frame }: Scope): Scope {
  const copy = new Scope(around);
  for (const [name, { value, node }] of variables) copy.variables.set(name, { value, node });
  frame.scope = copy;
  return copy;
}

export function* ofForOf(run: Run, node: ts.ForOfStatement, scope: Scope): Steps<Outcome> {
  const { expression } = node;
  const site = { node: expression, scope };
  const whole = yield* run.interpreter.evaluate(run, expression, scope);
  const cursor = yield* iterate(whole, site, node.awaitModifier !== undefined);
  const rounds = new Rounds(run);
  for (;; rounds.next()) {
    const turn = yield* cursor.next(undefined);
    if (turn.isDone) return undefined;
    if (rounds.isOver(true)) throw new Abandoned(false);
    const value = node.awaitModifier && !cursor.isAsync
      ? yield* awaited(run, turn.value, site)
      : turn.value;
    let outcome: Outcome;
    try {
      outcome = yield* within(node, scope, (inner) => roundOfEach(node, value, inner));
    } catch (error) {
      if (error instanceof Thrown) yield* cursor.close();
      throw error;
    }
    const round = roundOf(outcome, node);
    if (round.ends) {
      yield* cursor.close();
      return round.outcome;
    }
  }
}

/** One round of a loop that gives a name another value in each. */
function* roundOfEach(
  { initializer, statement }: ts.ForInOrOfStatement,
  value: Value,
  scope: Scope,
): Steps<Outcome> {
  const { run } = scope;
  if (ts.isVariableDeclarationList(initializer)) {
    const kind = initializer.flags & ts.NodeFlags.BlockScoped;
    yield* declareOne(initializer.declarations[0]!.name, { value, kind }, scope);
  } else {
    yield* give(initializer, value, scope);
  }
  return yield* run.interpreter.execute(run, statement, scope);
}

export function* ofForIn(run: Run, node: ts.ForInStatement, scope: Scope): Steps<Outcome> {
  const whole = yield* run.interpreter.evaluate(run, node.expression, scope);
  const isKnown = whole instanceof Item && !whole.type;
  const keys: readonly Value[] = isKnown
    ? [...whole.parts.keys()]
    : Array.from({ length: lengthOf(run) }, () => new Unknown());
  for (const key of keys) {
    const outcome = yield* within(node, scope, (inner) => roundOfEach(node, key, inner));
    const round = roundOf(outcome, node);
    if (round.ends) return round.outcome;
  }
  return undefined;
}
