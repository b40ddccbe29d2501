import { testMarked } from "../testdata/marked_source.ts";

testMarked("list", {
  "what goes through a list consumes what was put there": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)];
    const all: PartialPort<true>[] = [];
    all.push(a);
    if (ready) a.close();
    for (const one of all) one.close(); //! double-move
    const pair = [b, c];
    for (const one of pair) one.use(fill);
    pair.forEach((one) => { const sent = one.send(); sent.close(); });
    b.close(); //! double-move
    while (ready) {
      all.push(client.open(6));
      for (const one of all) one.close(); //! double-move
    }
    for (const one of [client.open(5)]) one.use(fill); //! unconsumed-port`,
  "a list that functions share": `
    function openAll() {
      const all: PartialPort<true>[] = [];
      for (let opcode = 0; opcode < 3; opcode++) all.push(client.open(opcode));
      return all;
    }
    const kept: PartialPort<true>[] = [];
    function openMore() { kept.push(client.open(1)); return kept; }
    for (const one of openAll()) one.use(fill); //! unconsumed-port
    for (const one of openMore()) one.close();
    for (const one of kept) one.close(); //! double-move`,
  "each element by its number": `
    const pair = [client.open(1), client.open(2)] as const; //! unconsumed-port
    pair[0].close();
    const ports = [client.open(3), client.open(4), client.open(5)];
    ports.at(-1)?.close();
    ports[ports.length - 1].close(); //! double-move
    for (const [index, port] of ports.entries()) if (index < 2) port.close();
    for (const index of ports.keys()) ports[index].close(); //! double-move
    const none: PartialPort<true>[] = [];
    [ports[0]!, client.open(8)].reverse()[0]!.close();
    const first = none.at(0), second = none[1], third = none.find((one) => one.index === 3);`,
  "what is taken out is there no more": `
    const ports = [1, 2, 3, 4, 5].map((opcode) => client.open(opcode));
    ports.pop()?.close();
    ports.shift()?.close();
    for (const one of ports.splice(0, 1)) one.close();
    ports.unshift(client.open(6));
    for (const one of ports) one.close();
    const lost = [client.open(7), client.open(8)]; //! unconsumed-port unconsumed-port
    lost.pop();
    lost.length = 0;
    lost.push(client.open(9)); //! unconsumed-port
    lost.fill(client.open(10));
    lost[0]?.close();`,
  "copies hold the same ports": `
    const a = client.open(1), b = client.open(2), ends = [client.open(5)]; //! unconsumed-port
    const ports = [a].concat([b], client.open(7));
    for (const one of ports.slice(0, 1)) one.close();
    for (const one of ports.toReversed().toSpliced(2, 1)) one.close();
    for (const one of [a, b]) one.close(); //! double-move
    const lists = [[client.open(3)], [client.open(4)]];
    for (const one of lists.flat()) one.close();
    for (const one of lists.flatMap((list) => list)) one.close(); //! double-move
    for (const one of ends.with(0, client.open(6))) one.close();`,
  "what is asked of each": `
    const ports = [1, 2].map((opcode) => client.open(opcode));
    if (ports.every((one) => one.index > 0)) log();
    ports.find((one) => one.index === 1)?.use(fill);
    if (ports.some((one) => { one.close(); return false; })) log();
    ports.findLast(() => true)?.close(); //! double-move
    const a = client.open(3), b = client.open(4), c = client.open(5), list = [a, b]; //! unconsumed-port
    if (list.includes(a)) a.close();
    if (list.findIndex((one) => one === b) === 0) b.close();
    if ([c].indexOf(c) === 0) c.close();`,
  "what is kept of each, and what not": `
    const maybes = [client.tryOpen(1), client.tryOpen(2)];
    for (const one of maybes.filter((one) => one.present)) one.value.close();
    const ports = [client.open(1)];
    ports.map((port) => port.send()); //! unconsumed-port
    ports.forEach((port) => port.send()); //! double-move unconsumed-port`,
  "what reduce hands on is for the next round": `
    [1, 2].reduce((port, n) => port.send().recv(), client.open(0)).close();
    [1, 2].reduce((port, n) => client.open(n), client.open(0)).close(); //! unconsumed-port`,
  "what jobs in a list hold": `
    using port = client.open(2);
    const list = [port]; //! use-after-move
    [() => list.forEach((one) => one.use(fill))].forEach((job) => job());
    setTimeout(() => list.forEach((one) => one.close()));`,
  "a list from elsewhere has some": `
    export function f(ports: PartialPort<true>[], others: PartialPort<true>[]) {
      const last = ports.pop();
      last?.close();
      last?.close(); //! double-move
      others.shift()?.close();
      for (const one of others) one.close();
    }`,
  "a list that others have had": `
    const drained = [client.open(1)], perhaps: PartialPort<true>[] = [];
    drain(drained);
    for (const one of drained) one.close();
    if (ready) perhaps.push(client.open(2));
    for (const one of perhaps) one.close();`,
  "a number that nobody knows says which elements it means": `
    export class Backlog {
      #ports: OwnedPort<0>[] = [];
      constructor(readonly lengthMax: number) {}
      add(port: OwnedPort<0>) { //! unconsumed-port
        this.#ports.push(port);
        const excess = this.#ports.length - this.lengthMax;
        if (excess > 0) this.#ports = this.#ports.slice(excess);
      }
      end() { for (const port of this.#ports.splice(0)) port.close(); }
    }
    export function halves(count: number) {
      const ports = [client.open(1), client.open(2)];
      for (const port of ports.slice(0, count)) port.close();
      for (const port of ports.slice(count)) port.send().close();
    }
    export function both(count: number) {
      const ports = [client.open(1), client.open(2)];
      for (const port of ports.slice(0, count)) port.close();
      ports.at(-1)!.close(); //! double-move
      ports.at(-2)!.close(); //! double-move
      ports.at(-9)?.close();
    }`,
});
