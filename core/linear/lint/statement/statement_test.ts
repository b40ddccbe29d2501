import { testMarked } from "../testdata/marked_source.ts";

testMarked("statement", {
  "a chain consumes every port": `client.open(1).send(fill).recv(use).close();`,
  "one name a state": `
    const port = client.open(1);
    port.use(fill);
    const sent = port.send();
    const back = sent.recv();
    back.use(read);
    back.close();`,
  "use after send": `
    const port = client.open(1);
    const sent = port.send();
    port.use(fill); //! use-after-move
    sent.close();`,
  "send twice": `
    const port = client.open(1);
    const sent = port.send();
    const again = port.send(); //! double-move
    sent.close();
    again.close();`,
  "close twice": `
    const port = client.open(1);
    port.close();
    port.close(); //! double-move`,
  "close missing": `
    const port = client.open(1); //! unconsumed-port
    port.use(fill);`,
  "close missing after send": `
    const port = client.open(1);
    const sent = port.send(); //! unconsumed-port`,
  "a returned port is dropped": `
    client.open(1).send(fill); //! unconsumed-port`,
  "an inner block ends a name": `
    {
      const port = client.open(1); //! unconsumed-port
    }
    { const port = client.open(1); port.close(); }`,
  "a shadow is another port": `
    const port = client.open(1);
    { const port = client.open(2); port.close(); }
    port.close();`,
  "a shadow hides a moved port": `
    const port = client.open(1);
    port.close();
    { const port = client.open(2); port.use(fill); port.close(); }`,
  "using closes at the end": `
    using port = client.open(1);
    port.use(fill);`,
  "using, moved on": `
    using port = client.open(1);
    port.send().close();`,
  "using, used after the move": `
    using port = client.open(1);
    port.send().close();
    port.use(fill); //! use-after-move`,
  "await using": `
    async function f() {
      await using port = client.open(1);
      port.use(fill);
    }`,
  "an exported port is everybody's": `
    export const port = client.open(1);
    const other = client.open(1);
    export { other };`,
  "ordinary code": `
    const file = fs.open("x");
    file.send(1);
    file.send(2);
    const list = [1, 2].map((x) => x + 1);
    for (const x of list) console.log(x, file);`,
  "a name of the file that is given a port inside another statement": `
    let port;
    if (ready) port = client.open(1);
    else port = client.open(2);
    port.close();
    let other;
    function begin() { other = client.open(3); }
    try { begin(); } finally { other?.close(); }
    let third;
    { third = client.open(4); } //
    third.close();
    third.close(); //! double-move`,
});
