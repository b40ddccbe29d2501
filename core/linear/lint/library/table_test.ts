import { testMarked } from "../testdata/marked_source.ts";

testMarked("table", {
  "a map has what was put there": `
    const ports = new Map<number, PartialPort<true>>([[1, client.open(1)]]);
    ports.get(1)?.close();
    ports.get(1)?.close(); //! double-move
    ports.delete(1);
    ports.get(1)?.close();
    ports.set(2, client.open(2)); //! unconsumed-port
    ports.set(2, client.open(3));
    ports.forEach((port) => port.close());`,
  "a set has each once": `
    const all = new Set<PartialPort<true>>(), port = client.open(1);
    all.add(port).add(port);
    for (const one of all) one.close();
    port.close(); //! double-move
    const counted = new Set([client.open(2)]), keys = new WeakMap([[client.open(3), 1]]); //! unconsumed-port unconsumed-port
    if (counted.size > 0) work();`,
  "each way through it": `
    const ports = new Map([[1, client.open(1)], [2, client.open(2)]]);
    for (const key of ports.keys()) ports.get(key)?.use(fill);
    for (const port of ports.values()) port.close();
    for (const [, port] of ports.entries()) port.use(fill); //! use-after-move
    ports.forEach((port) => port.close()); //! double-move
    ports.set(3, client.open(3)); //! unconsumed-port
    ports.clear();
    for (const port of ports.values()) port.close();`,
  "keys that may be the same one": `
    export function f(one: string, other: string) {
      const ports = new Map([[one, client.open(1)]]);
      ports.get(other)?.close();
      if (one !== other) ports.get(one)?.close();
      else ports.get(one)?.close(); //! double-move
    }`,
  "a map that others fill, too": `
    const waiting = new Map<string, SentPort<0> | SentPort<1>>();
    export function begin(name: string) {
      const sent = client.open(1).send(); //! unconsumed-port
      if (waiting.has(name)) return;
      waiting.set(name, sent);
    }
    export function renew(name: string) {
      waiting.get(name)?.close();
      waiting.delete(name);
      const sent = client.open(1).send();
      if (!waiting.has(name)) waiting.set(name, sent);
    }
    export function endTwice(name: string) {
      waiting.get(name)?.recv().close();
      waiting.get(name)?.close(); //! double-move
      waiting.delete(name);
    }
    export function endBoth(name: string, other: string) {
      waiting.get(name)?.close();
      if (name !== other) waiting.get(other)?.close();
      for (const one of [name, other]) waiting.delete(one);
    }`,
  "a port that somebody keeps is only lent": `
    class Table {
      readonly #rows = new Map<number, PartialPort<true>>();
      last?: PartialPort<true>;
      row(id: number) { return this.#rows.get(id); }
      latest() { return this.last; }
    }
    const table = new Table(), row = table.row(1), latest = table.latest();`,
  "a key that was found to be a number is that number": `
    export class Rows {
      readonly #rows = new Map<number, PartialPort<true>>();
      #last = 0;
      add() { this.#rows.set(this.#last++, client.open(1)); }
      index(id: number) { return this.#rows.get(id)?.index; }
      end(id: number) { this.#rows.get(id)?.close(); this.#rows.delete(id); }
    }
    export class Lost {
      readonly #rows = new Map<number, PartialPort<true>>();
      add(id: number) { this.#rows.set(id, client.open(1)); } //! unconsumed-port
      end(id: number) { this.#rows.get(id)?.close(); this.#rows.delete(id); }
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
});
