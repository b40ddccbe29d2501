import { awaited } from "../expression/awaiting.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Thrown } from "../path/thrown.ts";
import { Future, Item, List, Native, Unknown, type Value } from "../path/value.ts";
import { allOf } from "./iteration.ts";
import type { Methods } from "./methods.ts";

/** Goes on when a promise is settled. */
function after(
  run: Run,
  future: Future,
  work: (value: Value, error: Thrown | undefined) => Steps<Value>,
): Future {
  const made = new Future();
  made.sources = [future];
  run.onSettled(future, () => {
    const inner = run.start(work(future.value, future.error));
    run.fulfil(made, inner);
  });
  return made;
}

/** Somebody sees to the rejection of a promise, and of those that it waits for. */
function guard(future: Future): void {
  if (future.isGuarded) return;
  future.isGuarded = true;
  for (const one of future.sources) guard(one);
}

/** Whether something can be called, as far as anybody knows. */
function isGiven(value: Value): boolean {
  return value !== undefined && value !== null;
}

function* handled(run: Run, work: Value, value: Value, site: Site): Steps<Value> {
  return yield* run.interpreter.call(work, [value], { ...site, isInner: true });
}

/** What promises can do. */
export const FUTURE: Methods<Future> = {
  // deno-lint-ignore require-yield
  *then(run, future, [done, failed], site) {
    if (isGiven(failed)) guard(future);
    return after(run, future, function* (value, error) {
      if (!error) return isGiven(done) ? yield* handled(run, done, value, site) : value;
      if (!isGiven(failed)) throw error;
      return yield* handled(run, failed, error.value, site);
    });
  },
  // deno-lint-ignore require-yield
  *catch(run, future, [failed], site) {
    guard(future);
    return after(run, future, function* (value, error) {
      if (!error || !isGiven(failed)) {
        if (error) throw error;
        return value;
      }
      return yield* handled(run, failed, error.value, site);
    });
  },
  // deno-lint-ignore require-yield
  *finally(run, future, [work], site) {
    return after(run, future, function* (value, error) {
      if (isGiven(work)) {
        const result = yield* run.interpreter.call(work, [], { ...site, isInner: true });
        if (result instanceof Future) yield* awaited(run, result, site);
      }
      if (error) throw error;
      return value;
    });
  },
};

/** The promise of a value, whatever it is. */
function futureOf(run: Run, value: Value): Future {
  if (value instanceof Future) return value;
  const future = new Future();
  run.fulfil(future, value instanceof Unknown ? new Unknown() : value);
  return future;
}

/** Waits for several promises, in the order of the text. */
function* settledAll(
  run: Run,
  values: Value,
  site: Site,
): Steps<Future[]> {
  const futures = (yield* allOf(values, site)).map((one) => futureOf(run, one));
  return futures;
}

/** `Promise.all` and the others. */
export const PROMISE: Methods<undefined> = {
  *all(run, _, [values], site) {
    const futures = yield* settledAll(run, values, site);
    const whole = run.start((function* () {
      const all: Value[] = [];
      const made = new List(all);
      for (const one of futures) all.push(yield { awaited: one });
      return made;
    })());
    whole.sources = futures;
    return whole;
  },
  *allSettled(run, _, [values], site) {
    const futures = yield* settledAll(run, values, site);
    for (const one of futures) guard(one);
    return run.start((function* () {
      const results: Value[] = [];
      for (const one of futures) {
        const item = new Item();
        try {
          item.parts.set("value", yield { awaited: one });
          item.parts.set("status", "fulfilled");
        } catch (error) {
          if (!(error instanceof Thrown)) throw error;
          item.parts.set("status", "rejected");
          item.parts.set("reason", error.value);
        }
        results.push(item);
      }
      return new List(results);
    })());
  },
  *race(run, _, [values], site) {
    const futures = yield* settledAll(run, values, site);
    const first = new Future();
    first.sources = futures;
    for (const one of futures) {
      run.onSettled(one, () => {
        if (one.error) run.reject(first, one.error);
        else run.fulfil(first, one.value);
      });
    }
    return first;
  },
  *any(run, _, [values], site) {
    const futures = yield* settledAll(run, values, site);
    const first = new Future();
    first.sources = futures;
    let leftCount = futures.length;
    for (const one of futures) {
      run.onSettled(one, () => {
        if (!one.error) run.fulfil(first, one.value);
        else if (--leftCount === 0) run.reject(first, one.error);
      });
    }
    return first;
  },
  // deno-lint-ignore require-yield
  *resolve(run, _, [value]) {
    return futureOf(run, value);
  },
  // deno-lint-ignore require-yield
  *reject(run, _, [value]) {
    const future = new Future();
    run.reject(future, new Thrown(value, false));
    return future;
  },
  // deno-lint-ignore require-yield
  *try(run, _, [work, ...args], site) {
    return run.start(run.interpreter.call(work, args, { ...site, isInner: true }));
  },
  // deno-lint-ignore require-yield
  *withResolvers(run) {
    const { promise, resolve, reject } = resolvers(run);
    const item = new Item();
    item.parts.set("promise", promise).set("resolve", resolve).set("reject", reject);
    return item;
  },
};

function resolvers(run: Run) {
  const promise = new Future();
  const resolve = new Native(
    // deno-lint-ignore require-yield
    function* (_, [value]) {
      run.fulfil(promise, value);
      return undefined;
    },
    [promise],
  );
  const reject = new Native(
    // deno-lint-ignore require-yield
    function* (_, [value]) {
      run.reject(promise, new Thrown(value, false));
      return undefined;
    },
    [promise],
  );
  return { promise, resolve, reject };
}

/** `new Promise((resolve, reject) => ...)`. */
export function* newFuture(run: Run, work: Value, site: Site): Steps<Value> {
  const { promise, resolve, reject } = resolvers(run);
  try {
    yield* run.interpreter.call(work, [resolve, reject], { ...site, isInner: true });
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    run.reject(promise, error);
  }
  return promise;
}
