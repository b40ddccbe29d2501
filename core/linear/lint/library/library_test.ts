import { testMarked } from "../testdata/marked_source.ts";

testMarked("library", {
  "what Array and Object make of others": `
    const [a, b, c, d] = Array.from({ length: 4 }, (_, index) => client.open(index));
    for (const one of Array.of(a)) one.close();
    for (const one of Object.values({ b })) one.close();
    for (const [, one] of Object.entries({ c })) one.close();
    Object.fromEntries([["d", d]]).d.close();
    for (const one of [a, b, c, d]) one.close(); //! double-move`,
  "objects that stay what they are": `
    const target = Object.assign({}, { port: client.open(1) });
    target.port.close();
    target.port.close(); //! double-move
    Object.freeze({ port: client.open(2) }).port.close();
    const opened = await Array.fromAsync([1, 2], (opcode) => client.openAsync(opcode)); //! unconsumed-port
    if (Array.isArray(opened)) opened[0]?.close();`,
  "functions are called in other ways": `
    const ports = [client.open(1), client.open(2), client.open(3)];
    const end = (port: PartialPort<true>) => port.close();
    end.call(undefined, ports[0]);
    end.apply(undefined, [ports[1]]);
    end.bind(undefined, ports[2])();
    for (const [index, one] of ports.entries()) if (index < 3) one.use(fill); //! use-after-move`,
  "a method of a port under another name": `
    const [a, b, c] = [client.open(1), client.open(2), client.open(3)]; //! unconsumed-port
    const endA = a.close.bind(a), endB = b.close.bind(b), sendC = c.send.bind(c);
    endB();
    b.close(); //! double-move
    sendC().close();`,
  "an iterator is asked step by step, or for all": `
    function* open() { yield client.open(1); yield client.open(2); }
    const steps = open(), left = open();
    steps.next().value?.close();
    const { value } = steps.next(); //! unconsumed-port
    left.next().value?.close();
    left.return();
    for (const port of left) port.use(fill);
    open().toArray().forEach((one) => one.close());
    open().map((port) => port.close()).toArray();
    open().forEach((port) => port.use(fill)); //! unconsumed-port`,
  "a part of what an iterator has": `
    function* open() { yield client.open(1); yield client.open(2); } //! unconsumed-port
    for (const port of open().take(1)) port.close();
    for (const port of open().drop(1)) port.use(fill); //! unconsumed-port
    const list = [client.open(3), client.open(4)]; //! unconsumed-port
    for (const sent of list.values().take(1).map((port) => port.send())) sent.close();`,
  "methods of which nothing is known have what they are asked of": `
    const a = new Set([client.open(1)]), b = new Set([client.open(2)]);
    for (const one of a.symmetricDifference(b)) one.close();
    [client.open(3)].reduceRight((count, one) => { one.close(); return count; }, 0);`,
  "an iterator that waits": `
    async function* open() { yield await client.openAsync(1); } //! unconsumed-port
    const { value, done } = await open().next();
    if (!done) value.close();
    const lost = await open().next();`,
  "how much there is": `
    const list = [client.open(1)], set = new Set([client.open(2)]), port = client.open(3);
    if (list.length === 1) list[0].close();
    if (set.size > 0 && "ab".length === 2) for (const one of set) one.close();
    if (Boolean(list.length)) port.close();`,
  "a name that the program has itself": `
    const Promise = { all: (ports: PartialPort<true>[]) => ports.forEach((one) => one.close()) };
    const port = client.open(1);
    Promise.all([port]);
    port.close(); //! double-move`,
  "a symbol is equal to no other": `
    export class Feed {
      readonly #ports = new Map<symbol, OwnedPort<0>>();
      subscribe() { const key = Symbol("topic"); this.#ports.set(key, client.open(1)); return () => this.#end(key); }
      #end(key: symbol) { this.#ports.get(key)?.close(); this.#ports.delete(key); }
    }`,
});
