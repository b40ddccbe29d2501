import { testMarked } from "../testdata/marked_source.ts";

testMarked("loan", {
  "a list keeps what it gives": `
    const calls: PartialPort<true>[] = [];
    const first = calls.at(0), second = calls[1], third = calls.find((one) => one.index === 3);`,
  "a function that gives what a list or a field has": `
    class Table {
      readonly #rows = new Map<number, PartialPort<true>>();
      last?: PartialPort<true>;
      row(id: number) { const row = this.#rows.get(id); return row; }
      latest() { return this.last; }
      made() { return client.open(1); }
    }
    const table = new Table();
    const row = table.row(1), latest = table.latest();
    const made = table.made(); //! unconsumed-port`,
  "a generator gives for good what it yields": `
    function* ports() { yield client.open(1); }
    for (const port of ports()) port.use(work); //! unconsumed-port
    for (const port of [client.open(1)]) port.use(work);`,
  "the parts of what a function makes are its caller's": `
    const pair = () => ({ left: client.open(1), right: client.open(2) });
    const guarded = () => { const port = client.open(1); return { port, stop: () => port.close() }; };
    const { left, right } = pair(); //! unconsumed-port
    left.close();
    const { port, stop } = guarded();
    stop();`,
  "a variable from outside goes on holding what a function returns of it": `
    let kept: PartialPort<true> | undefined;
    function get() { kept ??= client.open(1); return kept; }
    const port = get();
    port.use(fill);
    kept?.close();`,
  "what reduce hands on is for the next round": `
    [1, 2].reduce((port, n) => port.send().recv(), client.open(0)).close();
    [1, 2].reduce((port, n) => client.open(n), client.open(0)).close(); //! unconsumed-port`,
  "a promise hands on": `
    client.openAsync(1).then((port) => port.use(work)); //! unconsumed-port
    const port = await client.openAsync(1); //! unconsumed-port`,
});

testMarked("context", {
  "a function where one is wanted that serves calls may refuse one": `
    const table: Record<string, TypedHandler> = {
      sum: (port) => { if (bad) throw new RangeError("bad"); port.send(work).close(); },
      keep: (port) => { if (bad) return; port.send(work).close(); }, //! unconsumed-port
    };`,
  "where no result is wanted it is lost": `
    const start: () => void = () => client.open(1); //! unconsumed-port
    const make: () => PartialPort<true> = () => client.open(1);`,
});
