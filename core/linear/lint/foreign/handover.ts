import { madeOf } from "../path/making.ts";
import { blame, portsIn, touch } from "../path/misuse.ts";
import { namesIn, reachable } from "../path/reach.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Thrown } from "../path/thrown.ts";
import {
  Func,
  Future,
  isFunction,
  isLinear,
  isThing,
  Item,
  List,
  Native,
  Port,
  Table,
  Unknown,
  type Value,
} from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import * as s from "../syntax/syntax.ts";
import { isListenerMethod, LISTENERS } from "../syntax/vocabulary.ts";
import { servesCalls, takesPorts } from "./signature.ts";
import { isReader } from "./usual.ts";

/** What is somebody else's from now on, as far as anybody knows. */
export function letGo(run: Run, value: Value): void {
  if (isLinear(value)) value.isOwned = false;
  if (isThing(value)) run.escaped.add(value);
}

export interface Receiver {
  readonly site: Site;
  readonly name: string;
  readonly type?: ts.Type | undefined;
}

/** Gives anything else to code from elsewhere. */
export function* handOver(run: Run, value: Value, receiver: Receiver): Steps<void> {
  const { name, site } = receiver;
  if (isFunction(value)) return yield* handFunction(run, value, receiver);
  if (isReader(name)) return;
  if (value instanceof Port) touch(run, value, site);
  if (isLinear(value)) return letGo(run, value);
  const isHolder = value instanceof List || value instanceof Table || value instanceof Item ||
    value instanceof Future;
  if (!isHolder) return;
  run.escaped.add(value);
  for (const one of shown(value, receiver.type)) {
    for (const port of portsIn(one)) port.isUnclear = true;
  }
  if (!(value instanceof Item)) return;
  if ([...run.listeners].some(({ target }) => target === value)) return; // who has it tells it
  for (const part of [...value.parts.values()]) {
    if (part instanceof Func) yield* handFunction(run, part, { site, name: "" });
  }
}

/** What who gets an object sees of it by its type. */
function shown(value: Value, type: ts.Type | undefined): readonly Value[] {
  const names = new Set(type?.getProperties().map(({ name }) => name));
  if (!(value instanceof Item) || names.size === 0) return [value];
  return [...value.parts].flatMap(([name, part]) => names.has(name) ? [part] : []);
}

/** Functions that take no notice of what the functions that they are given return. */
const DROPPING =
  /^(?:forEach|finally|defer|on\w*|once|add\w*Listener|subscribe|set(?:Timeout|Interval))$/;

/** Events that come once at most. */
const LAST_EVENTS =
  /^(?:abort|beforeunload|close|complete|connect|disconnect|done|end|error|exit|finish|load|open|ready|timeout|unload|SIG.*)$/;

/** Gives a function to code that may call it: at once, when something happens, or never. */
function* handFunction(run: Run, func: Value, { name, site, type }: Receiver): Steps<void> {
  run.escaped.add(func);
  const { node } = site;
  if (ts.isCallExpression(node) && !site.isInner && servesCalls(run.file, node)) {
    return yield* serve(run, func, site);
  }
  if (func instanceof Func) run.ran.add(func.node);
  if (func instanceof Native) {
    const fire = () =>
      void run.start(run.interpreter.call(func, [new Unknown()], { ...site, isInner: true }));
    run.tasks.push({ isTimer: true, fire, holds: [func], timesLeft: 1 });
  }
  if (!(func instanceof Func) || !func.node.body) return;
  const method = name.slice(name.lastIndexOf(".") + 1);
  if (LISTENERS.has(method) || isListenerMethod(method)) {
    const [event, , options] = (node as ts.CallExpression).arguments;
    const isOver = method !== "setInterval" &&
      (!event || !ts.isStringLiteralLike(event) || LAST_EVENTS.test(event.text) ||
        method === "once" || /\bonce\b/.test(options?.getText() ?? ""));
    if (!/\bsignal\b/.test(options?.getText() ?? "")) {
      run.escaped.delete(func);
      listen(run, func, { site, timesMax: isOver ? 1 : 2 });
      return;
    }
  }
  if (run.choose(2) === 1) return neverRuns(func);
  const before = run.linear.filter((one) => one instanceof Port && !one.end);
  const args = yield* inputsOf(run, func, { site, type });
  const result = yield* run.interpreter.call(func, args, { ...site, isInner: true });
  const isDropped = type?.getCallSignatures()[0]?.getReturnType().flags === ts.TypeFlags.Void ||
    DROPPING.test(method);
  if (!isDropped) run.escaped.add(result);
  for (const one of before) if (one instanceof Port && one.end) one.isUnclear = true;
}

/** Notes a function that is called when something happens. */
export function listen(
  run: Run,
  work: Func,
  { site, timesMax }: { readonly site: Site; readonly timesMax: number },
): void {
  run.listeners.add({ work, fire: () => run.start(repeated(work, timesMax, site)) });
}

function* repeated(work: Func, count: number, site: Site): Steps<undefined> {
  const { run } = site.scope;
  for (let times = 0; times < count; times++) {
    const args = yield* inputsOf(run, work, { site });
    yield* run.interpreter.call(work, args, { ...site, isInner: true });
  }
}

/** What a function would have consumed is not known to be. */
function neverRuns(func: Func): void {
  for (const name of namesIn(func.node)) {
    const value = func.scope.find(name)?.value;
    if (isLinear(value) && mayConsume(func.node, name)) value.isOwned = false;
  }
}

/** Whether a function does more with a name than to look. */
function mayConsume(node: ts.Node, name: string): boolean {
  let isConsumed = false;
  const visit = (one: ts.Node): void => {
    if (ts.isIdentifier(one) && one.text === name) {
      const { parent } = one;
      const isLook = ts.isPropertyAccessExpression(parent) && parent.expression === one &&
        /^(?:use|index|inbox|outbox|present|arrived)$/.test(parent.name.text);
      if (!isLook) isConsumed = true;
    }
    ts.forEachChild(one, visit);
  };
  visit(node);
  return isConsumed;
}

/** What code from elsewhere calls a function with. */
export function* inputsOf(
  run: Run,
  { node, scope }: Func,
  { site, type: wanted, isOwned }: {
    readonly site: Site;
    readonly type?: ts.Type | undefined;
    readonly isOwned?: boolean;
  },
): Steps<Value[]> {
  const values: Value[] = [];
  const [signature] = wanted ? run.file.checker.getNonNullableType(wanted).getCallSignatures() : [];
  const isGuard = node.type !== undefined && ts.isTypePredicateNode(node.type);
  const owns = isOwned ?? (signature !== undefined && takesPorts(run.file, signature));
  for (const { name, dotDotDotToken, initializer, type } of node.parameters) {
    if (ts.isIdentifier(name) && name.text === "this") continue;
    if (dotDotDotToken) {
      for (const one of restTypes(run, node, signature?.parameters.slice(values.length))) {
        values.push(yield* madeOf(one, { node: name, scope }, { isOwned: false }));
      }
      break;
    }
    if (initializer && run.choose(2) === 1) {
      values.push(undefined);
      continue;
    }
    const inner = { node: name, scope: isOwned === undefined ? site.scope : scope };
    values.push(
      yield* madeOf(run.file.typeAt(name), inner, {
        isOwned: owns && !isGuard && (isOwned !== true || isSaid(run, node, type)),
      }),
    );
  }
  return values;
}

/** What the type of a function wants where the function itself takes whatever comes. */
function restTypes(
  { file: { checker, reader } }: Run,
  node: ts.Node,
  parameters: readonly ts.Symbol[] = [],
): readonly ts.Type[] {
  return parameters.flatMap((one) => {
    const type = checker.getTypeOfSymbolAtLocation(one, node);
    return checker.isTupleType(type) ? reader.argumentsOf(type) : [type];
  });
}

/** Whether a function itself says what it takes, or stands where one is wanted that serves calls. */
function isSaid({ file }: Run, node: Func["node"], type: ts.TypeNode | undefined): boolean {
  if (type) return true;
  const wanted = s.contextOf(file.checker, node)?.getCallSignatures()[0];
  return wanted !== undefined && takesPorts(file, wanted);
}

/** Runs a function that serves calls: when it returns, its call is over. */
function* serve(run: Run, given: Value, site: Site): Steps<void> {
  const func = given instanceof Native ? given.target : given;
  if (!(func instanceof Func)) return;
  run.ran.add(func.node);
  const once = () => serveOnce(run, { given, func, site });
  yield* once();
  if (!seesState(func)) return;
  run.services.push(once);
  // The second call of a service comes to what the first has left.
  if (run.choose(2) === 1) yield* once();
}

/** Whether a function looks at what may change from call to call: anything but other functions. */
function seesState({ node, scope }: Func): boolean {
  const imports = node.getSourceFile().statements.filter(ts.isImportDeclaration);
  return /\bthis\b/.test(node.getText()) || [...namesIn(node)].some((name) => {
    const known = scope.find(name);
    return known ? !(known.value instanceof Func) : imports.some((one) => namesIn(one).has(name));
  });
}

/** Lets a server of the program answer calls, which come to what the program has done since. */
export function* serveCalls(run: Run, isAll: boolean): Steps<void> {
  for (const once of run.services) if (run.choose(2) === 1) yield* once();
  if (isAll) run.servedStep = run.stepCount;
}

function* serveOnce(
  run: Run,
  { given, func, site }: { readonly given: Value; readonly func: Func; readonly site: Site },
): Steps<void> {
  const count = run.linear.length;
  const args = yield* inputsOf(run, func, { site, isOwned: true });
  const own = args.filter((one) => one instanceof Port);
  let isRefused = false;
  try {
    const result = yield* run.interpreter.call(given, args, { ...site, isInner: true });
    if (result instanceof Future) {
      run.tasks.push({ isTimer: false, fire() {}, holds: [result], timesLeft: 1 });
    }
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    isRefused = true;
  }
  const seen = reachable(run, [site.scope]);
  for (const one of run.linear.slice(count)) {
    if (!(one instanceof Port) || one.end) continue;
    if (isRefused && isOfHandler(own, one)) one.isOwned = false;
    else if (seen.has(one) && one.isOwned && isOfHandler(own, one)) {
      blame(run, { rule: "use-after-move", subject: one, isKept: "call" }, {
        node: one.keptAt ?? one.name ?? one.madeAt,
        scope: site.scope,
      });
    }
  }
}

/** Whether a port comes from the one that a handler was given. */
export function isOfHandler(own: readonly Value[], port: Port): boolean {
  for (let one: Port | undefined = port; one; one = one.from) if (own.includes(one)) return true;
  return false;
}
