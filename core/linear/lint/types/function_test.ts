import { testMarked } from "../testdata/marked_source.ts";

testMarked("function type", {
  "what it says that it returns": `
    function begin(): SentPort<0> { return elsewhere(); }
    begin(); //! unconsumed-port`,
  "what it says that it returns, however far its body would lead": `
    function count(): number { return f0(); }
    ${Array.from({ length: 300 }, (_, at) => `function f${at}() { return f${at + 1}(); }`).join("")}
    function f300() { return client.open(1); }
    client.open(count()).close();`,
  "what it returns": `
    function begin(value: number) {
      if (value < 0) return undefined;
      for (const part of parts) { if (part) return client.open(1); }
      return client.open(2);
    }
    begin(1)?.close();
    begin(2); //! unconsumed-port`,
  "what it gets": `
    function same<T>(value: T): T { return value; }
    async function later<T>(value: T): Promise<T> { return await value; }
    same(client.open(1)).close();
    same(client.open(2)); //! unconsumed-port
    const port = await later(client.open(3)); //! unconsumed-port
    same(5);`,
  "what is only lent": `
    const kept: PartialPort<true>[] = [];
    function last(): PartialPort<true> { return kept.at(-1)!; }
    last().use(fill);
    last();`,
  "a function in a function": `
    const opener = (rpc: TypedClient) => (opcode: number) => rpc.open(opcode);
    const open = opener(client);
    open(1).close();
    open(2); //! unconsumed-port`,
  "functions that call each other": `
    const even = (count: number): boolean => count === 0 ? true : odd(count - 1);
    const odd = (count: number): boolean => count === 0 ? false : even(count - 1);
    const gcd = (a, b) => b === 0 ? a : gcd(b, a % b);
    function ping(count) { return count === 0 ? client.open(1) : pong(count - 1); }
    function pong(count) { return ping(count - 1); }
    gcd(4, 2);
    ping(3); //! unconsumed-port`,
  "a generator that does not say what it yields": `
    function* open() {
      yield* others;
      for (const id of ids) yield client.open(id);
    }
    for (const port of open()) {
      port.close();
      port.close(); //! double-move
    }`,
});
