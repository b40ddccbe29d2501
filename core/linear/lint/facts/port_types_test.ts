import { testMarked } from "../testdata/marked_source.ts";

testMarked("port_types", {
  "a port that foreign code gives is ours": `
    declare function make(): PartialPort<true>;
    declare function find(): PartialPort<true> | undefined;
    declare function makeAsync(): Promise<PartialPort<true>>;
    declare function makeAll(): PartialPort<true>[];
    declare function look(): Maybe<PartialPort<true>>;
    make(); //! unconsumed-port
    make().close();
    const port = make(); //! unconsumed-port
    look(); //! unconsumed-port`,
  "a port that may be missing is there on one path": `
    declare function make(): PartialPort<true>;
    declare function find(): PartialPort<true> | undefined;
    declare function makeAsync(): Promise<PartialPort<true>>;
    declare function makeAll(): PartialPort<true>[];
    declare function look(): Maybe<PartialPort<true>>;
    find()?.close();
    const port = find(); //! unconsumed-port
    if (!port) work();
    const [other, third] = [find(), client.open(1)]; //! unconsumed-port
    if (other) { other.close(); third.close(); }`,
  "a promise may fail where somebody would notice": `
    declare function make(): PartialPort<true>;
    declare function find(): PartialPort<true> | undefined;
    declare function makeAsync(): Promise<PartialPort<true>>;
    declare function makeAll(): PartialPort<true>[];
    declare function look(): Maybe<PartialPort<true>>;
    const port = make(); //! unconsumed-port
    try {
      const other = await makeAsync();
      other.close();
      port.close();
    } catch { work(); }`,
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
