import { testMarked } from "../testdata/marked_source.ts";

testMarked("lists", {
  "who counts ports, or asks for their names, has not consumed them": `
    const count = [1, 2].map((opcode) => client.open(opcode)).length; //! unconsumed-port
    const named = new Map([["a", client.open(1)]]); //! unconsumed-port
    const names = [...named.keys()];
    const port = client.open(3), all = [port];
    work(all.filter((one) => one.index > count).length, names);
    for (const one of all) one.close();`,
  "one that is known is taken out, and all are put into groups": `
    export function end(ports: PartialPort<true>[], port: PartialPort<true>) {
      const index = ports.indexOf(port);
      if (index >= 0) ports.splice(index, 1);
      port.close();
      if (ports.length > 3) ports.shift(); //! unconsumed-port
      return Object.groupBy(ports, (one) => one.index % 2 ? "odd" : "even");
    }`,
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
  "pairs have keys of their own": `
    export function f(names: readonly string[]) {
      const ports = new Map(names.map((name) => [name, client.open(1)] as const));
      for (const port of ports.values()) port.close();
      for (const port of ports.values()) port.close(); //! double-move
    }`,
  "what was there before comes first": `
    export function evict(all: Map<string, OwnedPort<0>>, name: string) {
      all.set(name, client.open(1));
      if (all.size < 2) return;
      const [oldest] = [...all.keys()];
      all.get(oldest)?.close();
      all.get(name)!.use(fill);
    }`,
  "what a generator yields is for good whose loop it is": `
    function* open() { yield client.open(1); const port = client.open(2); yield port; }
    for (const port of open()) port.close();
    for (const port of open()) { port.close(); break; }
    for (const port of open()) { //! unconsumed-port
      if (port.index === 1) continue;
      port.close();
    }
    [...open()].forEach((one) => one.close());`,
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
  "of what nobody knows there are none, one or two": `
    declare const ports: Iterable<PartialPort<true>>;
    declare function made(): Generator<PartialPort<true>>;
    for (const port of ports) port.use(fill);
    for (const port of made()) port.use(fill); //! unconsumed-port
    const port = client.open(1); //! unconsumed-port
    for (const one of elsewhere) port.close(); //! double-move`,
  "the rest is what is left": `
    const { a, ...others } = { a: client.open(1), b: client.open(2) };
    const [first, ...rest] = [client.open(3), client.open(4)]; //! unconsumed-port
    a.close();
    others.b.close();
    first.close();`,
  "a default comes where there is nothing": `
    const { a = client.open(1), b = client.open(1) } = { b: client.open(2) }; //! unconsumed-port
    b.close();`,
  "a name that is worked out": `
    const key = "a";
    const { [key]: port, ["b"]: other } = { a: client.open(1), b: client.open(2) }; //! unconsumed-port
    port.close();`,
  "parameters": `
    function f({ port, count = 1 }: { port: PartialPort<true>; count?: number }) { port.close(); }
    const port = client.open(1);
    f({ port });
    port.use(fill); //! use-after-move`,
  "a list that was gone through with consumption is spent": `
    const ports = [client.open(1), client.open(2)];
    for (const port of ports) port.close();
    for (const port of [...ports]) port.close(); //! double-move
    let others = [client.open(3)];
    for (const port of others) port.close();
    others = [client.open(4)];
    for (const port of others) port.close();`,
  "a part of a list, or one that is emptied on the way, is not spent": `
    const ports = [client.open(1), client.open(2)], calls = new Map([["a", client.open(3).send()]]);
    for (const port of ports.slice(0, 1)) port.close();
    for (const port of ports.slice(1)) port.close();
    for (const [name, sent] of calls) { sent.close(); calls.delete(name); }
    for (const sent of calls.values()) sent.close();`,
  "what was read out of a map is still in it": `
    export function fillOne(calls: Map<string, PartialPort<true>>, name: string) {
      const port = calls.get(name);
      if (port) port.use(fill);
      return port?.index;
    }`,
  "what a list shows is still in it": `
    const ports = [client.open(1), client.open(2)];
    const odd = ports.filter((port) => port.index === 1);
    for (const port of odd) port.use(fill);
    for (const [index, port] of ports.entries()) port.use(fill);
    for (const port of ports) port.close();
    const some = [client.open(3)].filter((port) => port.index === 1); //! unconsumed-port unconsumed-port
    for (const port of some) port.close();`,
  "a list is gone through in many ways": `
    const ports = [client.open(1), client.open(2)];
    ports.forEach((port) => port.close());
    for (const port of ports) port.close(); //! double-move
    type Sent = PartialPort<false>;
    class Pool {
      #map = new Map<string, Sent>(); #set = new Set<Sent>(); #list: { port: Sent }[] = [];
      #named: Record<string, Sent> = {}; #pair: { [side: string]: Sent } = {};
      pairs() { for (const [, one] of this.#map) one.close(); } //! double-move
      values() { for (const one of this.#map.values()) one.close(); } //! double-move
      each() { this.#set.forEach((one) => one.close()); } //! double-move
      parts() { for (const { port } of this.#list) port.close(); } //! double-move
      all() { return Promise.all(this.#list.map(({ port }) => port.recvAsync())); } //! double-move
      named() { for (const one of Object.values(this.#named)) one.close(); } //! double-move
      sides() { for (const [, one] of Object.entries(this.#pair)) one.close(); } //! double-move
      look() { this.#map.forEach((one) => log(one.index)); }
      clear() { for (const [, one] of this.#map) one.close(); this.#map.clear(); }
      empty() { for (const [name, one] of Object.entries(this.#pair)) { one.close(); delete this.#pair[name]; } }
      renew() { for (const one of Object.values(this.#named)) one.close(); this.#named = {}; }
    }`,
  "some of what others have": `
    class Sessions {
      #all = new Map<string, { readonly port: PartialPort<true>; last: number }>();
      reap() {
        for (const [name, one] of this.#all) {
          if (one.last > now()) continue;
          one.port.close();
          this.#all.delete(name);
        }
      }
      close() { for (const one of this.#all.values()) one.port.close(); this.#all.clear(); }
    }
    export function put(queue: PartialPort<true>[], port: PartialPort<true>) {
      if (queue.length > 3) queue.shift()!.close();
      queue.push(port);
    }`,
});
