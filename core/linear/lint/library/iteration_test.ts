import { testMarked } from "../testdata/marked_source.ts";

testMarked("iteration", {
  "what a generator yields is for good whose loop it is": `
    function* open() { yield client.open(1); const port = client.open(2); yield port; }
    for (const port of open()) port.close();
    for (const port of open()) { port.close(); break; }
    for (const port of open()) { //! unconsumed-port
      if (port.index === 1) continue;
      port.close();
    }
    [...open()].forEach((one) => one.close());`,
  "objects that can be gone through": `
    const ports = { *[Symbol.iterator]() { yield client.open(1); } };
    for (const one of ports) one.use(fill); //! unconsumed-port
    class Ports {
      [Symbol.iterator]() {
        let count = 0;
        return { next: () => count++ > 1 ? { done: true } : { done: false, value: client.open(count) } };
      }
    }
    for (const port of new Ports()) port.close();
    for (const port of new Ports()) port.use(fill); //! unconsumed-port`,
  "a loop that is left ends its iterator": `
    const [a, b] = [client.open(1), client.open(2)];
    const steps = {
      [Symbol.iterator]() { return this; },
      next() { return { done: false, value: 1 }; },
      return() { a.close(); return { done: true, value: undefined }; },
    };
    function* each() { try { yield 1; yield 2; } finally { b.close(); } }
    for (const step of steps) break;
    for (const step of each()) if (ready) break;
    for (const one of [a, b]) one.close(); //! double-move`,
  "sets, maps and texts": `
    for (const one of new Set([client.open(1)])) one.use(fill); //! unconsumed-port
    for (const [, one] of new Map([["b", client.open(2)]])) one.use(fill); //! unconsumed-port
    for (const letter of "ab") client.open(3); //! unconsumed-port`,
  "a list as it is, also while it changes": `
    const list = [client.open(1)];
    let count = 0;
    for (const one of list) { one.close(); if (count++ < 2) list.push(client.open(2)); }
    for (const one of list) one.close(); //! double-move`,
  "one that waits": `
    async function* open() { await pause(); yield await client.openAsync(1); }
    for await (const port of open()) port.close();
    for await (const port of open()) port.use(fill); //! unconsumed-port
    let count = 0;
    const steps = {
      async next() { return count++ > 0 ? { done: true } : { done: false, value: client.open(3) }; },
    };
    for await (const port of { [Symbol.asyncIterator]: () => steps }) port.use(fill); //! unconsumed-port
    for await (const port of [client.openAsync(2)]) port.use(fill); //! unconsumed-port`,
  "of what nobody knows there are none, one or two": `
    declare const ports: Iterable<PartialPort<true>>;
    declare function made(): Generator<PartialPort<true>>;
    for (const port of ports) port.use(fill);
    for (const port of made()) port.use(fill); //! unconsumed-port
    const port = client.open(1); //! unconsumed-port
    for (const one of elsewhere) port.close(); //! double-move`,
  "what nobody can go through ends the path": `
    const port = client.open(1);
    for (const one of 5) log();`,
});
