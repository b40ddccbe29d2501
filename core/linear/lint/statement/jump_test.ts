import { testMarked } from "../testdata/marked_source.ts";

testMarked("jump", {
  "early return of the port": `
    function f() {
      const port = client.open(1);
      if (ready) return port;
      return port.send().recv();
    }`,
  "throw past a called function": `
    function stop(): never { throw new Error("stop"); }
    const port = client.open(1);
    if (bad) stop();
    port.close();`,
});

testMarked("loop", {
  "the name is carried": `
    let port = client.open(1);
    for (const part of parts) port = port.send(part).recv();
    port.close();`,
  "the name is carried, not closed": `
    let port = client.open(1); //! unconsumed-port
    for (const part of parts) port = port.send(part).recv();`,
  "polling": `
    let sent: SentPort<0> | SentPort<1> = client.open(1).send(fill);
    for (;;) {
      const look = sent.query();
      if (look.arrived) { look.value.close(); break; }
      sent = look.value;
    }`,
  "polling loses the port": `
    const sent = client.open(1).send(fill);
    for (;;) {
      const look = sent.query(); //! unconsumed-port double-move
      if (look.arrived) { look.value.close(); break; }
    }`,
  "only break leaves while true": `
    const port = client.open(1);
    while (true) {
      if (done()) { port.close(); break; }
    }`,
  "continue outer": `
    outer: for (const a of as) {
      const port = client.open(1); //! unconsumed-port
      for (const b of bs) if (b) continue outer;
      port.close();
    }`,
  "break outer": `
    const port = client.open(1);
    outer: for (const a of as) {
      for (const b of bs) if (b) break outer;
    }
    port.close();`,
  "do while runs once": `
    const port = client.open(1);
    do { port.close(); } while (false);`,
  "do while may run twice": `
    const port = client.open(1);
    do {
      port.close(); //! double-move
    } while (more());`,
  "a port in the head": `
    for (let port = client.open(1), i = 0;; i++) {
      if (i === 3) { port.close(); break; }
      port = port.send().recv();
    }`,
  "for in, for await": `
    async function f() {
      for (const key in table) { const port = client.open(1); port.close(); }
      for await (const key of table) { const port = client.open(1); port.close(); }
    }`,
  "two loops deep, to the fixed point": `
    let a = client.open(1);
    let b = client.open(2);
    for (const x of xs) {
      for (const y of ys) {
        [a, b] = [b, a];
        if (y) b = b.send().recv();
      }
      a = a.send().recv();
    }
    a.close();
    b.close();`,
});
