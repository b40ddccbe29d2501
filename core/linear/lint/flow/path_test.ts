import { testMarked } from "../testdata/marked_source.ts";

testMarked("path", {
  "an exception of the program is a path, one from elsewhere nobody's fault": `
    export function own(isBad: boolean) {
      const port = client.open(1); //! unconsumed-port
      if (isBad) throw new Error("bad");
      port.close();
    }
    export function foreign() { const port = client.open(1); work(); port.close(); }`,
  "a module that is over keeps nothing but what it gives others": `
    const ports = [client.open(1)]; //! unconsumed-port
    export const others = [client.open(1)];
    const all: PartialPort<true>[] = [client.open(1)];
    export function finish() { for (const one of all) one.close(); }`,
  "a name that a function declares itself is another one": `
    const port = client.open(1); //! unconsumed-port
    const packet = client.open(2), used = client.open(3); //! unconsumed-port
    export const f = (port: OwnedPort<0>, all: { packet: string }) => {
      work(all.packet);
      port.close();
    };
    export function g() { used.use(fill); }`,
  "an exception of foreign code excuses what it makes unreachable": `
    function a() { try { const port = client.open(1); work(); port.close(); } catch { work(); } }
    function b() {
      const port = client.open(1); //! unconsumed-port
      try { work(); } catch { return; }
      port.close();
    }
    function c() { const port = client.open(1); work(); port.close(); }`,
  "an exception of the program does not, where it stands": `
    function a() { const port = client.open(1); check(); port.close(); }
    function check() { if (bad) throw new Error("bad"); }
    function b() {
      const port = client.open(1); //! unconsumed-port
      try { if (bad) throw new Error("bad"); port.close(); } catch { work(); }
    }`,
  "a port in an error goes with it": `
    class Busy extends Error { constructor(readonly port: PartialPort<true>) { super(); } }
    function open() { throw new Busy(client.open(1)); }
    try { open(); } catch (error) { if (error instanceof Busy) error.port.close(); }
    export function f() { throw new Busy(client.open(1)); }`,
  "what comes in any case comes after each way by itself": `
    export function f() {
      const port = client.open(1);
      try { work(); return port.send(); } finally { log("over"); }
    }`,
  "a case that forgets, and default first": `
    const port = client.open(1), other = client.open(2); //! unconsumed-port
    switch (kind) { case 1: port.close(); break; case 2: break; }
    switch (kind) { default: other.close(); break; case 1: case 2: other.close(); break; }`,
  "a case that goes on with the next": `
    const port = client.open(2);
    switch (kind) { case 1: port.close(); default: port.close(); } //! double-move`,
  "a label is left": `
    const port = client.open(1); //! unconsumed-port
    done: if (a) { if (b) break done; port.close(); } else if (c) port.use(fill); else port.close();`,
  "what is thrown is what is caught": `
    const port = client.open(1);
    try { throw { port, kind: 1 }; } catch ({ port: caught, kind }) { if (kind === 1) caught.close(); }
    port.use(fill); //! use-after-move`,
  "caught and thrown on, through what comes in any case": `
    function f() {
      const port = client.open(1), other = client.open(2); //! unconsumed-port
      try {
        try { if (bad) throw new Error("bad"); port.close(); } catch (error) { throw error; }
      } finally { other.close(); }
    }`,
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
  "using closes at the end": `
    for (const part of parts) { using port = client.open(2); port.use(part); }
    function f() { using port = client.open(3); if (ready) return; if (bad) throw new Error("bad"); }
    async function g() { await using port = client.open(4); port.use(fill); }`,
  "using closes what has not moved on": `
    using port = client.open(1), maybe = client.tryOpen(2), other = client.tryOpen(3);
    port.send().close();
    port.use(fill); //! use-after-move
    if (other.present) other.value.close();
    using none = ready ? client.open(4) : undefined;`,
});
