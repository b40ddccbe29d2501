import { member } from "../expression/access.ts";
import { evaluate } from "../expression/expression.ts";
import { type Finding, unfollowedFinding } from "../finding.ts";
import { iterate } from "../library/iteration.ts";
import { declared } from "../path/module.ts";
import { type Interpreter, type Known, Run } from "../path/run.ts";
import { Abandoned } from "../path/thrown.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import { call } from "../statement/func.ts";
import { execute } from "../statement/statement.ts";
import { Ending } from "./ending.ts";
import { methodsOf } from "./object.ts";
import { type Entry, functionsIn, isOpen } from "./entry.ts";

const INTERPRETER: Interpreter = { evaluate, execute, call, member, iterate, declared };

/** How many paths from one beginning are looked at. */
const PATHS_MAX = 300;
/** How many where a file has done more than enough. */
const PATHS_FEW = 12;
/** How many unusual decisions a path of a function takes where numbers may be any. */
const ANY_RANK_MAX = 2;
/** Comparisons with how much fits. */
const COUNTING = /(?:===|[<>]=?) *(?:[A-Z]{2}|[3-9]|\d\d)/;
/** What begins a call. */
const OPENING = /\b(?:open|openAsync|tryOpen)\(/;
/** How much all paths from one beginning may do, and all of a file. */
const STEPS_MAX = 150_000;
const FILE_STEPS_MAX = 1_000_000;

/** How far to look, and who wants to know where that was not far enough. */
export interface Bounds {
  /** How many paths to look at from each beginning. */
  readonly pathsMax?: number;
  /** Told of each beginning from which there are more. */
  readonly onPartly?: (entry: ts.Node) => void;
}

/**
 * Everything that the rules have to say about a file, from top to bottom: it is run on every path
 * that matters, with ports that remember what was done with them.
 */
export function analyse(
  file: CheckedFile,
  { pathsMax = PATHS_MAX, onPartly = () => {} }: Bounds = {},
): readonly Finding[] {
  const known: Known = {
    visited: new Set(),
    heavy: new Set(),
    declarations: new Map(),
    calls: new Map(),
    losses: [],
    stepCount: 0,
  };
  const findings: Finding[] = [];
  const look = (entry: Entry) => {
    const isMuch = known.stepCount > FILE_STEPS_MAX;
    const countMax = isMuch ? Math.min(pathsMax, PATHS_FEW) : pathsMax;
    const exploration = new Exploration(file, entry, known);
    findings.push(...exploration.run(countMax));
    if (exploration.isPartly) onPartly(entry);
  };
  look(file.source);
  // What the program itself makes of a class of its own has been seen.
  const classes = file.source.statements.filter(ts.isClassDeclaration).filter((one) =>
    isOpen(one) || !methodsOf(one).every((method) => known.visited.has(method))
  );
  for (const node of functionsIn(file.source)) {
    if (!known.visited.has(node) || isOpen(node)) look(node);
  }
  for (const one of classes) look(one);
  const repeated = repeatedIn(known);
  return unique(findings.filter((one) => !repeated.has(one))).sort((left, right) =>
    left.node.getStart() - right.node.getStart()
  );
}

/** The paths from one beginning. */
class Exploration {
  readonly #file: CheckedFile;
  readonly #entry: Entry;
  readonly #known: Known;
  readonly #isCounting: boolean;
  /** Whether there are paths with ports that were not looked at. */
  isPartly = false;

  constructor(file: CheckedFile, entry: Entry, known: Known) {
    this.#file = file;
    this.#entry = entry;
    this.#known = known;
    this.#isCounting = COUNTING.test(entry.getText());
  }

  /** Looks at paths, those first that take the fewest unusual ways. */
  run(pathsMax: number): readonly Finding[] {
    const findings: Finding[] = [];
    const waiting: (readonly number[])[][] = [[[]]];
    let stepCount = 0;
    let mayHavePorts = OPENING.test(this.#entry.getText());
    for (let pathCount = 0; pathCount < pathsMax && stepCount < STEPS_MAX; pathCount++) {
      const rank = waiting.findIndex((one) => one.length > 0);
      if (rank < 0 || (rank > 1 && !mayHavePorts)) break;
      const prefix = waiting[rank]!.shift()!;
      const heavyCount = this.#known.heavy.size;
      const path = this.#path(prefix);
      if (this.#known.heavy.size > heavyCount) waiting[0]!.unshift(prefix);
      findings.push(...path.findings);
      mayHavePorts ||= path.linear.length > 0;
      stepCount += path.stepCount;
      this.#known.stepCount += path.stepCount;
      const isBound = path.isAnyNumber && ts.isFunctionLike(this.#entry);
      const taken = path.decisions.map((one) => one.taken);
      for (const [index, { count }] of path.decisions.entries()) {
        if (index < prefix.length) continue;
        for (let way = 1; way < count; way++) {
          const next = [...taken.slice(0, index), way];
          const rank = next.filter((one, at) => one > 0 && !path.decisions[at]!.isEven).length;
          if (isBound && rank > ANY_RANK_MAX) continue;
          while (waiting.length <= rank) waiting.push([]);
          waiting[rank]!.push(next);
        }
      }
    }
    this.isPartly = mayHavePorts && waiting.some((one) => one.length > 0);
    return findings;
  }

  #path(prefix: readonly number[]): Run {
    const isLater = !ts.isSourceFile(this.#entry);
    const run = new Run(
      { file: this.#file, interpreter: INTERPRETER, known: this.#known, isLater },
      prefix,
    );
    try {
      const ending = new Ending(run);
      if (ts.isSourceFile(this.#entry)) ending.module(this.#entry);
      else if (ts.isClassLike(this.#entry)) ending.object(this.#entry);
      else ending.func(this.#entry, this.#isCounting);
    } catch (error) {
      const isStackFull = error instanceof RangeError;
      if (isStackFull) run.findings.push(unfollowedFinding(this.#entry));
      else if (!(error instanceof Abandoned)) throw error;
      else if (error.isImpossible) run.findings.length = 0;
    }
    return run;
  }
}

/** What is lost at once if what it comes from is not: it is enough to say the first. */
function repeatedIn({ losses }: Known): ReadonlySet<Finding> {
  const repeated = new Set<Finding>();
  const told: typeof losses = [];
  const startOf = ({ finding: { node } }: typeof losses[number]) => node.getStart();
  for (const own of losses.toSorted((one, other) => startOf(one) - startOf(other))) {
    const isSaid = told.some(({ madeAt, finding }) =>
      madeAt !== own.madeAt && own.before.has(madeAt) && finding.node !== own.finding.node
    );
    if (isSaid && !own.finding.message.includes(" dropped")) repeated.add(own.finding);
    else told.push(own);
  }
  return repeated;
}

/** A name can be left in many ways, but is lost once. */
function unique(findings: readonly Finding[]): Finding[] {
  const first = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.rule}:${finding.node.getStart()}:${finding.node.end}`;
    if (!first.has(key)) first.set(key, finding);
  }
  return [...first.values()];
}
