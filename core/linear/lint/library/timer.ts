import { Run, type Site, type Steps, type Task } from "../path/run.ts";
import { Func, Native, Unknown, type Value } from "../path/value.ts";

/** A function that runs what it is given later: once, or twice for as often as it likes. */
export function scheduler(timesMax: number): Native {
  // deno-lint-ignore require-yield
  return new Native(function* (run, [work, ...args], site) {
    const handle = new Unknown();
    dealtWith(run, work);
    if (timesMax > 1) run.intervals.add(work);
    const delay = typeof args[0] === "number" ? args[0] : 0;
    const task: Task = {
      isTimer: true,
      dueAt: run.clock + delay,
      period: Math.max(delay, 1),
      fire: () => void run.start(runLater(run, work, args.slice(1), site)),
      holds: [work, ...args],
      timesLeft: timesMax,
    };
    run.tasks.push(task);
    run.timers.set(handle, task);
    return handle;
  });
}

/** Notes that it is settled when a function runs. */
export function dealtWith(run: Run, work: Value): void {
  if (work instanceof Func) run.ran.add(work.node);
}

function* runLater(run: Run, work: Value, args: readonly Value[], site: Site): Steps<Value> {
  return yield* run.interpreter.call(work, args, { ...site, isInner: true });
}

/** `clearTimeout` and `clearInterval`. */
export const CLEAR = new Native(
  // deno-lint-ignore require-yield
  function* (run: Run, [handle]) {
    const task = run.timers.get(handle);
    if (task && run.tasks.includes(task)) run.tasks.splice(run.tasks.indexOf(task), 1);
    if (task) run.intervals.delete(task.holds[0]);
    return undefined;
  },
);
