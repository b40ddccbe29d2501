import type { ts } from "../program/compiler.ts";
import type { Run, Site } from "./run.ts";
import type { Func, Future, Item, Value } from "./value.ts";

/** What belongs to one call of a function. */
export interface Frame {
  readonly run: Run;
  readonly self: Value;
  readonly func: Func | undefined;
  /** The class whose object is made. */
  readonly maker?: Item | undefined;
  /** Who called; absent for what the analysis begins with. */
  readonly calledFrom: Site | undefined;
  readonly depth: number;
  /** The promise of what it gives, once it waits. */
  promise?: Future;
  /** When it was called, in steps of the path. */
  readonly calledStep: number;
  /** How many `try` stand around what runs: where there is one, an exception matters. */
  guards: number;
  /** The block that runs, with the names that its values have. */
  scope: Scope;
}

/** A name and what it holds. */
export interface Variable {
  value: Value;
  /** The name where it is declared. */
  readonly node: ts.Node | undefined;
}

/** The names of a block. */
export class Scope {
  readonly variables = new Map<string, Variable>();
  readonly around: Scope | undefined;
  readonly frame: Frame;
  /** Parameters that do not say that they take a port: it stays their caller's. */
  borrowed?: Set<string>;
  /** What `using` closes at the end, in the order of the text. */
  disposed?: { readonly value: Value; readonly node: ts.Node; readonly waits: boolean }[];

  constructor(around: Scope | undefined, frame?: Omit<Frame, "scope">) {
    this.around = around;
    this.frame = frame ? { ...frame, scope: this } : around!.frame;
    this.frame.scope = this;
  }

  /** The path that comes here. */
  get run(): Run {
    return this.frame.run;
  }

  /** The variable of a name, from here outwards. */
  find(name: string): Variable | undefined {
    return this.variables.get(name) ?? this.around?.find(name);
  }

  /** The block of the whole file. */
  get outermost(): Scope {
    return this.around?.outermost ?? this;
  }
}
