import { testMarked } from "../testdata/marked_source.ts";

testMarked("port_types", {
  "a port that foreign code gives is ours, also where it may be missing, or its promise fail": `
    declare function make(): PartialPort<true>;
    declare function find(): PartialPort<true> | undefined;
    declare function makeAsync(): Promise<PartialPort<true>>;
    declare function look(): Maybe<PartialPort<true>>;
    make(); //! unconsumed-port
    make().close();
    const port = make(); //! unconsumed-port
    look(); //! unconsumed-port
    find()?.close();
    const found = find(); //! unconsumed-port
    if (!found) work();
    const [second, third] = [find(), client.open(1)]; //! unconsumed-port
    if (second) { second.close(); third.close(); }
    const fourth = make(); //! unconsumed-port
    try { (await makeAsync()).close(); fourth.close(); } catch { work(); }`,
  "a map, a set and a tuple of unknown content": `
    export function f(
      map: ReadonlyMap<string, PartialPort<true>>,
      set: ReadonlySet<PartialPort<true>>,
      [first]: [PartialPort<true>],
    ) {
      for (const [, one] of map) { one.close(); one.use(fill); } //! use-after-move
      for (const one of set) { one.close(); one.use(fill); } //! use-after-move
      first.close();
      first.use(fill); //! use-after-move
    }`,
  "a generator of somebody else has what it is given": `
    export function drive(task: Generator<SentPort<0>, void, PartialPort<boolean>>) {
      let step = task.next();
      while (!step.done) step = task.next(step.value.recv());
    }`,
});
