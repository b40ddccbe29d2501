import { testMarked } from "../testdata/marked_source.ts";

testMarked("loop", {
  "the name is carried": `
    let port = client.open(1); //! unconsumed-port
    for (const part of parts) port = port.send(part).recv();`,
  "polling, always of the first one": `
    const lost = client.open(1).send(fill);
    for (;;) {
      const look = lost.query(); //! unconsumed-port double-move
      if (look.arrived) { look.value.close(); break; }
    }`,
  "only break leaves while true": `
    const port = client.open(1);
    while (true) if (done()) { port.close(); break; }
    for (;;) work();
    port.close();`,
  "a label says which one is left": `
    outer: for (const a of as) {
      const port = client.open(1); //! unconsumed-port
      for (const b of bs) if (b) continue outer;
      while (ready) { if (a) break outer; break; } //
      port.close();
    }`,
  "do while runs once, or more than once": `
    const port = client.open(1), other = client.open(1);
    do { port.close(); } while (false);
    do { other.close(); } while (more()); //! double-move`,
  "a port in the head": `
    for (let port = client.open(1), i = 0;; i++) {
      if (i === 3) { port.close(); break; }
      port = port.send().recv();
    }
    for (let port = client.open(1), i = 0; i < 3; i++) port = port.send().recv(); //! unconsumed-port`,
  "a round has its own names": `
    const ends: (() => void)[] = [];
    for (let port = client.open(1), i = 0; i < 2; i++, port = client.open(2)) { //! unconsumed-port
      ends.push(() => port.close());
    }
    for (const end of ends) end();`,
  "how often is known": `
    const ports: PartialPort<true>[] = [];
    for (let i = 0; i < 3; i++) ports.push(client.open(i)); //! unconsumed-port
    for (let i = 1; i < ports.length; i++) ports[i].close();`,
  "keys of an object, and of what is not known": `
    const calls = { a: client.open(1), b: client.open(2) };
    for (const key in calls) calls[key].close();
    const port = client.open(1); //! unconsumed-port
    for (const key in table) {
      port.close(); //! double-move
      if (key) continue;
      break;
    }`,
  "into a name that is there": `
    let port: PartialPort<true> | undefined;
    for (port of [client.open(1), client.open(2)]) port.close();
    port.use(fill); //! use-after-move`,
  "an exception, and a return, end it": `
    function find(wanted: number) {
      for (const id of ids) {
        const port = client.open(id);
        if (id === wanted) return port;
        try { port.use(fill); if (bad) throw new Error("bad"); } finally { port.close(); }
      }
    }`,
  "whoever leaves it closes its generator": `
    function* calls() {
      const port = client.open(2); //! unconsumed-port
      yield 1;
      port.close();
    }
    for (const call of calls()) break;`,
});
