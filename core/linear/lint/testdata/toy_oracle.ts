import {
  addAll,
  type Ends,
  failing,
  get,
  joined,
  type Memories,
  type Memory,
  noEnds,
  set,
  sizeOf,
  WAYS,
} from "./toy_ends.ts";
import type { Toy, ToyName, ToyProgram } from "./toy_program.ts";

/**
 * Runs a toy program on all its paths at once, with every memory apart: the truth that the rules
 * are compared with. Memories are few, so that loops and recursion come to an end by themselves.
 */
export class ToyOracle {
  /** What breaks a rule on some path: the statement and the rule. */
  readonly faults = new Map<Toy, Set<string>>();
  /** Whether some path loses a port. */
  hasLeak = false;
  readonly #program: ToyProgram;
  /** What calls were found to do so far: grows until nothing new comes. */
  readonly #known = new Map<string, Ends>();
  #hasGrown = false;
  /** How many helpers and `finally` blocks are around, and how many around the block of `r`. */
  #level = 0;
  #scopeLevel = 0;
  #isUsing = false;

  constructor(program: ToyProgram) {
    this.#program = program;
    do {
      this.#hasGrown = false;
      const ends = this.#all(program.main, new Set(["l--"]));
      for (const way of ["next", "return", "thrown"] as const) {
        for (const memory of ends[way]) this.#leave(memory, ["p", "q"]);
      }
      for (const helper of program.helpers.keys()) this.#helper(helper, "ee-"); // by anybody
    } while (this.#hasGrown);
  }

  #all(body: readonly Toy[], before: Memories): Ends {
    const ends = noEnds();
    let here = before;
    for (const toy of body) {
      const after = this.#one(toy, here);
      for (const way of WAYS) if (way !== "next") addAll(ends[way], after[way]);
      here = after.next;
    }
    addAll(ends.next, here);
    return ends;
  }

  #one(toy: Toy, before: Memories): Ends {
    if (before.size === 0) return noEnds();
    switch (toy.act) {
      case "break":
      case "continue":
      case "return":
        return { ...noEnds(), [toy.act]: new Set(before) };
      case "throw":
        return { ...noEnds(), thrown: new Set(before), failed: new Set(before) };
      case "if":
        return joined([this.#all(toy.yes, before), this.#all(toy.no, before), failing(before)]);
      case "loop":
        return this.#loop(toy, before);
      case "scope":
        return this.#scope(toy, before);
      case "switch":
        return this.#switch(toy, before);
      case "try":
        return this.#try(toy, before);
      case "call":
        return this.#call(toy, before);
      default:
        return this.#simple(toy, before);
    }
  }

  #simple(
    toy: Extract<Toy, { readonly name: ToyName }>,
    before: Memories,
  ): Ends {
    const ends = noEnds();
    for (const memory of before) {
      const here = get(memory, toy.name);
      const moved = here === "-" ? memory : set(memory, toy.name, "m");
      switch (toy.act) {
        case "use":
          if (here === "m") this.#fault(toy, "use-after-move");
          ends.next.add(memory);
          ends.failed.add(memory);
          break;
        case "close":
          if (here === "m") this.#fault(toy, "double-move");
          ends.next.add(moved);
          break;
        case "dispose":
          ends.next.add(moved);
          ends.failed.add(moved);
          break;
        case "exchange":
          if (here === "m") this.#fault(toy, "double-move");
          ends.failed.add(moved);
          ends.next.add(set(memory, toy.name, "l"));
          break;
        case "give":
          this.#give(toy, memory, ends);
          break;
        default:
          if (here === "l") this.hasLeak = true;
          if (toy.act === "open") ends.failed.add(memory);
          ends.next.add(set(memory, toy.name, toy.act === "open" ? "l" : "-"));
      }
    }
    return ends;
  }

  #give(toy: Extract<Toy, { readonly act: "give" }>, memory: Memory, ends: Ends): void {
    const given = get(memory, toy.from);
    if (given === "m") this.#fault(toy, "double-move");
    if (toy.from === "r" && this.#isUsing) this.#fault(toy, "use-after-move"); // `using` closes it
    const after = given === "-" ? memory : set(memory, toy.from, "m");
    if (get(after, toy.name) === "l") this.hasLeak = true;
    // Whether a name from outside is somebody else's, too, is known to the caller only.
    const isOuter = toy.from === "r" ? this.#scopeLevel < this.#level : this.#level > 0;
    const here = isOuter || given === "e" ? "e" : "l";
    ends.next.add(set(after, toy.name, given === "-" && !isOuter ? "-" : here));
  }

  #loop({ body, isEndless }: Extract<Toy, { readonly act: "loop" }>, before: Memories): Ends {
    const ends = noEnds();
    const rounds = new Set(before);
    for (let size = -1; size !== rounds.size;) {
      size = rounds.size;
      const after = this.#all(body, rounds);
      for (const way of ["return", "thrown", "failed"] as const) addAll(ends[way], after[way]);
      addAll(ends.next, after.break);
      addAll(rounds, after.next);
      addAll(rounds, after.continue);
    }
    if (!isEndless) {
      addAll(ends.next, rounds);
      addAll(ends.failed, rounds);
    }
    return ends;
  }

  /** Every case may be the first, and goes on into the next one. */
  #switch({ cases }: Extract<Toy, { readonly act: "switch" }>, before: Memories): Ends {
    const ends = joined([failing(before)]);
    let here = new Set<Memory>();
    for (const body of cases) {
      const after = this.#all(body, here.union(before));
      for (const way of WAYS) if (way !== "next" && way !== "break") addAll(ends[way], after[way]);
      addAll(ends.next, after.break);
      here = after.next;
    }
    addAll(ends.next, here);
    return ends;
  }

  #scope({ body, isUsing }: Extract<Toy, { readonly act: "scope" }>, before: Memories): Ends {
    const inside = new Set([...before].map((memory) => set(memory, "r", "l")));
    const [level, isAround] = [this.#scopeLevel, this.#isUsing];
    [this.#scopeLevel, this.#isUsing] = [this.#level, isUsing];
    const ends = this.#all(body, inside);
    [this.#scopeLevel, this.#isUsing] = [level, isAround];
    const left = joined([failing(before)]);
    for (const way of WAYS) {
      for (const memory of ends[way]) {
        if (way !== "failed" && !isUsing) this.#leave(memory, ["r"]);
        left[way].add(set(memory, "r", "-"));
      }
    }
    return left;
  }

  #try(toy: Extract<Toy, { readonly act: "try" }>, before: Memories): Ends {
    let ends = this.#all(toy.body, before);
    if (toy.handler) {
      const caught = new Set([...ends.thrown, ...ends.failed]);
      const handled = this.#all(toy.handler, caught);
      ends = joined([{ ...ends, thrown: new Set(), failed: new Set() }, handled]);
    }
    if (!toy.finalizer) return ends;
    const after = noEnds();
    this.#level++;
    for (const way of WAYS) {
      const passed = this.#all(toy.finalizer, ends[way]);
      addAll(after[way], passed.next);
      for (const other of WAYS) if (other !== "next") addAll(after[other], passed[other]);
    }
    this.#level--;
    return after;
  }

  #call({ helper }: Extract<Toy, { readonly act: "call" }>, before: Memories): Ends {
    const ends = noEnds();
    for (const memory of before) {
      const r = get(memory, "r");
      const known = this.#helper(helper, set(memory, "r", "-"));
      for (const way of ["next", "return"] as const) {
        for (const after of known[way]) ends.next.add(set(after, "r", r));
      }
      for (const way of ["thrown", "failed"] as const) {
        for (const after of known[way]) ends.failed.add(set(after, "r", r));
      }
    }
    addAll(ends.failed, ends.next); // the call itself may throw, for all that anybody knows
    return ends;
  }

  #helper(helper: number, memory: Memory): Ends {
    const key = `${helper}${memory}`;
    const known = this.#known.get(key);
    if (known && this.#running.has(key)) return known;
    this.#known.set(key, known ?? noEnds());
    this.#running.add(key);
    this.#level++;
    const found = this.#all(this.#program.helpers[helper]!, new Set([memory]));
    this.#level--;
    this.#running.delete(key);
    const all = joined([found, this.#known.get(key)!]);
    if (sizeOf(all) > sizeOf(this.#known.get(key)!)) this.#hasGrown = true;
    this.#known.set(key, all);
    return all;
  }

  readonly #running = new Set<string>();

  #leave(memory: Memory, names: readonly ToyName[]): void {
    if (names.some((name) => get(memory, name) === "l")) this.hasLeak = true;
  }

  #fault(toy: Toy, rule: string): void {
    const known = this.faults.get(toy) ?? new Set();
    this.faults.set(toy, known.add(rule));
  }
}
