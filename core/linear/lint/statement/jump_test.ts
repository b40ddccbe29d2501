import { testMarked } from "../testdata/marked_source.ts";

testMarked("jump", {
  "early return": `
    function f() {
      const port = client.open(1); //! unconsumed-port
      if (ready) return 1;
      port.close();
    }`,
  "early return of the port": `
    function f() {
      const port = client.open(1);
      if (ready) return port;
      return port.send().recv();
    }`,
  "code after return is not looked at": `
    function f() {
      const port = client.open(1);
      port.close();
      return;
      port.close();
    }`,
  "return leaves all blocks": `
    function f() {
      const a = client.open(1); //! unconsumed-port
      { const b = client.open(2); //! unconsumed-port
        for (;;) { if (ready) return; }
      }
    }`,
  "break leaves the block, not the function": `
    const a = client.open(1);
    for (;;) {
      const b = client.open(2); //! unconsumed-port
      if (ready) break;
      b.close();
    }
    a.close();`,
  "break in a switch in a loop": `
    for (const x of xs) {
      const port = client.open(1);
      switch (x) { case 1: break; default: work(); }
      port.close();
    }`,
  "throw past a called function": `
    function stop(): never { throw new Error("stop"); }
    const port = client.open(1);
    if (bad) stop();
    port.close();`,
  "a finalizer may jump, too": `
    for (const x of xs) {
      const port = client.open(1);
      try { if (x) break; } finally { port.close(); if (y) continue; }
    }`,
});

testMarked("loop", {
  "a port a round": `
    for (let i = 0; i < 3; i++) {
      const port = client.open(1);
      port.send(fill).recv(use).close();
    }`,
  "a port a round, dropped": `
    for (const call of calls) {
      const port = client.open(1); //! unconsumed-port
      port.use(fill);
    }`,
  "moved in the round before": `
    const port = client.open(1); //! unconsumed-port
    while (more()) {
      port.close(); //! double-move
    }`,
  "used in the round after": `
    const port = client.open(1); //! unconsumed-port
    for (;more();) {
      port.use(fill); //! use-after-move
      port.close(); //! double-move
    }`,
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
  "break without close": `
    const port = client.open(1); //! unconsumed-port
    while (true) {
      if (done()) break;
      if (other()) { port.close(); break; }
    }`,
  "continue skips the close": `
    for (const call of calls) {
      const port = client.open(1); //! unconsumed-port
      if (call.skip) continue;
      port.close();
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
