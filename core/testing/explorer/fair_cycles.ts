/** Steps between states, in the order in which the explorer takes them: those of one state together. */
export class StepList {
  /** Where the steps from each state begin; one more than there are states, when all are noted. */
  readonly firsts: number[] = [];
  /** The state that each step leads to. */
  readonly targets: number[] = [];
  /** The threads that take it, as bits: one, and those whose free steps follow. */
  readonly takers: number[] = [];
  /** The threads that could have gone on in each state, as bits. */
  readonly ready: number[] = [];

  /** Begins the steps from the next state. */
  beginState(ready: number): void {
    this.firsts.push(this.targets.length);
    this.ready.push(ready);
  }

  add(target: number, takers: number): void {
    this.targets.push(target);
    this.takers.push(takers);
  }

  /** Every state has its steps: ends the last one's. */
  finish(): void {
    this.firsts.push(this.targets.length);
  }
}

/**
 * A state from which the program can go on for ever although nobody is kept from going on: a set of
 * states that lead to each other, in which each thread takes a step or, in one of them, cannot. A
 * scheduler that lets everybody run who always can, and nothing more, allows it. Returns
 * `undefined` when there is none: then every fair run ends.
 */
export function findFairCycle(steps: StepList, threadCount: number): number | undefined {
  const { components, count } = componentsOf(steps);
  const stepped = new Int32Array(count);
  const paused = new Int32Array(count);
  const isCycle = new Uint8Array(count);
  const everybody = 2 ** threadCount - 1;
  for (let state = 0; state < steps.ready.length; state++) {
    const component = components[state]!;
    paused[component]! |= ~steps.ready[state]!;
    for (let step = steps.firsts[state]!; step < steps.firsts[state + 1]!; step++) {
      if (components[steps.targets[step]!] !== component) continue;
      isCycle[component] = 1;
      stepped[component]! |= steps.takers[step]!;
    }
  }
  const fair = isCycle.findIndex((is, component) =>
    is === 1 && ((stepped[component]! | paused[component]!) & everybody) === everybody
  );
  return fair < 0 ? undefined : components.indexOf(fair);
}

/**
 * The strongly connected components, by a number for each state. (R. Tarjan, Depth-first search and
 * linear graph algorithms, 1972; with a stack of its own, as there are millions of states.)
 */
function componentsOf({ firsts, targets }: StepList): { components: Int32Array; count: number } {
  const stateCount = firsts.length - 1;
  const [orders, lows, components] = [0, 0, 0].map(() => new Int32Array(stateCount).fill(-1));
  const nextStep = Int32Array.from(firsts);
  const open: number[] = [];
  const path: number[] = [];
  let [order, count] = [0, 0];
  const enter = (state: number) => {
    orders![state] = lows![state] = order++;
    open.push(state);
    path.push(state);
  };
  for (let root = 0; root < stateCount; root++) {
    if (orders![root] === -1) enter(root);
    while (path.length > 0) {
      const state = path.at(-1)!;
      if (nextStep[state]! < firsts[state + 1]!) {
        const target = targets[nextStep[state]!++]!;
        if (orders![target] === -1) enter(target);
        else if (components![target] === -1) {
          lows![state] = Math.min(lows![state]!, orders![target]!);
        }
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lows![parent] = Math.min(lows![parent]!, lows![state]!);
      if (lows![state] !== orders![state]) continue;
      for (let member = -1; member !== state;) components![member = open.pop()!] = count;
      count++;
    }
  }
  return { components: components!, count };
}
