import { CALLS_MAX, isHolding, noteStale, useObject } from "./object.ts";
import { exhausted } from "../library/iteration.ts";
import { inputsOf, isOfHandler, letGo } from "../foreign/handover.ts";
import { useStreams } from "../library/stream.ts";
import { blame, portsIn } from "../path/misuse.ts";
import { declared } from "../path/module.ts";
import { reachable } from "../path/reach.ts";
import { Run, type Steps } from "../path/run.ts";
import type { Scope } from "../path/scope.ts";
import {
  Func,
  Future,
  isLinear,
  Item,
  List,
  type Look,
  Native,
  Port,
  Table,
  Unknown,
  type Value,
} from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import { leave } from "../statement/block.ts";
import { call } from "../statement/func.ts";
import { executeAll } from "../statement/statement.ts";
import * as s from "../syntax/syntax.ts";
import { lossOf } from "../finding.ts";
import { functionsIn, isOpen, keepersIn } from "./entry.ts";

/** Runs a path to its end, and sees what is left. */
export class Ending {
  readonly #run: Run;
  /** What a module gives others. */
  readonly #exported = new Map<Value, ts.Type>();
  constructor(run: Run) {
    this.#run = run;
  }

  /** Runs a module. */
  module(source: ts.SourceFile): void {
    const run = this.#run;
    const scope = run.moduleOf(source);
    const future = run.start(callModule(source, scope));
    const exported = run.file.checker.getSymbolAtLocation(source);
    const names = exported ? run.file.checker.getExportsOfModule(exported) : [];
    run.drain();
    for (const one of names) {
      const local = one.declarations?.map((declaration) =>
        ts.isExportSpecifier(declaration)
          ? (declaration.propertyName ?? declaration.name).text
          : s.nameOf(ts.getNameOfDeclaration(declaration))
      )[0];
      const { value } = scope.variables.get(local ?? one.name) ?? {};
      this.#exported.set(value, run.file.checker.getTypeOfSymbolAtLocation(one, source));
      run.escaped.add(value);
    }
    this.#finish(source, future, []);
  }

  /**
   * Calls a function as somebody else would.
   *
   * @param isCounting whether it compares with how much fits: what a few rounds do not reach is
   * reached by any number
   */
  func(node: Func["node"], isCounting: boolean): void {
    const run = this.#run;
    const inputs: Value[] = [];
    run.isAnyNumber = isCounting && run.choose(2) === 1;
    const future = run.start(callOuter(run, node, inputs));
    run.drain();
    this.#finish(node, future, inputs);
  }

  /** Makes an object of a class, and calls some of its methods. */
  object(node: ts.ClassLikeDeclaration): void {
    const run = this.#run;
    const given = useObject(run, node);
    // Whose names come twice is the affair of who calls.
    if (run.hasEqualKeys) { for (const one of given) letGo(run, one); }
    this.#judgeKept([]);
    this.#judgeLosses([], 0);
  }

  /** Sees what is left when nothing runs any more. */
  #finish(
    entry: ts.SourceFile | Func["node"],
    future: Future,
    inputs: readonly Value[],
  ): void {
    const run = this.#run;
    this.#happen();
    useStreams(run, !ts.isSourceFile(entry) && isOpen(entry) ? future.value : undefined);
    const { error } = future;
    const errors = run.rejected.filter((one) => one === future || !one.isHandled)
      .map((one) => one.error!);
    if (errors.some(({ isForeign }) => isForeign)) return;
    if (error) this.#refuse(inputs);
    const isDropped = !ts.isSourceFile(entry) && isForNothing(run, entry);
    const result = error ? error.value : isDropped ? undefined : future.value;
    if (result === false) {
      for (const one of inputs) {
        if (one instanceof Port) one.isOwned = false;
      }
    }
    if (!error) this.#judgeResult(result);
    const count = run.linear.length;
    if (errors.length > 0) {
      // Any call may throw: only who throws itself has to see to what it holds.
      const throwers = errors.map(({ from }) => from?.node);
      for (const one of run.linear) {
        if (!one.isGone && !throwers.includes(one.left?.node)) one.isOwned = false;
      }
    }
    this.#judgeLosses([result], 0);
    if (!ts.isSourceFile(entry)) {
      return this.#callOthers(result, count, functionsIn(entry.getSourceFile()));
    }
    // Where nothing is kept from call to call, other paths begin with each function.
    const isKeeping = keepersIn(run.file).length > 0;
    this.#callOthers(
      new List([...this.#exported.keys()]),
      count,
      isKeeping ? new Set() : functionsIn(entry),
    );
  }

  /** A handler that throws has refused its call: the server sees to the port. */
  #refuse(inputs: readonly Value[]): void {
    const own = inputs.filter((one) => one instanceof Port && isOfServer(this.#run, one));
    for (const one of this.#run.linear) {
      if (one instanceof Port && isOfHandler(own, one)) one.isOwned = false;
    }
  }

  /** Lets something happen that functions listen for. */
  #happen(): void {
    const run = this.#run;
    const { events } = run;
    events[run.choose(events.length + 1) - 1]?.fire();
    run.drain();
  }

  /** A result that is over already. */
  #judgeResult(result: Value): void {
    const run = this.#run;
    const scope = run.moduleOf(run.file.source);
    for (const port of portsIn(result)) {
      if (!port.end || !port.keptAt || port.end.kind === "using") continue;
      blame(run, { rule: "double-move", subject: port, by: "return" }, {
        node: port.keptAt,
        scope,
      });
    }
    this.#judgeKept([result]);
  }

  /** What somebody has that `using` has closed. */
  #judgeKept(results: readonly Value[]): void {
    const run = this.#run;
    const scope = run.moduleOf(run.file.source);
    const closed = run.linear.filter((one) => one instanceof Port && one.end?.kind === "using");
    const seen = closed.length > 0 ? reachable(run, results) : new Set();
    for (const port of closed) {
      if (!seen.has(port)) continue;
      const node = [port.keptAt, port.givenAt].find((one) =>
        one?.getSourceFile() === run.file.source
      );
      if (!node) continue;
      blame(run, { rule: "use-after-move", subject: port, isKept: "using" }, { node, scope });
    }
  }

  /** What is left, and whom nobody can come to any more. */
  #judgeLosses(results: readonly Value[], from: number): void {
    const run = this.#run;
    const isOver = (one: Port | Look) =>
      one instanceof Port
        ? one.end !== undefined
        : one.truth !== undefined || one.port?.end !== undefined;
    const open = run.linear.slice(from).filter((one) =>
      one.isOwned && one.blamed.size === 0 && !isOver(one)
    );
    if (open.length === 0) return;
    const seen = reachable(run, results);
    for (const one of open) {
      if (!seen.has(one)) this.#lose(one);
    }
  }

  #lose(one: Port | Look): void {
    const { file } = this.#run;
    const isHere = (node: ts.Node | undefined) => node?.getSourceFile() === file.source;
    const isElsewhere = !one.isShared && !one.left?.isOverwritten &&
      (one.left ? !isHere(one.left.node) : one.madeIn !== file.source);
    const node = [one.name, one.madeAt].find(isHere);
    if (!node || isElsewhere) return;
    one.blamed.add("unconsumed-port");
    const finding = lossOf(one, node);
    this.#run.findings.push(finding);
    this.#run.known.losses.push({ finding, madeAt: one.madeAt, before: madeBefore(one) });
  }

  /** Calls functions that were made and never called, in any order, as whoever has them can. */
  #callOthers(result: Value, count: number, known: ReadonlySet<Func["node"]>): void {
    const run = this.#run;
    const results = [result];
    const isOther = ({ node }: Func) => !run.ran.has(node) && node.body && !known.has(node);
    const found = new Map<Value, readonly Func[]>();
    while (run.round < CALLS_MAX) {
      for (const one of results) {
        if (!found.has(one)) found.set(one, [...new Set(functionsOf(one))].filter(isOther));
      }
      const others = [...found.values()].flat().slice(0, 12);
      const func = others[run.choose(others.length + 1) - 1];
      if (!func) return;
      run.round++;
      const inputs: Value[] = [];
      const future = run.start(callInner(func, inputs, this.#exported.get(func)));
      run.pause();
      if (future.error?.isForeign) return;
      if (future.error) this.#refuse(inputs);
      run.escaped.add(func);
      results.push(isForNothing(run, func.node) ? undefined : future.value);
      this.#judgeLosses([...results, future.error?.value], count);
      const around = [...results, ...run.modules.values()];
      if (future.error || !isHolding(run, around)) return;
      noteStale(run, func.node, around);
    }
  }
}

/** Runs the statements of a module. */
function* callModule(source: ts.SourceFile, scope: Scope): Steps<undefined> {
  yield* executeAll(scope.run, source.statements, scope);
  yield* leave(scope.run, scope, { node: source, place: source });
}

/** Calls a function as somebody else would who has what the module gives. */
function* callOuter(run: Run, node: Func["node"], inputs: Value[]): Steps<Value> {
  const { self, home } = yield* ownerOf(run, node);
  run.escaped.add(self);
  const scope = home?.scope ?? run.moduleOf(run.file.source);
  return yield* callInner(new Func(node, scope, self, home?.methods), inputs);
}

/** Calls a function that another one has made. */
function* callInner(func: Func, inputs: Value[], type?: ts.Type): Steps<Value> {
  const { run } = func.scope;
  const site = { node: func.node, scope: func.scope, isInner: true };
  inputs.push(...yield* inputsOf(run, func, { site, isOwned: true, type }));
  for (const one of inputs) if (!isLinear(one)) run.escaped.add(one); // others have them
  return yield* exhausted(run, yield* call(func, inputs, site));
}

/** A port that a server may have given: a handler that throws has refused the call. */
function isOfServer(run: Run, { madeAt }: Port): boolean {
  const type = run.file.typeAt(madeAt);
  return run.file.checker.getNonNullableType(type).getProperty("send") !== undefined;
}

/** Whether the place where a function is written wants no result of it. */
function isForNothing({ file: { checker } }: Run, node: ts.Node): boolean {
  const wanted = s.contextOf(checker, node)?.getCallSignatures()[0]?.getReturnType();
  return wanted !== undefined && (wanted.flags & ts.TypeFlags.Void) !== 0;
}

/** The object that a method belongs to, of which nobody knows what was done with it. */
function* ownerOf(
  run: Run,
  node: ts.Node,
): Steps<{ readonly self: Value; readonly home: Item["made"] }> {
  const { parent } = node;
  const unknown = { self: new Unknown(), home: undefined };
  if (!ts.isClassLike(parent)) return unknown;
  const site = { node: parent, scope: run.moduleOf(run.file.source) };
  const isOutermost = ts.isClassDeclaration(parent) && ts.isSourceFile(parent.parent);
  const made = isOutermost ? yield* declared(run, parent, site) : undefined;
  if (!(made instanceof Item) || !made.made) return unknown;
  if (s.isStatic(node as ts.ClassElement)) return { self: made, home: made.made };
  const type = run.file.typeAt(parent.name ?? parent);
  const self = new Item(made.made.methods, () => type);
  self.fixed = fixedIn(parent);
  return { self, home: made.made };
}

/** The fields that a class gives a value once. */
function fixedIn(node: ts.ClassLikeDeclaration): ReadonlySet<string> {
  const fixed = node.members.filter((one) =>
    (ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Readonly) !== 0
  );
  const makers = node.members.filter(ts.isConstructorDeclaration);
  const given = makers.flatMap(({ parameters }) => parameters).filter((one) =>
    (ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Readonly) !== 0
  );
  return new Set([...fixed, ...given].map(({ name }) => name ? s.keyName(name) : ""));
}

/** The functions that whoever has a value can call. */
function* functionsOf(value: Value, depth = 0): Iterable<Func> {
  if (value instanceof Func) yield value;
  if (value instanceof Future) yield* functionsOf(value.value, depth);
  if (depth > 3) return;
  const parts = value instanceof List
    ? value.items
    : value instanceof Item || value instanceof Native
    ? value.parts.values()
    : value instanceof Table
    ? value.entries.values()
    : [];
  for (const one of parts) yield* functionsOf(one, depth + 1);
}

/** Where the ports came to be that a port comes from. */
function madeBefore(one: Port | Look): ReadonlySet<ts.Node> {
  const found = new Set<ts.Node>();
  for (let port = one.from; port; port = port.from) found.add(port.madeAt);
  return found;
}
