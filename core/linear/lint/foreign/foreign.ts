import { isTrue } from "../path/condition.ts";
import { linear, madeOf } from "../path/making.ts";
import { consume, kept, touch } from "../path/misuse.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Abandoned, Thrown } from "../path/thrown.ts";
import { isLinear, isThing, plain, Port, Unknown, type Value } from "../path/value.ts";
import { ts } from "../program/compiler.ts";
import { handOver, letGo, serveCalls } from "./handover.ts";
import { type CallFacts, callFacts, onlyLooks } from "./signature.ts";
import { claim, EXITS, isReader, SERVING, TELLING_OFF, tellOff, THROWERS } from "./usual.ts";

/** Calls what has no body here: what becomes of ports is what its type says. */
export function* foreignCall(args: readonly Value[], site: Site, callee?: Value): Steps<Value> {
  const { run } = site.scope;
  const listenersBefore = run.listeners.size;
  const made = yield* foreignResult(run, args, site, callee);
  if (run.listeners.size > listenersBefore) run.handles.set(made, [...run.listeners].at(-1)!);
  return made;
}

function* foreignResult(
  run: Run,
  args: readonly Value[],
  site: Site,
  callee?: Value,
): Steps<Value> {
  const { node, isInner } = site;
  if (callee instanceof Unknown && callee.isPlain) {
    for (const one of args) yield* handOver(run, one, { site, name: "" });
    return plain(() => run.file.typeAt(node));
  }
  const facts = isInner ? undefined : factsOf(run, node);
  const name = facts?.name ?? "";
  if (EXITS.has(name)) throw new Abandoned(false);
  if (TELLING_OFF.test(name)) tellOff(run, args);
  if (SERVING.test(name)) yield* serveCalls(run, name.endsWith("All"));
  const handled = run.handles.get(callee);
  if (handled) run.listeners.delete(handled);
  if (!facts?.parameters) {
    claim(run, name, args);
    for (const one of args) yield* handOver(run, one, { site, name });
    if (!facts?.isSafe) surprise(run, site, name);
    const type = callee instanceof Unknown ? callee.type() : undefined;
    const [first] = type?.getCallSignatures() ?? [];
    return first ? yield* madeOf(first.getReturnType(), site, { isOwned: true }) : new Unknown();
  }
  if (facts.isMove && args[0] instanceof Port) return renamed(run, args[0], site);
  for (const [index, value] of args.entries()) {
    if (!isThing(value)) continue;
    const type = facts.parameters.typeAt(index);
    if (isLinear(value)) {
      const at = (node as ts.CallExpression).arguments?.[index] ?? node;
      giveLinear(run, value, { ...facts, type, site: { node: at, scope: site.scope } });
    } else yield* handOver(run, value, { site, name, type });
  }
  return yield* resultOf(run, facts.signature!, args, { site, name });
}

/** What is known of a call, whoever makes it. */
function factsOf(run: Run, node: ts.Node): CallFacts {
  const known = run.known.calls.get(node) ?? callFacts(run.file, node);
  run.known.calls.set(node, known);
  return known;
}

/** What a call gives whose body is not known. */
function* resultOf(
  run: Run,
  signature: ts.Signature,
  args: readonly Value[],
  { site, name }: { readonly site: Site; readonly name: string },
): Steps<Value> {
  const { checker } = run.file;
  const whole = signature.getReturnType();
  const type = ts.isOptionalChain(site.node) ? checker.getNonNullableType(whole) : whole;
  if ((type.flags & ts.TypeFlags.Never) !== 0) throw new Thrown(new Unknown(() => type), true);
  const predicate = checker.getTypePredicateOfSignature(signature);
  if (predicate?.kind === ts.TypePredicateKind.AssertsIdentifier && !predicate.type) {
    const claim = args[predicate.parameterIndex];
    if (claim instanceof Unknown) claim.truth ??= true;
    if (!isTrue(run, claim)) throw Thrown.foreign();
  }
  const isPromise = type.symbol?.name === "Promise";
  const isPlain = run.file.isOfLanguage(signature.declaration) && !isPromise;
  if (!isPromise && (!isPlain || THROWERS.test(name))) surprise(run, site, name);
  return yield* madeOf(type, site, { isOwned: !isPlain });
}

/** What code from elsewhere may do at any time, where the program would notice. */
export function surprise(run: Run, site: Site, name = ""): void {
  if (!run.isSurprised(site)) return;
  const error = Thrown.foreign();
  throw THROWERS.test(name) ? error.asOwn() : error;
}

/** The same port under another name. */
function renamed(run: Run, port: Port, site: Site): Port {
  consume(port, { by: "move()" }, site);
  const next = linear(run, new Port(site.node, port.isOwned), site);
  next.from = port;
  for (const rule of port.blamed) next.blamed.add(rule);
  return next;
}

/** Gives a port to a function of which only the type is known. */
function giveLinear(
  run: Run,
  value: Value,
  { type, takes, isGuard, isAnswering, name, site }: {
    readonly type: ts.Type | undefined;
    readonly takes: boolean;
    readonly isGuard: boolean;
    /** Whether it tells by a boolean whether it has taken it. */
    readonly isAnswering: boolean;
    readonly name: string;
    readonly site: Site;
  },
): void {
  if (!(value instanceof Port)) return letGo(run, value);
  if (run.file.reader.kindOf(type) === "port") {
    if (isGuard) return touch(run, value, site);
    if (takes && (!isAnswering || value.end)) return consume(value, { by: `${name}()` }, site);
    touch(run, value, site);
    return letGo(run, value);
  }
  if (type && onlyLooks(type)) return touch(run, value, site);
  if (isReader(name)) return;
  touch(run, value, site);
  kept(value, site.node);
  letGo(run, value);
}
