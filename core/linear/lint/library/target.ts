import type { Run, Site, Steps } from "../path/run.ts";
import { Item, Native, Unknown, type Value } from "../path/value.ts";
import { dealtWith } from "./timer.ts";

/** A function that an event calls. */
interface Heard {
  readonly name: Value;
  readonly work: Value;
  readonly isOnce: boolean;
  /** What tells it off. */
  readonly signal: Value;
}

/** `EventTarget` as a name. */
export const TARGET = new Native(
  // deno-lint-ignore require-yield
  function* () {
    return newTarget();
  },
);

/** `new EventTarget()`, or an object whose class extends it. */
export function newTarget(item: Item = new Item()): Item {
  const heard: Heard[] = [];
  const method = (name: string, run: Native["run"]) =>
    item.parts.set(name, new Native(run, [item]));
  // deno-lint-ignore require-yield
  method("addEventListener", function* (run, [name, work, options], site) {
    const parts = options instanceof Item ? options.parts : new Map<string, Value>();
    heard.push({ name, work, isOnce: parts.get("once") === true, signal: parts.get("signal") });
    item.parts.set(`on ${heard.length}`, work); // so that it can be reached
    dealtWith(run, work);
    const fire = () => void run.start(tell(run, heard, name, { site }));
    run.listeners.add({ work, target: item, fire });
    return undefined;
  });
  // deno-lint-ignore require-yield
  method("removeEventListener", function* (run, [name, work]) {
    const index = heard.findIndex((one) => one.name === name && one.work === work);
    if (index >= 0) heard.splice(index, 1);
    for (const one of run.listeners) if (one.work === work) run.listeners.delete(one);
    return undefined;
  });
  method("dispatchEvent", function* (run, [event], site) {
    const name = event instanceof Item ? event.parts.get("type") : event;
    yield* tell(run, heard, name, { site, event });
    return true;
  });
  return item;
}

/** Calls all that listen for an event. */
function* tell(
  run: Run,
  heard: Heard[],
  name: Value,
  { site, event = new Unknown() }: { readonly site: Site; readonly event?: Value },
): Steps<Value> {
  for (const one of [...heard]) {
    const isOther = typeof one.name === "string" && typeof name === "string" && one.name !== name;
    const isOff = one.signal instanceof Item && one.signal.parts.get("aborted") === true;
    if (isOther || isOff || !heard.includes(one)) continue;
    if (one.isOnce) heard.splice(heard.indexOf(one), 1);
    yield* run.interpreter.call(one.work, [event], { ...site, isInner: true });
  }
  return undefined;
}

/** `new Event(name, options)`, which says no more than its name. */
export function newEvent([name, options]: readonly Value[]): Item {
  const event = new Item(undefined, () => undefined);
  event.parts.set("type", name);
  if (options instanceof Item) event.parts.set("detail", options.parts.get("detail"));
  return event;
}

/** `new AbortController()`. */
export function newController(): Item {
  const signal = newTarget(new Item(undefined, () => undefined));
  signal.parts.set("aborted", false);
  const controller = new Item();
  controller.parts.set("signal", signal);
  controller.parts.set(
    "abort",
    new Native(function* (run, _, site) {
      if (signal.parts.get("aborted") === true) return undefined;
      signal.parts.set("aborted", true);
      const dispatch = signal.parts.get("dispatchEvent");
      return yield* run.interpreter.call(dispatch, [newEvent(["abort"])], {
        ...site,
        isInner: true,
      });
    }, [signal]),
  );
  return controller;
}
