import { surprise } from "../foreign/foreign.ts";
import { linear, promised } from "../path/making.ts";
import { consume, touch } from "../path/misuse.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Func, Look, plain, Port, type Value } from "../path/value.ts";
import { dispose } from "../statement/block.ts";
import type { Methods } from "./methods.ts";

/** The port that an operation gives for the one that it took. */
function next(run: Run, port: Port, site: Site): Port {
  const made = linear(run, new Port(site.node, true), site);
  made.from = port;
  return made;
}

/** Runs the work on a packet that an operation is given. */
function* workOn(run: Run, work: Value, site: Site): Steps<void> {
  if (work === undefined) return;
  yield* run.interpreter.call(work, [plain()], { ...site, isInner: true });
  if (!(work instanceof Func)) surprise(run, site); // what a body throws it throws itself
}

/** What a promise of a reply gives. */
function* received(port: Port, work: Value, site: Site): Steps<Port> {
  const { run } = site.scope;
  if (work !== undefined) {
    yield* run.interpreter.call(work, [plain()], { ...site, isInner: true });
  }
  const made = next(run, port, site);
  made.isShared = true; // by whoever waits
  return made;
}

/** What ports can do. */
export const PORT: Methods<Port> = {
  *use(run, port, [work], site) {
    touch(run, port, site);
    const isOpen = !port.end;
    yield* workOn(run, work, site);
    if (isOpen) touch(run, port, site); // not inside of its own callback
    return undefined;
  },
  *send(run, port, [work], site) {
    consume(port, { by: "send()" }, site);
    yield* workOn(run, work, site);
    return next(run, port, site);
  },
  *recv(run, port, [work], site) {
    consume(port, { by: "recv()" }, site);
    surprise(run, site); // what nobody answers
    yield* workOn(run, work, site);
    return next(run, port, site);
  },
  // deno-lint-ignore require-yield
  *recvAsync(run, port, [work], site) {
    consume(port, { by: "recvAsync()" }, site);
    return promised(run, () => received(port, work, site), site);
  },
  // deno-lint-ignore require-yield
  *query(run, port, _, site) {
    consume(port, { by: "query()" }, site);
    const look = linear(run, new Look("either", site.node, true), site);
    look.from = port;
    return look;
  },
  // deno-lint-ignore require-yield
  *close(_run, port, _, site) {
    consume(port, { by: "close()" }, site);
    return undefined;
  },
  *"Symbol.dispose"(_run, port, _, site) {
    yield* dispose(port, site, "[Symbol.dispose]()");
    return undefined;
  },
};
