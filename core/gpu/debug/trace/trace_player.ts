import type { TraceStep } from "../debug_report.ts";

/** A value of the function that runs. */
export interface TracedName {
  /** As in the text, such as `p.b.x`. */
  readonly name: string;
  /** As the step shows it. */
  readonly value: string;
  /** Whether this step has given it the value. */
  readonly isNew: boolean;
}

/** What is known at a step. */
export interface TraceMoment {
  /** From 0. */
  readonly index: number;
  /** The current step. */
  readonly step: TraceStep;
  /** The names of the innermost function, in the order in which they first had values. */
  readonly values: readonly TracedName[];
}

/** Steps forth and back through what an invocation did. */
export class TracePlayer {
  /** All steps, in their order. */
  readonly steps: readonly TraceStep[];
  #index = 0;

  /**
   * Begins at the first step.
   *
   * @throws {TypeError} when there are no steps
   */
  constructor(steps: readonly TraceStep[]) {
    if (steps.length === 0) {
      throw new TypeError(
        "Cannot play a trace as it has no steps: pick an invocation that runs before the submit, by pick()",
      );
    }
    this.steps = steps;
  }

  /** The number of the current step, from 0. */
  get index(): number {
    return this.#index;
  }

  /** Moves by some steps, at most to the first or last; returns whether it moved. */
  move(count: number): boolean {
    const index = Math.min(this.steps.length - 1, Math.max(0, this.#index + Math.trunc(count)));
    const hasMoved = index !== this.#index;
    this.#index = index;
    return hasMoved;
  }

  /** Moves to the next or, with -1, the previous step in a line; returns whether there is one. */
  moveToLine(line: number, direction: 1 | -1 = 1): boolean {
    for (let at = this.#index + direction; this.steps[at]; at += direction) {
      if (this.steps[at]!.position.line !== line) continue;
      this.#index = at;
      return true;
    }
    return false;
  }

  /** What is known at the current step. */
  get moment(): TraceMoment {
    const calls: Map<string, string>[] = [];
    for (const { verb, written, value, frames } of this.steps.slice(0, this.#index + 1)) {
      calls.length = Math.min(calls.length, frames.length);
      if (verb === "enter") calls[frames.length - 1] = new Map();
      else if (verb !== "return") (calls[frames.length - 1] ??= new Map()).set(written, value);
    }
    const step = this.steps[this.#index]!;
    const isChange = step.verb !== "enter" && step.verb !== "return";
    const values = [...calls[step.frames.length - 1] ?? []].map(([name, value]) => ({
      name,
      value,
      isNew: isChange && name === step.written,
    }));
    return { index: this.#index, step, values };
  }
}

/** A step in one line, indented by the depth of its call. */
export function stepText({ verb, written, value, position, frames }: TraceStep): string {
  const indent = "  ".repeat(frames.length - 1);
  const said = verb === "enter"
    ? `${written}()`
    : verb === "return"
    ? `return ${value}`
    : `${verb === "set" || verb === "parameter" ? "" : `${verb} `}${written} = ${value}`;
  return `${String(position.line).padStart(4)} | ${indent}${said}`;
}

/** The lines of the source around the current step, its values and its calls, for a terminal. */
export function momentText(player: TracePlayer, source: string, lineCount = 7): string {
  const { index, step, values } = player.moment;
  const lines = source.split("\n");
  const { line } = step.position;
  const first = Math.max(1, Math.min(line - (lineCount >> 1), lines.length - lineCount + 1));
  const shown = lines.slice(first - 1, first - 1 + lineCount).map((text, at) =>
    `${first + at === line ? ">" : " "} ${String(first + at).padStart(4)} | ${text}`
  );
  const names = values.map(({ name, value, isNew }) => `${isNew ? "*" : " "} ${name} = ${value}`);
  const calls = step.frames.map(({ name, position }) => `${name}:${position.line}`).join(" < ");
  const head = `step ${index + 1} of ${player.steps.length}, in ${calls}`;
  const returned = step.verb === "return" ? [`* return ${step.value}`] : [];
  return [head, ...shown, ...names, ...returned, ""].join("\n");
}
