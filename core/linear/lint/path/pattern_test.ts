import { testMarked } from "../testdata/marked_source.ts";

testMarked("pattern", {
  "a part without a name is lost": `
    const { a: [first, , third] } = { a: [client.open(1), client.open(2), client.open(3)] }; //! unconsumed-port
    for (const one of [first, third]) one.close();`,
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
  "an iterator gives as many as there are names": `
    function* two() { yield client.open(1); yield client.open(2); }
    const [a] = two();
    a.close();
    const [b] = new Set([client.open(1), client.open(2)]); //! unconsumed-port
    b.close();
    for (const [, port] of new Map([["a", client.open(1)]])) port.close();
    const [c, d] = two(); //! unconsumed-port
    c.close();`,
  "parameters": `
    function f({ port, count = 1 }: { port: PartialPort<true>; count?: number }) { port.close(); }
    const port = client.open(1);
    f({ port });
    port.use(fill); //! use-after-move`,
  "a Maybe is looked at before it is opened, from left to right": `
    const { present, value: port } = client.tryOpen(1);
    if (present) port.close();
    const { arrived, value: other } = client.open(1).send().query(); //! unconsumed-port
    if (arrived) other.close();
    function f() { const { value, present } = client.tryOpen(1); if (present) value.close(); } //! unchecked-maybe`,
});
